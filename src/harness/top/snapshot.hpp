#pragma once

#include "harness/top/reading.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace schedbench::harness {

// The actions of a worker in an interval, per second.
struct TopWorkerRates {
  double switches = 0;
  std::optional<double> steals;
  std::optional<double> parks;
  std::optional<double> system_calls;
  std::optional<double> busy;  // share of the interval
};

// The state at the end of an interval, and what happened in it.
struct TopSnapshot {
  TopReading now;
  double seconds = 0;                 // from the first reading to this one
  std::vector<TopWorkerRates> rates;  // rates of each worker of `now`

  // Returns the tasks in the local queues.
  std::uint64_t LocalTasks() const;
  // Returns the sum over the workers, per second.
  double Switches() const;
  // Returns the mean over the workers; none where no worker reports it.
  std::optional<double> Busy() const;
};

// Makes a snapshot of two readings of one source. `start_ns`: time of the first reading. A worker
// that only the later reading has counts from zero.
TopSnapshot SnapshotBetween(const TopReading& earlier, TopReading later, std::uint64_t start_ns);

// The last snapshots, as the plots show them.
class TopHistory {
 public:
  static constexpr std::size_t kMost = 1024;  // the number of dots of the widest plot

  // Adds a snapshot; the oldest one is dropped where there are kMost.
  void Add(const TopSnapshot& snapshot) {
    Append(queued_, static_cast<double>(snapshot.now.global_queue + snapshot.LocalTasks()));
    Append(switches_, snapshot.Switches());
  }

  // Returns the tasks in all queues, the oldest value first.
  const std::deque<double>& Queued() const {
    return queued_;
  }
  // Returns the switches per second of all workers, the oldest value first.
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
