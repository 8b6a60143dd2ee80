#include "fibers/fork/fork_join.hpp"

#include "fibers/fork/parallel_for.hpp"
#include "fibers/fork/task_scope.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "tests/schedulers/conformance/conformance.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::tests::fork_join_test {

namespace {

using fibers::ForkJoin;
using fibers::ParallelFor;
using fibers::TaskScope;

class ForkJoins : public Conformance {
 protected:
  // Runs `body` in a fiber to its end.
  template <typename Body>
  void InFiber(Body body) {
    fibers::Go(scheduler_, body);
    scheduler_.WaitIdle();
  }
};

constexpr int kNumber = PlainOrSanitized(14, 9);
constexpr int kAnswer = PlainOrSanitized(377, 34);

int Fibonacci(int n) {
  if (n < 2) {
    return n;
  }
  const auto [first, second] =
      ForkJoin([n] { return Fibonacci(n - 1); }, [n] { return Fibonacci(n - 2); });
  return first + second;
}

TEST_P(ForkJoins, ReturnWhatBothCallsReturn) {
  int number = 0;
  InFiber([&] { number = Fibonacci(kNumber); });
  EXPECT_EQ(number, kAnswer);
}

TEST_P(ForkJoins, RunInAnyNumberOfFibersAtATime) {
  std::array<int, 4> numbers{};
  for (int& number : numbers) {
    fibers::Go(scheduler_, [&number] { number = Fibonacci(kNumber); });
  }
  scheduler_.WaitIdle();
  for (const int number : numbers) {
    EXPECT_EQ(number, kAnswer);
  }
}

TEST_P(ForkJoins, ReturnValuesThatCanOnlyBeMoved) {
  std::string text;
  InFiber([&] {
    const auto [first, second] = ForkJoin(
        [] {
          fibers::Yield();
          return std::make_unique<std::string>("first");
        },
        [] { return std::make_unique<std::string>("second"); });
    text = *first + ", " + *second;
  });
  EXPECT_EQ(text, "first, second");
}

// How the first call lets others take the second one, or not.
void Wait(int round) {
  if (round % 3 == 1) {
    fibers::Yield();
  } else if (round % 3 == 2) {
    std::this_thread::yield();
  }
}

TEST_P(ForkJoins, JoinTheSecondCallBeforeAnExceptionOfTheFirstLeaves) {
  constexpr int kRounds = PlainOrSanitized(90, 30);
  for (int round = 0; round < kRounds; ++round) {
    bool joined = false;
    std::string caught;
    InFiber([&] {
      try {
        ForkJoin(
            [&] {
              Wait(round);
              throw std::runtime_error("first");
            },
            [&] {
              joined = true;
              throw std::runtime_error("second");
            });
      } catch (const std::runtime_error& error) {
        caught = error.what();
        EXPECT_TRUE(joined);
      }
    });
    ASSERT_EQ(caught, "first");
  }
}

TEST_P(ForkJoins, ThrowTheExceptionOfTheSecondCall) {
  constexpr int kRounds = PlainOrSanitized(90, 30);
  for (int round = 0; round < kRounds; ++round) {
    std::string caught;
    InFiber([&] {
      try {
        ForkJoin(
            [&] {
              Wait(round);
              return 1;
            },
            []() -> int { throw std::runtime_error("second"); });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
    });
    ASSERT_EQ(caught, "second");
  }
}

TEST_P(ForkJoins, MayWaitForEachOther) {
  constexpr int kRounds = PlainOrSanitized(100, 20);
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    fibers::Channel<int> numbers(0);
    InFiber([&] {
      ForkJoin(
          [&] {
            for (int number = 0; number < 3; ++number) {
              numbers.Send(number);
            }
          },
          [&] {
            for (int number = 0; number < 3; ++number) {
              sum += numbers.Receive();
            }
          });
    });
  }
  EXPECT_EQ(sum, 3 * kRounds);
}

// A recursion that forks at each level, with a call that suspends at the bottom: all levels have
// calls in the queue then.
int SumOfLevels(int level) {
  if (level == 0) {
    fibers::Yield();
    return 0;
  }
  const auto [below, here] =
      ForkJoin([level] { return SumOfLevels(level - 1); }, [level] { return level % 2; });
  return below + here;
}

TEST_P(ForkJoins, NestDeeperThanAStackIs) {
  constexpr int kLevels = PlainOrSanitized(4'000, 800);
  int sum = 0;
  InFiber([&] { sum = SumOfLevels(kLevels); });
  EXPECT_EQ(sum, kLevels / 2);
}

TEST_P(ForkJoins, CallInTurnOutsideOfAFiber) {
  std::string order;
  ForkJoin([&] { order += "f"; }, [&] { order += "g"; });
  FunctionTask task([&] { ForkJoin([&] { order += "h"; }, [&] { order += "i"; }); });
  scheduler_.Submit(&task, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
  EXPECT_EQ(order, "fghi");
}

TEST_P(ForkJoins, CallBothAlsoOutsideOfAFiberIfTheFirstThrows) {
  bool called = false;
  EXPECT_THROW(ForkJoin([] { throw std::runtime_error("first"); }, [&] { called = true; }),
               std::runtime_error);
  EXPECT_TRUE(called);
}

TEST_P(ForkJoins, CallTheBodyOfALoopOnceForEachIndex) {
  constexpr int kCount = 300;
  std::array<int, kCount> calls{};
  InFiber([&] {
    ParallelFor(0, kCount, [&](int index) {
      ++calls[static_cast<std::size_t>(index)];
      if (index % 50 == 0) {
        fibers::Yield();
      }
    });
    ParallelFor(5, 5, [&](int /*index*/) { ++calls[0]; });
  });
  EXPECT_EQ(std::ranges::count(calls, 1), kCount);
}

TEST_P(ForkJoins, CallTheBodyOfALoopForAllIndicesOfTheirType) {
  std::array<int, 256> calls{};
  InFiber([&] {
    ParallelFor(std::int8_t{-128}, std::int8_t{127},
                [&](std::int8_t index) { ++calls[static_cast<std::size_t>(index + 128)]; });
  });
  EXPECT_EQ(std::ranges::count(calls, 1), 255);
  EXPECT_EQ(calls[255], 0);
}

TEST_P(ForkJoins, LetTheIterationsOfALoopWaitForLaterOnes) {
  for (const std::size_t count : {2U, 9U, 10U, 11U, 40U}) {
    std::vector<fibers::Event> is_made(count);
    std::size_t calls = 0;
    InFiber([&] {
      ParallelFor(std::size_t{0}, count, [&](std::size_t index) {
        if (index + 1 < count) {
          is_made[index + 1].Wait();
        }
        ++calls;  // one after the other, from the last one
        is_made[index].Fire();
      });
    });
    EXPECT_EQ(calls, count);
  }
}

TEST_P(ForkJoins, ThrowTheExceptionOfTheSmallestIndexAfterAllIterations) {
  for (const int count : {2, 10, 35}) {
    for (const int first : {0, 1, count / 2, count - 1}) {
      std::vector<char> was_called(static_cast<std::size_t>(count));
      std::string caught;
      InFiber([&] {
        try {
          ParallelFor(0, count, [&](int index) {
            was_called[static_cast<std::size_t>(index)] = 1;
            if (index % 3 == 1) {
              fibers::Yield();
            }
            if (index >= first) {
              throw std::runtime_error(std::to_string(index));
            }
          });
        } catch (const std::runtime_error& error) {
          caught = error.what();
        }
      });
      EXPECT_EQ(caught, std::to_string(first)) << "of " << count;
      EXPECT_EQ(std::ranges::count(was_called, 1), count) << "from " << first;
    }
  }
}

TEST_P(ForkJoins, HaveAScopeForAnyNumberOfCalls) {
  int sum = 0;
  InFiber([&] {
    TaskScope scope;
    const auto one = scope.Fork([] { return 1; });
    const auto two = scope.Fork([] {
      fibers::Yield();
      return 2;
    });
    fibers::Yield();
    const auto four = scope.Fork([] {
      TaskScope inner;
      const auto three = inner.Fork([] { return 3; });
      inner.Join();
      return three.Get() + 1;
    });
    scope.Join();
    sum = one.Get() + two.Get() + four.Get();
  });
  EXPECT_EQ(sum, 7);
}

TEST_P(ForkJoins, ThrowTheFirstExceptionOfAScopeAfterAllCalls) {
  std::string caught;
  int calls = 0;
  InFiber([&] {
    TaskScope scope;
    const auto fork = [&](const char* text) {
      return [&calls, text] {
        ++calls;
        throw std::runtime_error(text);
      };
    };
    const auto first = scope.Fork(fork("first"));
    // Not at the same time as the first: both count.
    try {
      scope.Join();
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
  });
  EXPECT_EQ(caught, "first");
  EXPECT_EQ(calls, 1);
}

TEST_P(ForkJoins, AreJoinedByTheEndOfTheirScope) {
  bool called = false;
  InFiber([&] {
    {
      TaskScope scope;
      const auto forked = scope.Fork([&] { called = true; });
    }
    EXPECT_TRUE(called);
  });
}

TEST_P(ForkJoins, UseAllWorkers) {
  constexpr int kRounds = PlainOrSanitized(100, 20);
  for (int round = 0; round < kRounds; ++round) {
    ThreadBarrier barrier(Workers());
    InFiber([&] {
      ParallelFor(std::uint32_t{0}, Workers(),
                  [&](std::uint32_t /*index*/) { barrier.ArriveAndWait(); });
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ForkJoins,
                         testing::ValuesIn(EveryCase({1U, 4U}, {1U, 2U, 4U, 16U})), CaseName);

}  // namespace

}  // namespace schedbench::tests::fork_join_test
