#include "futures/combine.hpp"

#include "executors/manual_executor.hpp"
#include "futures/submit.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::futures::combine_test {

namespace {

using executors::ManualExecutor;

// Promises of ints, and their futures.
struct Promises {
  explicit Promises(int count) {
    for (int i = 0; i < count; ++i) {
      auto contract = MakeContract<int>();
      futures.push_back(std::move(contract.future));
      promises.push_back(std::move(contract.promise));
    }
  }

  void Give(std::size_t i, int value) {
    promises[i].Set(Result<int>(value));
  }

  void Fail(std::size_t i, const char* what) {
    promises[i].Set(Result<int>(std::make_exception_ptr(std::runtime_error(what))));
  }

  std::vector<Future<int>> futures;
  std::vector<Promise<int>> promises;
};

template <typename T>
std::string ErrorOf(Future<T> future) {
  try {
    std::move(future).Get();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(All, GivesAllValuesInTheirOrderWhenTheLastIsThere) {
  Promises three(3);
  Future<std::vector<int>> all = All(std::move(three.futures));
  three.Give(2, 30);
  three.Give(0, 10);
  EXPECT_FALSE(all.IsReady());
  three.Give(1, 20);
  EXPECT_TRUE(all.IsReady());
  EXPECT_EQ(std::move(all).Get(), (std::vector{10, 20, 30}));
}

TEST(All, TakesFuturesThatAreReadyAlready) {
  Promises two(2);
  two.Give(0, 1);
  two.Give(1, 2);
  EXPECT_EQ(All(std::move(two.futures)).Get(), (std::vector{1, 2}));
}

TEST(All, OfNoneIsReadyAtOnce) {
  EXPECT_TRUE(All(std::vector<Future<int>>{}).Get().empty());
  All(std::vector<Future<void>>{}).Get();
}

TEST(All, GivesTheFirstErrorInTheOrderOfTheFuturesAfterAllAreDone) {
  Promises three(3);
  auto all = All(std::move(three.futures));
  three.Fail(2, "c");
  three.Fail(1, "b");
  EXPECT_FALSE(all.IsReady());
  three.Give(0, 0);
  EXPECT_EQ(ErrorOf(std::move(all)), "b");
}

TEST(All, OfNothingsIsDoneWhenAllAre) {
  ManualExecutor manual;
  int runs = 0;
  std::vector<Future<void>> futures;
  for (int i = 0; i < 10; ++i) {
    futures.push_back(futures::Submit(manual, [&] { ++runs; }));
  }
  auto all = All(std::move(futures));
  manual.Drain();
  std::move(all).Get();
  EXPECT_EQ(runs, 10);
}

TEST(First, GivesTheFirstValueAndForgetsTheRest) {
  Promises three(3);
  auto first = First(std::move(three.futures));
  three.Fail(0, "a");
  EXPECT_FALSE(first.IsReady());
  three.Give(2, 30);
  EXPECT_EQ(std::move(first).Get(), 30);
  three.Fail(1, "b");
}

TEST(First, GivesTheLastErrorWhereAllFail) {
  Promises two(2);
  auto first = First(std::move(two.futures));
  two.Fail(1, "b");
  two.Fail(0, "a");
  EXPECT_EQ(ErrorOf(std::move(first)), "a");
}

TEST(First, TakesAFutureThatIsReadyAlready) {
  Promises two(2);
  two.Give(1, 2);
  auto first = First(std::move(two.futures));
  EXPECT_EQ(std::move(first).Get(), 2);
  two.Give(0, 1);
}

TEST(First, MayBeDroppedBeforeAndAfterItIsDecided) {
  for (const bool before : {false, true}) {
    Promises two(2);
    auto first = First(std::move(two.futures));
    if (before) {
      std::move(first).Detach();
      two.Give(0, 1);
    } else {
      two.Give(0, 1);
      std::move(first).Detach();
    }
    two.Give(1, 1);
  }
}

TEST(FirstDeathTest, RefusesNone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(static_cast<void>(First(std::vector<Future<int>>{})), "first of nothing");
}

}  // namespace

}  // namespace schedbench::futures::combine_test
