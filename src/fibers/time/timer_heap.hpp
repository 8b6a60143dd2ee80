#pragma once

#include "base/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace schedbench::fibers {

// An element of a TimerHeap, with its index there.
struct TimerNode {
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  std::uint64_t due_ns = 0;
  std::size_t place = kNowhere;

  // Returns whether a heap holds the node. The lock of the heap guards this.
  bool IsInHeap() const noexcept {
    return place != kNowhere;
  }
};

// Timers ordered by due time. The earliest is found at once; each enters and leaves in O(log n).
// Each node has four children, which share a cache line, and the heap is half as high as a binary
// one. The times lie next to the pointers, so comparing does not touch the timers, which are on
// fibers' stacks. Allocates only to grow. Not thread-safe.
class TimerHeap {
 public:
  // Returns whether there is no timer.
  bool IsEmpty() const noexcept {
    return entries_.empty();
  }

  // Returns the number of timers.
  std::size_t Size() const noexcept {
    return entries_.size();
  }

  // Returns the earliest due time in nanoseconds of platform::NowNs(). Requires: not empty.
  std::uint64_t EarliestNs() const noexcept {
    return entries_.front().due_ns;
  }

  // Returns the earliest timer and leaves it in. Requires: not empty.
  TimerNode* Earliest() const noexcept {
    return entries_.front().node;
  }

  // Adds `node`. Requires: no heap holds it. Ends the run if there is not enough memory.
  void Push(TimerNode& node) noexcept {
    try {
      entries_.push_back({.due_ns = node.due_ns, .node = &node});
    } catch (const std::bad_alloc&) {
      FailRun("no memory for timers", FailureKind::kLimit);
    }
    SiftUp(entries_.size() - 1);
  }

  // Takes out `node`. Requires: it is in this heap.
  void Remove(TimerNode& node) noexcept {
    const std::size_t hole = std::exchange(node.place, TimerNode::kNowhere);
    const Entry last = entries_.back();
    entries_.pop_back();
    if (hole == entries_.size()) {
      return;
    }
    Put(hole, last);
    if (hole > 0 && last.due_ns < entries_[Parent(hole)].due_ns) {
      SiftUp(hole);
    } else {
      SiftDown(hole);
    }
  }

  // Takes out all nodes for which `is_gone(const TimerNode*)` is true, in one pass.
  template <typename IsGone>
  void RemoveIf(IsGone is_gone) noexcept {
    const std::size_t removed = std::erase_if(entries_, [&](const Entry& entry) {
      const bool gone = is_gone(entry.node);
      if (gone) {
        entry.node->place = TimerNode::kNowhere;
      }
      return gone;
    });
    if (removed == 0) {
      return;
    }
    // Nodes without children are in order already; parents follow from the last one to the root.
    for (std::size_t place = entries_.size(); place > 0; --place) {
      SiftDown(place - 1);
    }
  }

 private:
  static constexpr std::size_t kChildren = 4;

  struct Entry {
    std::uint64_t due_ns;
    TimerNode* node;
  };

  static std::size_t Parent(std::size_t place) noexcept {
    return (place - 1) / kChildren;
  }

  void Put(std::size_t place, Entry entry) noexcept {
    entries_[place] = entry;
    entry.node->place = place;
  }

  void SiftUp(std::size_t place) noexcept {
    const Entry entry = entries_[place];
    while (place > 0 && entry.due_ns < entries_[Parent(place)].due_ns) {
      Put(place, entries_[Parent(place)]);
      place = Parent(place);
    }
    Put(place, entry);
  }

  void SiftDown(std::size_t place) noexcept {
    const Entry entry = entries_[place];
    for (;;) {
      const std::size_t first = place * kChildren + 1;
      const std::size_t end =
          first + kChildren < entries_.size() ? first + kChildren : entries_.size();
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        least = entries_[child].due_ns < entries_[least].due_ns ? child : least;
      }
      if (first >= end || entries_[least].due_ns >= entry.due_ns) {
        break;
      }
      Put(place, entries_[least]);
      place = least;
    }
    Put(place, entry);
  }

  std::vector<Entry> entries_;
};

}  // namespace schedbench::fibers
