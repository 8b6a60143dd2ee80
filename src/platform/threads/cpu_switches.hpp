#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::platform {

// A time in which a thread had no CPU, on the monotonic clock.
struct OffCpu {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  bool preempted =
      false;  // it could have run, and another thread had the CPU; else it waited in the kernel

  bool operator==(const OffCpu&) const = default;
};

// Records when the kernel takes the CPU from a thread of this process and when it gives it back: the context switches of
// perf_event_open(2), which need no root for own threads. Keeps the last ones, as a flight recorder does. Costs the thread
// some 100 ns a switch. Used by one thread at a time, any.
class CpuSwitches {
 public:
  // What is known after Stop().
  struct Log {
    std::vector<OffCpu> times{};         // in their order
    std::uint64_t complete_from_ns = 0;  // before it, times were overwritten; 0: none were
  };

  // Room for 10,000 switches. Users may lock 516 KB for each CPU (kernel.perf_event_mlock_kb).
  static constexpr std::size_t kMostPages = 64;

  // Returns a recorder that has not begun, with a ring of `pages`, a power of two, or fewer where the kernel allows no more.
  // Null where the kernel refuses, and why in `refusal`.
  static std::unique_ptr<CpuSwitches> Open(int thread, std::string& refusal,
                                           std::size_t pages = kMostPages);
  ~CpuSwitches();

  CpuSwitches(const CpuSwitches&) = delete;
  CpuSwitches& operator=(const CpuSwitches&) = delete;

  // Records from now on.
  void Begin() noexcept;

  // Ends the recording and returns it. The thread may have ended.
  Log Stop();

 private:
  CpuSwitches() = default;

  int event_ = -1;
  void* memory_ = nullptr;  // the kernel's page with the position, then its ring
  std::size_t ring_bytes_ = 0;
};

}  // namespace schedbench::platform
