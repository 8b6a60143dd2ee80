#pragma once

#include "harness/top/snapshot.hpp"

#include <cstddef>
#include <deque>

namespace schedbench::harness {

// The last snapshots, as the plots show them.
class TopHistory {
 public:
  // The number of dots of the widest plot.
  static constexpr std::size_t kMost = 1024;

  // Adds a snapshot; the oldest one goes where there are kMost.
  void Add(const TopSnapshot& snapshot) {
    Append(queued_, static_cast<double>(snapshot.now.global_queue + snapshot.LocalTasks()));
    Append(switches_, snapshot.Switches());
  }

  // Tasks in all queues, the oldest first.
  const std::deque<double>& Queued() const {
    return queued_;
  }
  // Switches per second of all workers, the oldest first.
  const std::deque<double>& Switches() const {
    return switches_;
  }

 private:
  static void Append(std::deque<double>& values, double value) {
    values.push_back(value);
    if (values.size() > kMost) {
      values.pop_front();
    }
  }

  std::deque<double> queued_;
  std::deque<double> switches_;
};

}  // namespace schedbench::harness
