// The workloads that divide work by forks, and how deep forks may go.
#include "fibers/fork/fork_join.hpp"

#include "executors/strand.hpp"
#include "fibers/fork/task_scope.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"
#include "metrics/metric_list.hpp"
#include "tests/workloads/run_once.hpp"
#include "workloads/parts/sort_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests::fork_join_test {

namespace {

struct Case {
  std::string spec;
  std::uint64_t operations;  // known beforehand
};

const Case kCases[] = {{"nqueens:n=8", 2056},
                       {"matmul:n=32,leaf=4", 512},
                       {"mergesort:numbers=5000,cutoff=8", 5000},
                       {"mergesort:numbers=5001,cutoff=3,merge=serial", 5001},
                       {"quicksort:numbers=5000,cutoff=8", 5000},
                       {"quicksort:numbers=1001,cutoff=3", 1001},
                       {"integrate:n=10,epsilon=0.001", 0},
                       {"uts:root_children=50,probability=0.12", 0},
                       {"uts:tree=geometric,levels=5", 0}};

TEST(ForkJoinWorkload, IsRightWithStructuredForksAndWithFibers) {
  for (const auto& [scheduler, workers] : {std::pair{"fast", 1}, {"fast", 2}, {"global_fifo", 2}}) {
    const auto made = MakeScheduler(scheduler, static_cast<std::uint32_t>(workers));
    for (const auto& [spec, operations] : kCases) {
      std::uint64_t before = operations;
      for (const char* const fork : {",fork=structured", ",fork=spawn"}) {
        const Outcome outcome = RunOnce(spec + fork, *made);
        EXPECT_EQ(outcome.wrong, "") << spec << fork;
        if (before == 0) {
          EXPECT_GT(outcome.operations, 100U) << spec << fork;
          before = outcome.operations;
        }
        EXPECT_EQ(outcome.operations, before) << spec << fork;
      }
    }
  }
}

TEST(ForkJoinWorkload, StartsAFiberForEachCallOnlyWithSpawn) {
  for (const auto& [spec, forks] :
       {std::pair{"nqueens:n=6", 86U},  // of 152 placements, those that have siblings
        {"matmul:n=16,leaf=4", 3 * 2 + 8 * 3 * 2U},
        {"mergesort:numbers=64,cutoff=4,merge=serial", 15U}}) {
    for (const bool spawn : {false, true}) {
      const auto scheduler = MakeScheduler("fast", 1);
      EXPECT_EQ(RunOnce(std::string(spec) + (spawn ? ",fork=spawn" : ""), *scheduler).wrong, "");
      EXPECT_EQ(Totals(*scheduler)["spawned"], spawn ? forks : 0U) << spec;
    }
  }
}

TEST(NQueens, CountsTheKnownSolutions) {
  for (int n = 1; n <= 9; ++n) {
    EXPECT_EQ(RunOnce("nqueens:n=" + std::to_string(n), "fast", 2).wrong, "") << n;
  }
}

TEST(Integrate, DividesMoreWhereEpsilonIsSmaller) {
  const auto calls = [](const char* epsilon) {
    return RunOnce(std::string("integrate:n=10,epsilon=") + epsilon, "fast", 1).operations;
  };
  EXPECT_EQ(calls("1e9"), 1U);
  EXPECT_GT(calls("0.001"), 4 * calls("1"));
}

// The tree is specified: other runtimes visit the same.
TEST(Uts, VisitsAsManyNodesAsTheTreeHas) {
  for (const auto& [spec, nodes] :
       {std::pair{"uts:root_children=500,probability=0.1225", 32453U},
        {"uts:root_children=500,probability=0.1225,tree_seed=2", 84677U},
        {"uts:root_children=7,probability=0", 8U},
        {"uts:tree=geometric,levels=1,branching=2", 2U},
        {"uts:tree=geometric,levels=6", 3164U}}) {
    EXPECT_EQ(RunOnce(spec, "fast", 2).operations, nodes) << spec;
  }
}

// Frames are several times as large under a sanitizer.
constexpr const char* kOnSmallStacks =
    kSanitized ? "fast:stacks.bytes=262144" : "fast:stacks.bytes=65536";

// Of 131,435 nodes the deepest are on level 1,314, with two calls or more for each level.
TEST(Uts, VisitsATreeThatIsDeeperThanAStack) {
  const auto scheduler = MakeScheduler(kOnSmallStacks, 1);
  const Outcome outcome =
      RunOnce("uts:root_children=4,children=2,probability=0.4995,tree_seed=392", *scheduler);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 131435U);
  EXPECT_GT(Totals(*scheduler)["spawned"], 1U);  // on one worker, only for a new stack
}

int Levels(int level) {
  if (level == 0) {
    return 0;
  }
  const auto [below, here] =
      fibers::ForkJoin([level] { return Levels(level - 1); }, [] { return 1; });
  return below + here;
}

TEST(ForkJoin, NestsAHundredThousandLevelsOnSmallStacks) {
  const HangGuard hang_guard("a deep recursion");
  const auto scheduler = MakeScheduler(kOnSmallStacks, 2);
  constexpr int kLevels = PlainOrSanitized(100'000, 10'000);
  int levels = 0;
  fibers::Go(*scheduler, [&levels] { levels = Levels(kLevels); });
  scheduler->WaitIdle();
  EXPECT_EQ(levels, kLevels);
}

TEST(ForkJoin, IsCheapOnAWorkerWhoseFirstForkWasOfAHostedFiber) {
  const auto scheduler = MakeScheduler("fast", 1);
  int calls = 0;
  const auto fork = [&calls] {
    for (int i = 0; i < 10; ++i) {
      fibers::ForkJoin([&calls] { ++calls; }, [&calls] { ++calls; });
    }
  };
  executors::Strand strand(*scheduler);
  fibers::Go(strand, fork);
  scheduler->WaitIdle();
  const auto spawned = [&scheduler] {
    return scheduler->ReadWorkers()[0].values[metrics::MetricIndex("spawned")];
  };
  const std::uint64_t before = spawned();
  fibers::Go(*scheduler, fork);
  scheduler->WaitIdle();
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(spawned(), before);  // the fiber of the body was submitted from outside
}

// With a queue for two calls most forks find it full.
TEST(ForkJoin, MayWaitForItsSecondCallWhereTheQueueIsFull) {
  const HangGuard hang_guard("forks that find the queue full");
  const auto scheduler = MakeScheduler("fast:local_queue_capacity=2", 1);
  int joined = 0;
  const std::function<void(int)> fork = [&](int depth) {
    if (depth == 0) {
      return;
    }
    fibers::Event made;
    fibers::ForkJoin(
        [&] {
          fork(depth - 1);
          made.Wait();
        },
        [&] {
          ++joined;
          made.Fire();
        });
  };
  fibers::Go(*scheduler, [&] { fork(6); });
  scheduler->WaitIdle();
  EXPECT_EQ(joined, 6);
}

TEST(ForkJoinDeathTest, ScopesThatAreNotJoinedInTheReverseOrderOfTheirForks) {
  EXPECT_DEATH(
      {
        const auto scheduler = MakeScheduler("fast", 1);
        fibers::Go(*scheduler, [] {
          fibers::TaskScope one;
          fibers::TaskScope other;
          const auto first = one.Fork([] {});
          const auto second = other.Fork([] {});
          one.Join();
        });
        scheduler->WaitIdle();
      },
      "reverse order");
}

TEST(ForkJoinWorkload, RefusesParametersThatHaveNoEffectOrNoEnd) {
  for (const auto& [spec, reason] :
       {std::pair{"matmul:n=16,leaf=32", "needs at most n=16"},
        {"mergesort:numbers=100,cutoff=200", "needs at most numbers=100"},
        {"quicksort:numbers=100,cutoff=200", "needs at most numbers=100"},
        {"uts:probability=0.125", "the tree would not end"},
        {"uts:tree=geometric,children=4", "needs tree=binomial"},
        {"uts:levels=4", "needs tree=geometric"},
        {"nqueens:n=16,fork=spawn", "the most that fit: nqueens:n="},
        {"mergesort:numbers=1000000000,cutoff=3,fork=spawn", "the most that fit: mergesort:num"}}) {
    try {
      MakeWorkload(spec);
      ADD_FAILURE() << spec;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  }
}

TEST(SortInput, PointsOutTheFirstNumberThatIsNotInItsPlace) {
  const workloads::SortInput input(100, 7);
  EXPECT_NE(input.MistakeIn(input.Unsorted()), "");
  std::vector<std::uint32_t> numbers = input.Unsorted();
  std::ranges::sort(numbers);
  EXPECT_EQ(input.MistakeIn(numbers), "");
  ++numbers[42];
  EXPECT_EQ(input.MistakeIn(numbers).substr(0, 12), "number 42 is");
}

}  // namespace

}  // namespace schedbench::tests::fork_join_test
