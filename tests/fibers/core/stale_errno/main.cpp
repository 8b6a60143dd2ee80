#include "base/attributes.hpp"
#include "tests/fibers/core/stale_errno/probe.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace schedbench::tests {

namespace {

TEST(StaleErrno, IsNeverSeenThroughTheAccessorsHoweverTheCodeIsLinked) {
  const StaleCounts counts = CountStaleReads();
  std::printf(
      "%llu reads, %llu changes of thread; stale: %llu errno, %llu pointer; a plain errno: %llu\n",
      static_cast<unsigned long long>(counts.reads),
      static_cast<unsigned long long>(counts.migrations),
      static_cast<unsigned long long>(counts.stale_errno),
      static_cast<unsigned long long>(counts.stale_pointer),
      static_cast<unsigned long long>(counts.stale_naive));
  EXPECT_EQ(counts.reads, 20000);
  EXPECT_EQ(counts.migrations, counts.reads) << "the fiber did not change threads each time";
  EXPECT_EQ(counts.stale_errno, 0);
  EXPECT_EQ(counts.stale_pointer, 0);
#if !defined(SB_ASAN) && !defined(SB_TSAN)
  // The control: a compiler that optimises keeps the address of a plain errno over a switch.
  EXPECT_GT(counts.stale_naive, 0)
      << "there is nothing to guard against: the zeros above say nothing";
#endif
}

TEST(CallOverSwitch, WorksHoweverTheCodeThatWaitsIsLinked) {
  EXPECT_EQ(SumOfReceived(1000), 499500);
}

}  // namespace

}  // namespace schedbench::tests
