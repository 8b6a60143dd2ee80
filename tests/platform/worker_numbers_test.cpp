#include "platform/threads/worker_numbers.hpp"

#include <gtest/gtest.h>

namespace schedbench::platform::worker_numbers_test {

namespace {

TEST(WorkerNumbers, AreThoseOfTheNames) {
  WorkerNumbers numbers;
  EXPECT_EQ(numbers.Take("fast-3", 100), 3u);
  EXPECT_EQ(numbers.Take("fast-0", 101), 0u);
  EXPECT_EQ(numbers.Take("other-3", 102), 3u) << "two schedulers may have the same";
}

TEST(WorkerNumbers, OfThreadsWithoutOneInTheNameAreTheLowestThatAreFree) {
  WorkerNumbers numbers;
  EXPECT_EQ(numbers.Take("fast-1", 100), 1u);
  EXPECT_EQ(numbers.Take("task", 101), 0u);
  EXPECT_EQ(numbers.Take("task", 102), 2u);
  numbers.Release(101);
  EXPECT_EQ(numbers.Take("task", 103), 0u);
  numbers.Release(100);
  numbers.Release(100);
  EXPECT_EQ(numbers.Take("task", 104), 1u);
}

TEST(WorkerNumbers, StayTakenWhileOneOfTwoThreadsHasThem) {
  WorkerNumbers numbers;
  EXPECT_EQ(numbers.Take("a-0", 100), 0u);
  EXPECT_EQ(numbers.Take("b-0", 101), 0u);
  numbers.Release(100);
  EXPECT_EQ(numbers.Take("task", 102), 1u);
}

}  // namespace

}  // namespace schedbench::platform::worker_numbers_test
