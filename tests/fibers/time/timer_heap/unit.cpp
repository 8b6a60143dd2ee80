#include "fibers/time/timer_heap.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace schedbench::fibers {

namespace {

TEST(TimerHeap, GivesTheEarliestFirstWhateverWasTakenOutOfTheMiddle) {
  std::mt19937_64 random(tests::Seed());
  for (int round = 0; round < 200; ++round) {
    TimerHeap heap;
    std::vector<TimerNode> nodes(1 + random() % 100);
    for (TimerNode& node : nodes) {
      node.due_ns = random() % 50;
      heap.Push(node);
      EXPECT_TRUE(node.IsInHeap());
    }
    std::vector<std::uint64_t> expected;
    for (TimerNode& node : nodes) {
      if (random() % 3 == 0) {
        heap.Remove(node);
        EXPECT_FALSE(node.IsInHeap());
      } else {
        expected.push_back(node.due_ns);
      }
    }
    std::ranges::sort(expected);
    ASSERT_EQ(heap.Size(), expected.size());
    for (const std::uint64_t due : expected) {
      ASSERT_EQ(heap.EarliestNs(), due);
      ASSERT_EQ(heap.Earliest()->due_ns, due);
      heap.Remove(*heap.Earliest());
    }
    ASSERT_TRUE(heap.IsEmpty());
  }
}

}  // namespace

}  // namespace schedbench::fibers
