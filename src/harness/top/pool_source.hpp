#pragma once

#include "harness/plan.hpp"
#include "harness/top/reading.hpp"
#include "harness/watch_point.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::harness {

// Repeats the rounds of a plan on one thread, and reads the scheduler from another one meanwhile.
class PoolSource {
 public:
  // Does rounds without end, or a number of them. Returns what was wrong with one, or "" after the last. Throws as a Session does.
  std::string Run(const RunPlan& plan, std::optional<std::uint32_t> rounds, WatchPoint& watch);

  // Reads the scheduler; none before it is made and after its end. Takes some ten microseconds: a worker's state follows from
  // what its counters do meanwhile. Any thread.
  std::optional<TopReading> Read() const;

 private:
  void Show(const registry::IScheduler* scheduler);
  void EndRound(std::uint64_t operations, std::uint64_t wall_ns);

  mutable platform::Mutex
      mutex_;  // held while the scheduler is read, so that it does not end meanwhile
  const registry::IScheduler* scheduler_ = nullptr;  // guarded by mutex_
  std::uint64_t rounds_ = 0;                         // guarded by mutex_
  std::optional<double> throughput_;                 // guarded by mutex_
};

}  // namespace schedbench::harness
