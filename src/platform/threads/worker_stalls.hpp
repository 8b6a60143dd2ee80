#pragma once

#include "base/random.hpp"

#include <cstdint>

namespace schedbench::platform {

// How workers are stopped at random.
struct Stalls {
  double share;  // of the time, above 0 and below 1
  std::uint64_t
      stall_ns;  // each; the kernel may add its timer slack, and the stalls then are fewer
};

// From now on each worker thread that starts is stopped at random moments: it sleeps in the kernel, whatever it holds, as if the
// system had taken its CPU. The times between stops are independent and exponential, and differ from process to process. One
// thread, before the workers start. Throws std::runtime_error where the system permits no timers.
void StallWorkers(const Stalls& stalls);

// How long workers were stopped so far, together. Any thread.
std::uint64_t StalledNs() noexcept;

// Stops the calling thread as StallWorkers() says, from construction to the end of the scope; without it, nothing. A timer of the
// system interrupts the thread by SIGRTMIN, and the handler sleeps.
class WorkerStalls {
 public:
  // FailRun() where the system permits no more timers.
  WorkerStalls();
  ~WorkerStalls();

  WorkerStalls(const WorkerStalls&) = delete;
  WorkerStalls& operator=(const WorkerStalls&) = delete;

 private:
  static void OnSignal(int signal, void* info) noexcept;
  // `stalled_ns`: how long the stop before it really was.
  void ArmNext(std::uint64_t stalled_ns) noexcept;

  // Written by the thread and by its handler, which does not interrupt itself.
  QuickRandom random_;
  void* timer_ = nullptr;
  bool has_timer_ = false;
};

}  // namespace schedbench::platform
