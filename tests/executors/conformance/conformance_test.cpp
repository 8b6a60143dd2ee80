// What every executor promises, and what some promise besides (RigKind).
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/executors/conformance/rig.hpp"
#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

namespace schedbench::tests::conformance_test {

void PrintTo(const RigKind& kind, std::ostream* out) {
  *out << kind.name;
}

namespace {

using executors::SchedulerHint;
using executors::TaskBase;

// Counts its runs in a plain number: ThreadSanitizer checks that Submit happens before Run.
class CountingTask final : public TaskBase {
 public:
  void Run() noexcept override {
    ++runs;
  }

  int runs = 0;
};

class ExecutorConformance : public testing::TestWithParam<RigKind> {
 protected:
  static SchedulerHint HintOf(std::size_t i) {
    constexpr std::array kHints{SchedulerHint::UpToYou, SchedulerHint::Next, SchedulerHint::Yield};
    return kHints[i % kHints.size()];
  }

  const HangGuard hang_guard_{"a test of one executor"};
  const std::unique_ptr<Rig> rig_ = GetParam().make();
  executors::IExecutor& executor_ = rig_->Executor();
};

class InOrderConformance : public ExecutorConformance {};
class ExclusiveConformance : public ExecutorConformance {};

std::vector<RigKind> KindsWith(bool RigKind::* promise) {
  std::vector<RigKind> kinds = RigKinds();
  std::erase_if(kinds, [promise](const RigKind& kind) { return !(kind.*promise); });
  return kinds;
}

std::string NameOf(const testing::TestParamInfo<RigKind>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Executors, ExecutorConformance, testing::ValuesIn(RigKinds()), NameOf);
INSTANTIATE_TEST_SUITE_P(Executors, InOrderConformance,
                         testing::ValuesIn(KindsWith(&RigKind::in_order)), NameOf);
INSTANTIATE_TEST_SUITE_P(Executors, ExclusiveConformance,
                         testing::ValuesIn(KindsWith(&RigKind::exclusive)), NameOf);

TEST_P(ExecutorConformance, RunsEachTaskExactlyOnceWhateverItsHint) {
  std::vector<CountingTask> tasks(2000);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    executor_.Submit(&tasks[i], HintOf(i));
  }
  rig_->Finish();
  for (const CountingTask& task : tasks) {
    ASSERT_EQ(task.runs, 1);
  }
}

TEST_P(ExecutorConformance, RunsTasksOfTasksExactlyOnce) {
  std::vector<CountingTask> tasks(2000);
  for (std::size_t i = 0; i < 20; ++i) {
    executors::Submit(executor_, [&, i] {
      for (std::size_t child = i * 100; child < (i + 1) * 100; ++child) {
        executor_.Submit(&tasks[child], HintOf(child));
      }
    });
  }
  rig_->Finish();
  for (const CountingTask& task : tasks) {
    ASSERT_EQ(task.runs, 1);
  }
}

TEST_P(ExecutorConformance, RunsTasksOfManyThreadsExactlyOnceIfItTakesThem) {
  constexpr std::size_t kPerThread = 1000;
  const std::size_t threads = GetParam().many_threads ? 4 : 1;
  std::vector<CountingTask> tasks(threads * kPerThread);
  {
    std::vector<std::jthread> clients;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      clients.emplace_back([&, thread] {
        for (std::size_t i = 0; i < kPerThread; ++i) {
          executor_.Submit(&tasks[thread * kPerThread + i], HintOf(i));
        }
      });
    }
  }
  rig_->Finish();
  for (const CountingTask& task : tasks) {
    ASSERT_EQ(task.runs, 1);
  }
}

TEST_P(InOrderConformance, KeepsTheOrderOfASubmitter) {
  constexpr std::uint32_t kTasks = 2000;
  std::atomic<std::uint32_t> next{0};
  std::atomic<std::uint32_t> out_of_order{0};
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    executors::Submit(executor_, [&, i] {
      if (next.fetch_add(1, std::memory_order_relaxed) != i) {
        out_of_order.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  rig_->Finish();
  EXPECT_EQ(next, kTasks);
  EXPECT_EQ(out_of_order, 0U);
}

TEST_P(ExclusiveConformance, RunsOneTaskAtATime) {
  const std::size_t threads = GetParam().many_threads ? 4 : 1;
  std::size_t sum = 0;  // plain: ThreadSanitizer sees whether each task comes after the one before
  {
    std::vector<std::jthread> clients;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      clients.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          executors::Submit(executor_, [&sum] { ++sum; });
        }
      });
    }
  }
  rig_->Finish();
  EXPECT_EQ(sum, threads * 500);
}

TEST_P(ExecutorConformance, RunsFibersThatYield) {
  std::array<int, 20> steps{};
  for (int& step : steps) {
    fibers::Go(executor_, [&step] {
      for (int turn = 0; turn < 50; ++turn) {
        ++step;
        fibers::Yield();
      }
    });
  }
  rig_->Finish();
  for (const int step : steps) {
    EXPECT_EQ(step, 50);
  }
}

TEST_P(ExecutorConformance, RunsFibersThatShareAMutex) {
  fibers::Mutex mutex;
  int sections = 0;  // guarded by mutex
  for (int fiber = 0; fiber < 10; ++fiber) {
    fibers::Go(executor_, [&] {
      for (int i = 0; i < 50; ++i) {
        const fibers::MutexLock lock(mutex);
        fibers::Yield();
        ++sections;
      }
    });
  }
  rig_->Finish();
  EXPECT_EQ(sections, 500);
}

TEST_P(ExecutorConformance, RunsFibersThatTalkOverChannels) {
  for (const std::size_t capacity : {0U, 3U}) {
    fibers::Channel<int> there(capacity);
    fibers::Channel<int> back(capacity);
    int answer = 0;
    fibers::Go(executor_, [&] {
      int number = 0;
      for (int i = 0; i < 200; ++i) {
        there.Send(number);
        number = back.Receive();
      }
      answer = number;
    });
    fibers::Go(executor_, [&] {
      for (int i = 0; i < 200; ++i) {
        back.Send(there.Receive() + 1);
      }
    });
    rig_->Finish();
    EXPECT_EQ(answer, 200);
  }
}

TEST_P(ExecutorConformance, RunsFibersThatWaitForOthers) {
  std::atomic<int> leaves{0};
  bool joined = false;
  fibers::Go(executor_, [&] {
    fibers::WaitGroup done;
    done.Add(10);
    for (int i = 0; i < 10; ++i) {
      fibers::Go([&] {
        fibers::Yield();
        ++leaves;
        done.Done();
      });
    }
    done.Wait();
    joined = leaves == 10;
  });
  rig_->Finish();
  EXPECT_TRUE(joined);
}

TEST_P(ExecutorConformance, AllocatesNothingForATaskAndOnceForALambda) {
  constexpr std::size_t kTasks = 100;
  std::vector<CountingTask> tasks(kTasks);
  // What is allocated once and kept, such as the stacks of workers.
  for (CountingTask& task : tasks) {
    executor_.Submit(&task, SchedulerHint::UpToYou);
  }
  rig_->Finish();

  const std::uint64_t before = Allocations();
  for (std::size_t i = 0; i < kTasks; ++i) {
    executor_.Submit(&tasks[i], HintOf(i));
  }
  rig_->Finish();
  const std::uint64_t between = Allocations();
  for (std::size_t i = 0; i < kTasks; ++i) {
    executors::Submit(executor_, [] {});
  }
  rig_->Finish();
  EXPECT_EQ(between - before, 0U);
  EXPECT_EQ(Allocations() - between, kTasks);
}

}  // namespace

}  // namespace schedbench::tests::conformance_test
