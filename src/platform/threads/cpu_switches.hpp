#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::platform {

// A time in which a thread did not have a CPU, on the monotonic clock.
struct OffCpu {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  // Another thread had the CPU while it could have run; otherwise it waited in the kernel.
  bool preempted = false;

  bool operator==(const OffCpu&) const = default;
};

// Records when the kernel takes the CPU from a thread of this process and returns it: the context
// switches of perf_event_open(2), which need no root for own threads. Keeps the last ones, like a
// flight recorder. Costs the thread some 100 ns per switch. One thread at a time uses it.
class CpuSwitches {
 public:
  // The result of Stop().
  struct Log {
    std::vector<OffCpu> times{};         // in their order
    std::uint64_t complete_from_ns = 0;  // earlier times were overwritten; 0 if none were
  };

  // Room for 10,000 switches. Users may lock 516 KB per CPU (kernel.perf_event_mlock_kb).
  static constexpr std::size_t kMostPages = 64;

  // Returns a stopped recorder with a ring of `pages`, a power of two, or fewer if the kernel
  // allows only that. Returns null and the reason in `refusal` if the kernel refuses.
  static std::unique_ptr<CpuSwitches> Open(int thread, std::string& refusal,
                                           std::size_t pages = kMostPages);
  ~CpuSwitches();

  CpuSwitches(const CpuSwitches&) = delete;
  CpuSwitches& operator=(const CpuSwitches&) = delete;

  // Starts recording.
  void Begin() noexcept;

  // Ends the recording and returns it. The thread may have ended.
  Log Stop();

 private:
  CpuSwitches() = default;

  int event_ = -1;
  void* memory_ = nullptr;  // the kernel's page with the position, followed by its ring
  std::size_t ring_bytes_ = 0;
};

}  // namespace schedbench::platform
