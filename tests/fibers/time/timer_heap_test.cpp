#include "fibers/time/timer_heap.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace schedbench::fibers::timer_heap_test {

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

TEST(TimerHeap, KeepsItsOrderWhenManyAreTakenOutAtOnce) {
  std::mt19937_64 random(tests::Seed());
  for (int round = 0; round < 200; ++round) {
    TimerHeap heap;
    std::vector<TimerNode> nodes(1 + random() % 100);
    for (TimerNode& node : nodes) {
      node.due_ns = random() % 50;
      heap.Push(node);
    }
    const std::uint64_t odd = random() % 3;
    const auto is_gone = [odd](const TimerNode* node) { return node->due_ns % 3 == odd; };
    heap.RemoveIf(is_gone);
    std::vector<std::uint64_t> expected;
    for (const TimerNode& node : nodes) {
      ASSERT_EQ(node.IsInHeap(), !is_gone(&node));
      if (node.IsInHeap()) {
        expected.push_back(node.due_ns);
      }
    }
    std::ranges::sort(expected);
    // From the middle too: each knows its place.
    for (TimerNode& node : nodes) {
      if (node.IsInHeap() && node.due_ns % 2 == 1) {
        expected.erase(std::ranges::find(expected, node.due_ns));
        heap.Remove(node);
      }
    }
    for (const std::uint64_t due : expected) {
      ASSERT_EQ(heap.EarliestNs(), due);
      heap.Remove(*heap.Earliest());
    }
    ASSERT_TRUE(heap.IsEmpty());
  }
}

}  // namespace

}  // namespace schedbench::fibers::timer_heap_test
