#pragma once

#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <optional>
#include <string>

// The CPU time and the memory that the control groups of this process leave it, in both versions of
// the interface. The groups above its own count too. Thread-safe.

namespace schedbench::platform {

struct CpuLimit {
  std::optional<double> cpus;  // the tightest quota; none: no limit
  std::string file;            // a larger number in it lifts the limit
};

// Nothing where no CPU controller can be read.
std::optional<CpuLimit> ReadCpuLimit(const MachineFiles& files);

// Returns how many periods ended early so far because the quota was used up, in the groups above
// too.
std::optional<std::int64_t> ReadThrottled(const MachineFiles& files);

struct MemoryLimit {
  std::uint64_t bytes;       // the tightest limit; without one, more than any memory
  std::uint64_t free_bytes;  // the least that a group has left
  std::string file;          // a larger number in it lifts the tightest limit
};

// Nothing where no group has a limit that can be read.
std::optional<MemoryLimit> ReadMemoryLimit(const MachineFiles& files);

// Returns how many processes of these groups the kernel has killed so far for lack of memory, of a
// group or of the machine.
std::int64_t ReadMemoryKills(const MachineFiles& files);

}  // namespace schedbench::platform
