// What schedulers record of themselves: every fiber and every worker, from begin to end.
#include "executors/submit.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/net/stream.hpp"
#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/preempt.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "timeline/live_recording.hpp"
#include "timeline/summary.hpp"
#include "timeline/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests::events_test {

namespace {

using timeline::Recording;
using timeline::TimedEvent;
using timeline::WorkerEvents;
using trace::EventKind;
using trace::StopReason;

constexpr std::uint32_t kChildren = 40;
constexpr std::uint32_t kRounds = 20;

// A fiber "root" starts fibers "child", which yield; one waits for the event that the last sets.
void RunSomething(registry::IScheduler& scheduler) {
  fibers::WaitGroup done;
  fibers::Event event;
  done.Add(kChildren + 2);
  fibers::Go(scheduler,
             [&] {
               fibers::Go(
                   [&] {
                     event.Wait();
                     done.Done();
                   },
                   {.name = "waiter"});
               for (std::uint32_t i = 0; i < kChildren; ++i) {
                 fibers::Go(
                     [&, i] {
                       for (std::uint32_t round = 0; round < kRounds; ++round) {
                         fibers::Yield();
                       }
                       if (i + 1 == kChildren) {
                         event.Fire();
                       }
                       done.Done();
                     },
                     {.name = "child"});
               }
               done.Done();
             },
             {.name = "root"});
  done.Wait();
  scheduler.WaitIdle();
}

// Of all that it did from the first to the last.
Recording RecordingOf(std::string_view spec, std::uint32_t workers,
                      void (*run)(registry::IScheduler&)) {
  const auto scheduler = MakeScheduler(spec, workers);
  timeline::LiveRecording live;
  live.Begin(*scheduler, 16);
  run(*scheduler);
  scheduler->Stop();  // what a worker records last is there when it has ended
  live.Stop();
  return *live.Take();
}

std::size_t CountOf(const Recording& recording, EventKind kind) {
  std::size_t count = 0;
  for (const WorkerEvents& worker : recording.Workers()) {
    count += static_cast<std::size_t>(std::ranges::count(worker.events, kind, &TimedEvent::kind));
  }
  return count;
}

bool RecordsEvents(std::string_view spec) {
  const registry::SchedulerEntry* const entry =
      registry::FindScheduler(spec.substr(0, spec.find(':')));
  return entry->records_events;
}

class Events : public testing::TestWithParam<std::string> {
 protected:
  const HangGuard hang_guard_{"a recording"};
};

TEST_P(Events, AreRecordedByTheSchedulersThatSaySo) {
  const auto scheduler = MakeScheduler(GetParam(), 2);
  const registry::Tracers tracers = scheduler->Tracers();
  EXPECT_EQ(tracers.workers.size(),
            RecordsEvents(GetParam()) ? scheduler->ReadWorkers().size() : 0);
  EXPECT_EQ(tracers.external != nullptr, RecordsEvents(GetParam()));
}

TEST_P(Events, RecordOfEachFiberItsSpawnEachRunAndItsEnd) {
  if (!RecordsEvents(GetParam())) {
    return;
  }
  const Recording recording = RecordingOf(GetParam(), 2, &RunSomething);
  std::map<std::uint32_t, int> spawned;
  std::map<std::uint32_t, int> ended;
  std::map<std::uint32_t, int> yielded;
  for (const WorkerEvents& worker : recording.Workers()) {
    EXPECT_EQ(worker.overwritten, 0u);
    std::uint32_t runs = trace::kNoFiber;
    for (const TimedEvent& event : worker.events) {
      if (event.kind == EventKind::kSpawn) {
        ++spawned[event.fiber];
      } else if (event.kind == EventKind::kSwitch) {
        const auto why = static_cast<StopReason>(event.arg);
        ended[runs] += why == StopReason::kEnded ? 1 : 0;
        yielded[runs] += why == StopReason::kYielded ? 1 : 0;
        runs = event.fiber;
      }
    }
    EXPECT_EQ(runs, trace::kNoFiber) << "worker " << worker.worker << " still runs something";
  }
  ended.erase(trace::kNoFiber);
  EXPECT_EQ(spawned.size(), kChildren + 2);
  EXPECT_EQ(spawned, ended);
  std::map<std::string, int> names;
  for (const auto& [fiber, count] : spawned) {
    EXPECT_EQ(count, 1);
    ++names[recording.DisplayName(fiber)];
    EXPECT_LE(yielded[fiber], static_cast<int>(kRounds));
  }
  EXPECT_EQ(names, (std::map<std::string, int>{{"root", 1}, {"child", kChildren}, {"waiter", 1}}));
}

TEST_P(Events, LeaveNoFiberReadyOrWithoutACauseWhenAllIsDone) {
  if (!RecordsEvents(GetParam())) {
    return;
  }
  const Recording recording = RecordingOf(GetParam(), 2, &RunSomething);
  const timeline::Timeline timeline = timeline::BuildTimeline(recording);
  for (const timeline::ReadyTime& ready : timeline.ready) {
    EXPECT_LT(ready.end, timeline.end_ns) << recording.FullName(ready.fiber);
  }
  EXPECT_EQ(timeline.waits.size(), CountOf(recording, EventKind::kWake));
  for (const timeline::Wait& wait : timeline.waits) {
    EXPECT_NE(wait.wake, timeline::kNone) << recording.FullName(wait.fiber);
  }
  EXPECT_TRUE(std::ranges::any_of(timeline.tracks, [](const timeline::Track& track) {
    return track.worker == timeline::kExternal;
  })) << "the root came from there";
}

TEST_P(Events, RecordTasksThatAreNotFibers) {
  if (!RecordsEvents(GetParam())) {
    return;
  }
  const Recording recording = RecordingOf(GetParam(), 2, [](registry::IScheduler& scheduler) {
    for (int i = 0; i < 100; ++i) {
      executors::Submit(scheduler, [] {});
    }
    scheduler.WaitIdle();
  });
  const timeline::Timeline timeline = timeline::BuildTimeline(recording);
  EXPECT_EQ(std::ranges::count(timeline.slices, timeline::SliceKind::kRun, &timeline::Slice::kind),
            100);
  EXPECT_EQ(CountOf(recording, EventKind::kSpawn), 100u);
  EXPECT_TRUE(std::ranges::find(timeline.names, "task") != timeline.names.end());
}

INSTANTIATE_TEST_SUITE_P(AllSchedulers, Events, testing::ValuesIn(EverySchedulerSpec()),
                         SchedulerNameOf);

TEST(EventsOfFast, RecordWhatIsStolenTakenGivenAwayAndHowLongQueuesAre) {
  const HangGuard hang_guard("a recording");
  const Recording recording =
      RecordingOf("fast:local_queue_capacity=16", 2, [](registry::IScheduler& scheduler) {
        fibers::WaitGroup done;
        done.Add(1000);
        fibers::Go(scheduler, [&] {
          for (int i = 0; i < 1000; ++i) {
            fibers::Go([&] {
              fibers::Yield();
              done.Done();
            });
          }
        });
        done.Wait();
        scheduler.WaitIdle();
      });
  std::uint64_t offloaded = 0;
  std::uint64_t taken = 0;
  for (const WorkerEvents& worker : recording.Workers()) {
    for (const TimedEvent& event : worker.events) {
      offloaded += event.kind == EventKind::kOffload ? event.arg : 0;
      taken += event.kind == EventKind::kGrab ? event.arg : 0;
    }
  }
  EXPECT_GT(offloaded, 0u);
  EXPECT_EQ(taken, offloaded + 1) << "and the first, which came from outside";
  EXPECT_GT(CountOf(recording, EventKind::kQueueLength), 0u);
  EXPECT_GT(CountOf(recording, EventKind::kPark), 0u);
}

TEST(EventsOfFast, ShowBlockingCallsThatHandOffTheirWorker) {
  const HangGuard hang_guard("a recording");
  const Recording recording = RecordingOf("fast:blocking=hand_off,syscall_retake_us=0", 1,
                                          [](registry::IScheduler& scheduler) {
                                            platform::ThreadEvent event;
                                            fibers::Go(scheduler, [&] {
                                              fibers::Go([&] { event.Set(); });
                                              fibers::Blocking([&] { event.Wait(); });
                                              fibers::Syscall([] {});
                                            });
                                            scheduler.WaitIdle();
                                          });
  EXPECT_EQ(CountOf(recording, EventKind::kBlockingCall), 2);
  EXPECT_EQ(CountOf(recording, EventKind::kHandOff), 1);
}

TEST(EventsOfFast, ShowPreemptions) {
  const HangGuard hang_guard("a recording");
  const Recording recording =
      RecordingOf("fast:preempt=coop,time_slice_ms=1", 1, [](registry::IScheduler& scheduler) {
        std::atomic<bool> over{false};
        fibers::Go(scheduler, [&] {
          fibers::Go([&] { over = true; });
          while (!over) {
            fibers::PreemptPoint();
          }
        });
        scheduler.WaitIdle();
      });
  EXPECT_GE(CountOf(recording, EventKind::kPreemption), 1);
}

TEST(EventsOfFast, ShowPollsThatFindFibers) {
  const HangGuard hang_guard("a recording");
  const Recording recording =
      RecordingOf("fast:netpoll=epoll", 1, [](registry::IScheduler& scheduler) {
        auto pipe = fibers::Pipe::Open().Take();
        fibers::Go(scheduler, [&] {
          // The monitor may be first, but hardly each time.
          for (int i = 0; i < 20; ++i) {
            std::atomic<bool> read{false};
            fibers::Go([&] {
              std::array<std::byte, 1> buffer{};
              read = pipe.reader.ReadSome(buffer).Ok();
            });
            fibers::Yield();
            EXPECT_TRUE(pipe.writer.WriteSome(fibers::BytesOf("x")).Ok());
            while (!read) {
              fibers::Yield();
            }
          }
        });
        scheduler.WaitIdle();
      });
  EXPECT_GE(CountOf(recording, EventKind::kNetPoll), 1);
}

TEST(EventsOfFast, CallAFiberWithoutANameByWhereItWasStarted) {
  const HangGuard hang_guard("a recording");
  const Recording recording = RecordingOf("fast", 1, [](registry::IScheduler& scheduler) {
    fibers::Go(scheduler, [] {});
    scheduler.WaitIdle();
  });
  const timeline::Timeline timeline = timeline::BuildTimeline(recording);
  EXPECT_TRUE(std::ranges::any_of(timeline.names, [](const std::string& name) {
    return name.starts_with("events_test.cpp:");
  }));
}

}  // namespace

}  // namespace schedbench::tests::events_test
