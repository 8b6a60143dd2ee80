// Where the next task comes from, in the order of the toucan report (s0), the Go article (s3) and
// the Scalable Scheduler task (s4), seen in the order in which tasks run.
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace schedbench::tests::pick_order_test {

namespace {

using executors::SchedulerHint;
using executors::Submit;
using platform::ThreadEvent;
using registry::IScheduler;

struct OrderCase {
  std::string spec;
  std::string order;  // "s0", "s3" or "s4"
};

// `fast`, the published algorithms, and each order with each local queue.
std::vector<OrderCase> EveryOrder() {
  std::vector<OrderCase> cases{{"fast", "s4"}};
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    if (entry->name.starts_with("WorkStealing_")) {
      cases.push_back({std::string(entry->name), "s0"});
    }
  }
  for (const std::string order : {"s0", "s3", "s4"}) {
    for (const std::string_view local :
         config::Settings(registry::FindScheduler("work_stealing")->schema())
             .GetSchema()
             .FindLeaf("local_queue")
             ->field->choices) {
      cases.push_back(
          {"work_stealing:pick_order=" + order + ",local_queue=" + std::string(local), order});
    }
  }
  return cases;
}

class PickOrder : public testing::TestWithParam<OrderCase> {
 protected:
  static constexpr std::uint64_t kNever = 1'000'000;

  static bool Is(std::string_view order) {
    return GetParam().order == order;
  }

  static bool HasField(std::string_view field) {
    const std::string name = GetParam().spec.substr(0, GetParam().spec.find(':'));
    return registry::FindScheduler(name)->schema().FindLeaf(field) != nullptr;
  }

  // Without polls of the global queue, but for the very first.
  static std::unique_ptr<IScheduler> MakeWithoutPolls(std::uint32_t workers) {
    return MakeScheduler(GetParam().spec, workers, {{"global_poll_period", kNever}});
  }

  // Submits a task that notes its name.
  void Note(IScheduler& pool, const char* name, SchedulerHint hint = SchedulerHint::UpToYou) {
    Submit(pool, [this, name] { order_.Add(name); }, hint);
  }

  const HangGuard hang_guard_{"an order of queues"};
  RunOrder order_;
};

INSTANTIATE_TEST_SUITE_P(Schedulers, PickOrder, testing::ValuesIn(EveryOrder()),
                         [](const testing::TestParamInfo<OrderCase>& info) {
                           return TestNameOf(info.param.spec);
                         });

TEST_P(PickOrder, HasTheLocalQueueBeforeTheGlobalOne) {
  const auto pool = MakeWithoutPolls(1);
  RunOutsideThenInside(
      *pool,
      [&] {
        Note(*pool, "G1");
        Note(*pool, "G2");
      },
      [&] {
        Note(*pool, "L1");
        Note(*pool, "L2");
      });
  EXPECT_EQ(order_.Text(), "L1 L2 G1 G2");
  // A task's task is in no queue but the worker's own.
  EXPECT_EQ(Totals(*pool)["tasks_grabbed"], pool->ExternalSubmissions());
}

TEST_P(PickOrder, HasTheLifoSlotFirstWhereThereIsOneAndTheDisplacedTaskAtTheTail) {
  const auto pool = MakeWithoutPolls(1);
  RunOutsideThenInside(
      *pool, [&] { Note(*pool, "G"); },
      [&] {
        Note(*pool, "L");
        Note(*pool, "N1", SchedulerHint::Next);
        Note(*pool, "N2", SchedulerHint::Next);
      });
  EXPECT_EQ(order_.Text(), Is("s4") ? "N2 L N1 G" : "L N1 N2 G");
  EXPECT_EQ(Totals(*pool)["from_lifo"], Is("s4") ? 1U : 0U);
  EXPECT_EQ(Totals(*pool)["lifo_displaced"], Is("s4") ? 1U : 0U);
}

TEST_P(PickOrder, HasTheQueuesOfOthersBeforeTheGlobalOneIn003AndAfterItElsewhere) {
  const auto pool = MakeWithoutPolls(2);
  ThreadEvent first_is_held;
  ThreadEvent second_is_held;
  ThreadEvent stealable_is_queued;
  ThreadEvent release_second;
  ThreadEvent both_ran;
  std::atomic<int> missing{2};
  const auto note = [&](const char* name) {
    Submit(*pool, [&, name] {
      order_.Add(name);
      if (--missing == 0) {
        both_ran.Set();
      }
    });
  };
  Submit(*pool, [&] {
    first_is_held.Set();
    second_is_held.Wait();
    note("stolen");
    stealable_is_queued.Set();
    both_ran.Wait();
  });
  first_is_held.Wait();
  Submit(*pool, [&] {
    second_is_held.Set();
    release_second.Wait();
  });
  stealable_is_queued.Wait();
  note("global");
  release_second.Set();
  pool->WaitIdle();
  EXPECT_EQ(order_.Text(), Is("s3") ? "stolen global" : "global stolen");
}

TEST_P(PickOrder, HasThePollOfTheGlobalQueueBeforeTheLifoSlotAndTheLocalQueue) {
  for (const SchedulerHint hint : {SchedulerHint::Next, SchedulerHint::UpToYou}) {
    for (const std::uint64_t period : {2U, 7U, 61U}) {
      const auto pool =
          MakeScheduler(GetParam().spec, 1,
                        {{"global_poll_period", period}, {"lifo_limit", std::uint64_t{kNever}}});
      std::atomic<bool> resubmits{true};
      std::atomic<std::uint64_t> others{0};
      const std::function<void()> chain = [&] {
        if (resubmits) {
          ++others;
          Submit(*pool, chain, hint);
        }
      };
      RunOutsideThenInside(*pool, [&] { Submit(*pool, [&] { resubmits = false; }); }, chain);
      EXPECT_LE(others, period) << static_cast<int>(hint);
    }
  }
}

TEST_P(PickOrder, HasATaskThatYieldedAtTheTailOfTheQueueThatItYieldsTo) {
  const auto run = [this](std::initializer_list<Override> overrides) {
    const auto pool = MakeScheduler(GetParam().spec, 1, overrides);
    order_.Clear();
    RunOutsideThenInside(
        *pool, [&] { Note(*pool, "G"); },
        [&] {
          Note(*pool, "L1");
          Note(*pool, "yielded", SchedulerHint::Yield);
          Note(*pool, "L2");
        });
    return order_.Text();
  };
  const Override no_polls{"global_poll_period", std::uint64_t{kNever}};
  if (!HasField("yield_to")) {
    EXPECT_EQ(run({no_polls}), "L1 L2 G yielded");
    return;
  }
  EXPECT_EQ(run({no_polls, {"yield_to", std::string("global")}}), "L1 L2 G yielded");
  EXPECT_EQ(run({no_polls, {"yield_to", std::string("local")}}), "L1 yielded L2 G");
}

TEST_P(PickOrder, LetsAFiberThatYieldsContinueAtOnceOnlyWhereNoOtherIsReady) {
  constexpr int kYields = 100;
  const auto pool = MakeWithoutPolls(1);
  RunOutsideThenInside(
      *pool, [] {},
      [&] {
        for (int i = 0; i < 2; ++i) {
          fibers::Go(*pool, [] {
            for (int yield = 0; yield < kYields; ++yield) {
              fibers::Yield();
            }
          });
        }
      });
  EXPECT_EQ(Totals(*pool)["submits_yield"], 2U * kYields);
  // The one that begins later yields once more when the other has ended.
  EXPECT_LE(Totals(*pool)["from_self"], 1U);
}

TEST_P(PickOrder, LetsATaskOfTheLocalQueueWaitForAtMostLifoLimitTasksOfTheSlot) {
  for (const std::uint64_t limit : {1U, 3U, 10U}) {
    const auto pool =
        MakeScheduler(GetParam().spec, 1, {{"global_poll_period", kNever}, {"lifo_limit", limit}});
    std::atomic<bool> resubmits{true};
    std::atomic<std::uint64_t> others{0};
    // Two that wake each other.
    const std::function<void()> other = [&] {
      if (resubmits) {
        ++others;
        Submit(*pool, other, SchedulerHint::Next);
      }
    };
    RunOutsideThenInside(
        *pool, [] {},
        [&] {
          Submit(*pool, [&] { resubmits = false; });
          Submit(*pool, other, SchedulerHint::Next);
        });
    EXPECT_EQ(others, Is("s4") ? limit : 0U);
  }
}

}  // namespace

}  // namespace schedbench::tests::pick_order_test
