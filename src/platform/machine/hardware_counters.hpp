#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::platform {

// CPU counters of the thread that makes the object and of all threads that it and they start later,
// in user mode (perf_event_open(2), which needs no root for own threads). Many virtual machines do
// not have any. One thread uses it.
class HardwareCounters {
 public:
  struct Values {
    std::optional<std::uint64_t> instructions{};
    // Misses of the last level, by the kernel's definition for this CPU.
    std::optional<std::uint64_t> cache_misses{};
  };

  HardwareCounters();
  ~HardwareCounters();

  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  // Returns the counts so far; nothing for a counter that the CPU lacks or the kernel refuses. If
  // counters take turns on the CPU, the counts are estimates for the whole time.
  Values Read() const;

  // Returns "perf_event_open: No such file or directory", or "" if all counters work.
  const std::string& Refusal() const {
    return refusal_;
  }

 private:
  std::array<int, 2> events_{-1, -1};  // in the order of Values
  std::string refusal_;
};

}  // namespace schedbench::platform
