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

// Repeats the rounds of a plan on one thread while another one reads the scheduler.
class PoolSource {
 public:
  // Does `rounds` rounds, or rounds without end. Returns what was wrong with one, or "" after the
  // last. Throws what a Session throws.
  std::string Run(const RunPlan& plan, std::optional<std::uint32_t> rounds, WatchPoint& watch);

  // Reads the scheduler; none before it is made and after its end. A worker's state follows from
  // its counters during some ten microseconds. Any thread may call it.
  std::optional<TopReading> Read() const;

 private:
  void Show(const registry::IScheduler* scheduler);
  void EndRound(std::uint64_t operations, std::uint64_t wall_ns);

  // Held while the scheduler is read, so that it does not end during it.
  mutable platform::Mutex mutex_;
  const registry::IScheduler* scheduler_ = nullptr;  // guarded by mutex_
  std::uint64_t rounds_ = 0;                         // guarded by mutex_
  std::optional<double> throughput_;                 // guarded by mutex_
};

}  // namespace schedbench::harness
