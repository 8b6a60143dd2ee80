#pragma once

#include "base/random.hpp"

#include <cstdint>

namespace schedbench::platform {

// The parameters of random stops of workers.
struct Stalls {
  double share;  // share of the time, above 0 and below 1
  // Length of each stop. The kernel may add its timer slack; then there are fewer stops.
  std::uint64_t stall_ns;
};

// Stops each worker thread that starts from now on at random moments: it sleeps in the kernel,
// perhaps with a lock, as if the system had taken its CPU. The times between stops are independent,
// exponential, and different in each process. One thread calls it before the workers start. Throws
// std::runtime_error if the system permits no timers.
void StallWorkers(const Stalls& stalls);

// Returns the total time for which workers were stopped so far. Any thread.
std::uint64_t StalledNs() noexcept;

// Stops the calling thread for a scope as StallWorkers() demands; without that it has no effect. A
// timer of the system interrupts the thread by SIGRTMIN, and the handler sleeps.
class WorkerStalls {
 public:
  // Calls FailRun() if the system permits no more timers.
  WorkerStalls();
  ~WorkerStalls();

  WorkerStalls(const WorkerStalls&) = delete;
  WorkerStalls& operator=(const WorkerStalls&) = delete;

 private:
  static void OnSignal(int signal, void* info) noexcept;
  // `stalled_ns`: the real length of the last stop.
  void ArmNext(std::uint64_t stalled_ns) noexcept;

  // The thread and its handler, which does not interrupt itself, write it.
  QuickRandom random_;
  void* timer_ = nullptr;
  bool has_timer_ = false;
};

}  // namespace schedbench::platform
