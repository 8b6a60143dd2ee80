#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::platform {

// Counters of the CPU, of the thread that makes the object and of all threads that it and they start from then on, in user mode
// (perf_event_open(2), which needs no root for own threads). Many virtual machines have none. One thread.
class HardwareCounters {
 public:
  struct Values {
    std::optional<std::uint64_t> instructions{};
    std::optional<std::uint64_t>
        cache_misses{};  // of the last level, as the kernel defines them for this CPU
  };

  HardwareCounters();
  ~HardwareCounters();

  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  // Returns the counts so far; none of a counter that the CPU lacks or the kernel refuses. Where counters take turns on the CPU,
  // the counts are estimates, stretched to the whole time.
  Values Read() const;

  // "perf_event_open: No such file or directory"; "" if there are all counters.
  const std::string& Refusal() const {
    return refusal_;
  }

 private:
  std::array<int, 2> events_{-1, -1};  // in the order of Values
  std::string refusal_;
};

}  // namespace schedbench::platform
