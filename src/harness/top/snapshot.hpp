#pragma once

#include "harness/top/reading.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::harness {

// What a worker did in an interval, per second.
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
  std::vector<TopWorkerRates> rates;  // of each worker of `now`

  // Sum of the local queues.
  std::uint64_t LocalTasks() const;
  // Sum over the workers, per second.
  double Switches() const;
  // Mean over the workers; none where no worker reports it.
  std::optional<double> Busy() const;
};

// Makes a snapshot of two readings of the same source. `start_ns`: time of the first reading. A worker that only the later
// one has counts from zero.
TopSnapshot SnapshotBetween(const TopReading& earlier, TopReading later, std::uint64_t start_ns);

}  // namespace schedbench::harness
