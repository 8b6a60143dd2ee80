// Exceptions in flight belong to the call stack: a fiber keeps them when it yields.
#include "base/failure.hpp"
#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/serving_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace schedbench::fibers::exceptions_test {

namespace {

using executors::ManualExecutor;
using tests::ServingExecutor;

std::string TextOfCurrent() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Catches an exception of its own, yields inside the catch block, and rethrows it.
void CatchAndYield(const std::string& text, int& wrong) {
  try {
    throw std::runtime_error(text);
  } catch (const std::runtime_error&) {
    const std::exception_ptr before = std::current_exception();
    Yield();
    wrong += std::current_exception() == before ? 0 : 1;
    wrong += TextOfCurrent() == text ? 0 : 1;
    try {
      throw std::logic_error("inner " + text);
    } catch (const std::logic_error&) {
      Yield();
      wrong += TextOfCurrent() == "inner " + text ? 0 : 1;
    }
    Yield();
    wrong += TextOfCurrent() == text ? 0 : 1;
    wrong += std::uncaught_exceptions() == 0 ? 0 : 1;
  }
  wrong += std::current_exception() == nullptr ? 0 : 1;
}

// Yields in the middle of unwinding.
class YieldsInDestructor {
 public:
  explicit YieldsInDestructor(int& wrong)
      : wrong_(wrong) {
  }

  ~YieldsInDestructor() {
    wrong_ += std::uncaught_exceptions() == 1 ? 0 : 1;
    Yield();
    wrong_ += std::uncaught_exceptions() == 1 ? 0 : 1;
  }

 private:
  int& wrong_;
};

void UnwindAndYield(const std::string& text, int& wrong) {
  try {
    const YieldsInDestructor yields(wrong);
    throw std::runtime_error(text);
  } catch (const std::runtime_error& error) {
    wrong += error.what() == text ? 0 : 1;
    wrong += std::uncaught_exceptions() == 0 ? 0 : 1;
  }
}

void DoNothingWithExceptions(int& wrong) {
  for (int i = 0; i < 4; ++i) {
    wrong += std::uncaught_exceptions() == 0 && std::current_exception() == nullptr ? 0 : 1;
    Yield();
  }
}

int RunAll(executors::IExecutor& executor, const std::function<void()>& run) {
  // One count each: fibers of several workers.
  std::vector<int> wrong(30, 0);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Go(executor, [&wrong, i] {
      const std::string text = "exception of fiber " + std::to_string(i);
      switch (i % 3) {
        case 0:
          CatchAndYield(text, wrong[i]);
          break;
        case 1:
          UnwindAndYield(text, wrong[i]);
          break;
        default:
          DoNothingWithExceptions(wrong[i]);
      }
    });
  }
  run();
  int total = 0;
  for (const int each : wrong) {
    total += each;
  }
  return total;
}

TEST(Exceptions, StayWithTheirFiberWhenRunByHand) {
  ManualExecutor executor;
  EXPECT_EQ(RunAll(executor, [&] { executor.Drain(); }), 0);
}

TEST(Exceptions, StayWithTheirFiberWhenServed) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  EXPECT_EQ(RunAll(executor, [&] { executor.RunUntilEmpty(); }), 0);
}

TEST(Exceptions, StayWithTheirFiberOnEveryScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    for (int round = 0; round < tests::PlainOrSanitized(50, 10); ++round) {
      ASSERT_EQ(RunAll(*scheduler, [&] { scheduler->WaitIdle(); }), 0) << name;
    }
  }
}

TEST(Exceptions, MoveWithTheirFiberToAnotherThread) {
  ManualExecutor executor;
  int wrong = 0;
  Go(executor, [&] {
    CatchAndYield("one", wrong);
    UnwindAndYield("two", wrong);
  });
  bool left = true;
  while (left) {
    executor.RunNext();
    EXPECT_EQ(std::current_exception(), nullptr);
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    std::thread([&] {
      left = executor.RunNext();
      EXPECT_EQ(std::current_exception(), nullptr);
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    }).join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Exceptions, OfTheHostAreNotSeenByTheFiberAndStayWithTheHost) {
  ManualExecutor executor;
  int wrong = 0;
  Go(executor, [&] {
    DoNothingWithExceptions(wrong);
    CatchAndYield("of the fiber", wrong);
  });
  try {
    throw std::runtime_error("of the host");
  } catch (const std::runtime_error&) {
    while (executor.RunNext()) {
      EXPECT_EQ(TextOfCurrent(), "of the host");
    }
  }
  EXPECT_EQ(std::current_exception(), nullptr);
  EXPECT_EQ(wrong, 0);
}

TEST(Exceptions, OfAThreadThatServesAreNotSeenByFibers) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  int wrong = 0;
  Go(executor, [&] { DoNothingWithExceptions(wrong); });
  try {
    throw std::runtime_error("of the thread");
  } catch (const std::runtime_error&) {
    executor.RunUntilEmpty();
    EXPECT_EQ(TextOfCurrent(), "of the thread");
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Exceptions, HandedFromFiberToFiberKeepTheirText) {
  // The object outlives the stack that it was thrown on.
  ManualExecutor executor;
  std::exception_ptr passed;
  Go(executor, [&] {
    try {
      throw std::runtime_error("passed on");
    } catch (...) {
      passed = std::current_exception();
    }
  });
  executor.Drain();
  std::string text;
  Go(executor, [&] {
    try {
      Yield();
      std::rethrow_exception(passed);
    } catch (const std::exception& error) {
      Yield();
      text = error.what();
    }
  });
  executor.Drain();
  EXPECT_EQ(text, "passed on");
}

// ---- Escaping ----

void ExitWithFour(std::string_view message, FailureKind /*kind*/) {
  std::fprintf(stderr, "handler: %.*s\n", static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
  std::_Exit(4);
}

// A user's program with a forgotten catch.
void LetEscape(const std::string& name, const std::function<void()>& throw_something) {
  SetFailureHandler(&ExitWithFour);
  const auto scheduler = tests::MakeScheduler("fast", 2);
  Go(*scheduler, throw_something, {.name = name, .hint = executors::SchedulerHint::UpToYou});
  scheduler->WaitIdle();
}

TEST(EscapedExceptionDeathTest, NamesTheFiberTheTypeAndTheText) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(LetEscape("reader", [] { throw std::runtime_error("no such file"); }),
              testing::ExitedWithCode(4),
              "handler: fiber [0-9]+ 'reader': an exception escaped: "
              "std::runtime_error: no such file");
}

TEST(EscapedExceptionDeathTest, NamesTheNumberOfAFiberWithoutAName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(LetEscape("",
                        [] {
                          Yield();
                          throw std::out_of_range("index 7");
                        }),
              testing::ExitedWithCode(4),
              "handler: fiber [0-9]+: an exception escaped: std::out_of_range: index 7");
}

TEST(EscapedExceptionDeathTest, NamesTheTypeOfAnyOtherThing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(LetEscape("thrower", [] { throw 42; }), testing::ExitedWithCode(4),
              "fiber [0-9]+ 'thrower': an exception escaped: int");
}

TEST(EscapedExceptionDeathTest, AbortsWithoutAHandler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto let_escape = [] {
    ManualExecutor executor;
    Go(executor, [] { throw std::runtime_error("boom"); });
    executor.Drain();
  };
  EXPECT_DEATH(let_escape(), "error: fiber [0-9]+: an exception escaped: .*boom");
}

}  // namespace

}  // namespace schedbench::fibers::exceptions_test
