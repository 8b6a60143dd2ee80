#include "metrics/counter.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace schedbench::metrics::counter_test {

namespace {

using TestCounter = Counter<"apples", "pieces", Aggregation::kMax, "Apples picked">;

TEST(Counter, DescribesItselfAsDeclared) {
  EXPECT_EQ(TestCounter::kName, "apples");
  EXPECT_EQ(TestCounter::kUnit, "pieces");
  EXPECT_EQ(TestCounter::kAggregation, Aggregation::kMax);
  EXPECT_EQ(TestCounter::kDoc, "Apples picked");
}

TEST(Counter, CountsByOneOrByMany) {
  TestCounter counter;
  EXPECT_EQ(counter.Get(), 0U);
  counter.Add();
  counter.Add(41);
  counter.AddRelease();
  EXPECT_EQ(counter.Get(), 43U);
  EXPECT_EQ(counter.GetAcquire(), 43U);
}

TEST(Counter, IsCopiedAsASnapshot) {
  TestCounter counter;
  counter.Add(5);
  const TestCounter copy(counter);
  counter.Add(1);
  EXPECT_EQ(copy.Get(), 5U);
}

TEST(Counter, IsReadByOthersWhileItsOwnerCounts) {
  constexpr std::uint64_t kCount = 100000;
  TestCounter counter;
  std::jthread owner([&] {
    for (std::uint64_t i = 0; i < kCount; ++i) {
      counter.Add();
    }
  });
  std::uint64_t last = 0;
  while (last < kCount) {
    const std::uint64_t now = counter.Get();
    ASSERT_GE(now, last);
    last = now;
  }
  owner.join();
  EXPECT_EQ(counter.Get(), kCount);
}

TEST(Counter, ShowsAReaderOfAReleasedCountWhatCameBeforeIt) {
  TestCounter counter;
  int value = 0;  // plain: the counter must order it
  std::jthread owner([&] {
    value = 42;
    counter.AddRelease();
  });
  while (counter.GetAcquire() == 0) {
    std::this_thread::yield();
  }
  EXPECT_EQ(value, 42);
}

}  // namespace

}  // namespace schedbench::metrics::counter_test
