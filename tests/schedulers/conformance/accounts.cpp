#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "tests/schedulers/conformance/conformance.hpp"
#include "tests/support/allocation_counter.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::tests::accounts_test {

namespace {

// What submitting and running costs and what is counted of it.

TEST_P(Conformance, AllocatesNothingToSubmitAndRunATaskFromOutside) {
  AwaitAllWorkers();
  std::vector<ProbeTask> tasks(Repeat(PlainOrSanitized<std::size_t>(5000, 1000)));
  // Once for the first time: a thread's own state may be made then.
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  const std::uint64_t before = Allocations();
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  EXPECT_LE(Allocations() - before, Allowed(tasks.size()));
  EXPECT_EQ(tasks.back().runs, 2);
}

TEST_P(Conformance, AllocatesNothingToSubmitAndRunATaskFromInside) {
  AwaitAllWorkers();
  // More tasks than any local queue holds, and each hint.
  std::vector<ProbeTask> tasks(Repeat(PlainOrSanitized<std::size_t>(5000, 1000)));
  FunctionTask root([&] {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      scheduler_.Submit(&tasks[i], static_cast<SchedulerHint>(i % 3));
    }
  });
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  const std::uint64_t before = Allocations();
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  EXPECT_LE(Allocations() - before, Allowed(tasks.size()));
  EXPECT_EQ(tasks.back().runs, 2);
}

// Runs `body` in each of `fibers` fibers, which have begun and suspended once before. Returns how
// often memory was allocated from their release to the end of the last one.
template <typename Body>
std::uint64_t AllocationsOfFibers(IExecutor& executor, std::size_t fibers, Body body) {
  fibers::Event go;
  fibers::WaitGroup begun;
  fibers::WaitGroup done;
  begun.Add(fibers);
  done.Add(fibers);
  for (std::size_t i = 0; i < fibers; ++i) {
    fibers::Go(executor, [&, i] {
      begun.Done();
      go.Wait();
      body(i);
      done.Done();
    });
  }
  begun.Wait();
  const std::uint64_t before = Allocations();
  go.Fire();
  done.Wait();
  return Allocations() - before;
}

// A worker whose very first fiber comes late stocks up on stacks then: that happens once, whatever
// follows.
std::uint64_t OnceAllocated(std::uint32_t workers) {
  return workers == 1 ? 0 : 2 * workers;
}

TEST_P(Conformance, AllocatesNothingPerYield) {
  AwaitAllWorkers();
  const auto yields = Repeat(PlainOrSanitized<std::size_t>(4000, 500));
  const std::uint64_t allocations = AllocationsOfFibers(scheduler_, 8, [&](std::size_t /*fiber*/) {
    for (std::size_t i = 0; i < yields; ++i) {
      fibers::Yield();
    }
  });
  EXPECT_LE(allocations, OnceAllocated(Workers()) + Allowed(8 * yields))
      << "in " << 8 * yields << " yields";
}

TEST_P(Conformance, AllocatesNothingPerRoundTrip) {
  AwaitAllWorkers();
  const auto rounds = Repeat(PlainOrSanitized<std::size_t>(2000, 300));
  constexpr std::size_t kPairs = 4;
  for (const std::size_t capacity : {0, 1}) {
    std::vector<std::unique_ptr<fibers::Channel<int>>> there;
    std::vector<std::unique_ptr<fibers::Channel<int>>> back;
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      there.push_back(std::make_unique<fibers::Channel<int>>(capacity));
      back.push_back(std::make_unique<fibers::Channel<int>>(capacity));
    }
    const std::uint64_t allocations =
        AllocationsOfFibers(scheduler_, 2 * kPairs, [&](std::size_t fiber) {
          const std::size_t pair = fiber / 2;
          for (std::size_t i = 0; i < rounds; ++i) {
            if (fiber % 2 == 0) {
              there[pair]->Send(1);
              back[pair]->Receive();
            } else {
              back[pair]->Send(there[pair]->Receive());
            }
          }
        });
    EXPECT_LE(allocations, OnceAllocated(Workers()) + Allowed(2 * kPairs * rounds))
        << "in " << kPairs * rounds << " round trips";
  }
}

TEST_P(Conformance, CountsEachTaskByItsOriginAndItsSubmitter) {
  constexpr std::size_t kOutside = 500;
  constexpr std::size_t kChildren = 3;
  std::vector<ProbeTask> children(kOutside * kChildren);
  std::vector<FunctionTask> parents(kOutside);
  for (std::size_t i = 0; i < kOutside; ++i) {
    parents[i].SetBody([&, i] {
      for (std::size_t child = 0; child < kChildren; ++child) {
        scheduler_.Submit(&children[kChildren * i + child], static_cast<SchedulerHint>(child));
      }
    });
    scheduler_.Submit(&parents[i], SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  const Totals totals(scheduler_);
  EXPECT_EQ(totals["tasks_run"], kOutside * (1 + kChildren));
  EXPECT_EQ(totals["tasks_submitted"], kOutside * kChildren);
  EXPECT_EQ(totals["submits_next"], kOutside);
  EXPECT_EQ(totals["submits_yield"], kOutside);
  EXPECT_EQ(scheduler_.ExternalSubmissions(), kOutside);
}

TEST_P(Conformance, CountsWhatIsSpawnedFromOutsideWithoutThePartsOfFibersThatContinue) {
  fibers::Event gate;
  fibers::WaitGroup waiting;
  fibers::WaitGroup done;
  constexpr std::size_t kFibers = 20;
  waiting.Add(kFibers);
  done.Add(kFibers);
  for (std::size_t i = 0; i < kFibers; ++i) {
    fibers::Go(scheduler_, [&] {
      waiting.Done();
      gate.Wait();
      done.Done();
    });
  }
  waiting.Wait();
  gate.Fire();  // by this thread, so that waiting fibers are made ready from outside
  done.Wait();
  scheduler_.WaitIdle();
  EXPECT_EQ(scheduler_.ExternalSpawns(), kFibers);
  EXPECT_GE(scheduler_.ExternalSubmissions(), kFibers);
  EXPECT_EQ(Totals(scheduler_)["ended"], kFibers);
}

// What worker_metrics.hpp promises of a scheduler at rest.
void ExpectThatMetricsAddUp(const registry::IScheduler& scheduler, std::string_view spec,
                            std::size_t workers) {
  const std::vector<registry::WorkerReading> readings = scheduler.ReadWorkers();
  // Where threads come and go there is one row for all of them.
  ASSERT_EQ(readings.size(), ParallelismOf(spec) == Parallelism::kAny ? 1 : workers);
  for (const registry::WorkerReading& reading : readings) {
    const auto value = [&reading](std::string_view name) {
      return reading.values[metrics::MetricIndex(name)];
    };
    EXPECT_EQ(value("tasks_run"), value("from_lifo") + value("from_local") + value("from_global") +
                                      value("from_stolen") + value("from_self"));
    EXPECT_LE(value("submits_next") + value("submits_yield"), value("tasks_submitted"));
    EXPECT_LE(value("steals"), value("steal_attempts"));
    EXPECT_LE(value("steals"), value("tasks_stolen"));
    EXPECT_LE(value("from_stolen"), value("steals"));
    EXPECT_LE(value("global_grabs"), value("tasks_grabbed"));
    EXPECT_LE(value("noop_wakes"), value("parks"));
    EXPECT_LE(value("migrations"), value("tasks_run"));
    // A worker that is woken searches, too.
    EXPECT_LE(value("searches_found"),
              value("searches") + value("parks") + value("parks_cancelled"));
  }
  const Totals totals(scheduler);
  EXPECT_EQ(totals["tasks_stolen_from"], totals["tasks_stolen"]);
  EXPECT_EQ(totals["tasks_run"], totals["tasks_submitted"] + scheduler.ExternalSubmissions());
}

TEST_P(Conformance, HasMetricsThatAddUpAfterTasks) {
  std::vector<ProbeTask> tasks(3000);
  FunctionTask root([&] {
    RandomHint hint(6);
    for (ProbeTask& task : tasks) {
      scheduler_.Submit(&task, hint());
    }
  });
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  ExpectThatMetricsAddUp(scheduler_, Name(), Workers());
}

TEST_P(Conformance, HasMetricsThatAddUpAfterFibers) {
  constexpr int kPairs = 20;
  constexpr int kRounds = 100;
  fibers::WaitGroup done;
  done.Add(std::uint64_t{2} * kPairs);
  std::vector<std::unique_ptr<fibers::Channel<int>>> channels;
  for (int pair = 0; pair < kPairs; ++pair) {
    const auto wake = pair % 2 == 0 ? SchedulerHint::UpToYou : SchedulerHint::Next;
    auto& channel = *channels.emplace_back(std::make_unique<fibers::Channel<int>>(pair % 3, wake));
    fibers::Go(scheduler_, [&] {
      for (int i = 0; i < kRounds; ++i) {
        channel.Send(i);
        fibers::Yield();
      }
      done.Done();
    });
    fibers::Go(scheduler_, [&] {
      for (int i = 0; i < kRounds; ++i) {
        EXPECT_EQ(channel.Receive(), i);
      }
      done.Done();
    });
  }
  done.Wait();
  scheduler_.WaitIdle();
  ExpectThatMetricsAddUp(scheduler_, Name(), Workers());
}

// By a system call: a thread-local number that fibers of one thread read would be a race to the
// build in which no switch orders anything.
pid_t ThreadOfNow() {
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

TEST_P(Conformance, CountsEachTimeThatAFiberContinuesInAnotherThread) {
  constexpr int kFibers = 8;
  constexpr int kYields = PlainOrSanitized(300, 50);
  std::atomic<std::uint64_t> moves{0};
  fibers::WaitGroup done;
  done.Add(kFibers);
  for (int i = 0; i < kFibers; ++i) {
    fibers::Go(scheduler_, [&, i] {
      pid_t thread = ThreadOfNow();
      for (int yield = 0; yield < kYields; ++yield) {
        if ((i + yield) % 3 == 0) {
          fibers::Suspend([](fibers::FiberHandle fiber) { fiber.Schedule(); });
        } else {
          fibers::Yield();
        }
        const pid_t now = ThreadOfNow();
        moves += now != thread ? 1 : 0;
        thread = now;
      }
      done.Done();
    });
  }
  done.Wait();
  scheduler_.WaitIdle();
  EXPECT_EQ(Totals(scheduler_)["migrations"], moves);
}

TEST_P(Conformance, MeasuresHowLongATaskRunsUntilItsWorkerTurnsElsewhere) {
  std::vector<ProbeTask> tasks(1000);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  // The first task that a thread submits is in the sample.
  constexpr std::uint64_t kTicks = 10'000'000;
  FunctionTask long_task([] {
    const std::uint64_t begin = platform::TickClock::Now();
    while (platform::TickClock::Now() < begin + kTicks) {
    }
  });
  std::jthread([&] { scheduler_.Submit(&long_task, SchedulerHint::UpToYou); }).join();
  scheduler_.Stop();
  metrics::HistogramSnapshot runs;
  std::uint64_t wakeups = 0;
  for (const registry::WorkerReading& reading : scheduler_.ReadWorkers()) {
    runs.Add(reading.run_ticks);
    wakeups += reading.wakeup_ticks.Total();
  }
  EXPECT_EQ(runs.Total(), wakeups) << "both of the same tasks";
  EXPECT_GE(*runs.Max(), 0.99 * kTicks);
}

TEST_P(Conformance, NeverCountsBackwards) {
  std::atomic<bool> stop{false};
  std::atomic<int> backwards{0};
  std::jthread reader([&] {
    std::uint64_t run = 0;
    std::uint64_t parked = 0;
    while (!stop) {
      const Totals totals(scheduler_);
      backwards += totals["tasks_run"] < run || totals["park_ns"] < parked ? 1 : 0;
      run = totals["tasks_run"];
      parked = totals["park_ns"];
    }
  });
  ProbeTask task;
  const int rounds = Repeat(PlainOrSanitized(2000, 300));
  for (int round = 0; round < rounds; ++round) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
    scheduler_.WaitIdle();
  }
  stop = true;
  reader.join();
  EXPECT_EQ(backwards, 0);
}

TEST_P(Conformance, MeasuresTheWakeUpLatencyOfASample) {
  std::vector<ProbeTask> tasks(10000);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  metrics::HistogramSnapshot all;
  for (const registry::WorkerReading& reading : scheduler_.ReadWorkers()) {
    all.Add(reading.wakeup_ticks);
  }
  // One in 64 on the average, at distances of 1 to 127: the number is sharp within a few percent.
  EXPECT_GT(all.Total(), tasks.size() / 128);
  EXPECT_LT(all.Total(), tasks.size() / 32);
}

}  // namespace

}  // namespace schedbench::tests::accounts_test
