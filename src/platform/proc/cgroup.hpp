#pragma once

#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <optional>
#include <string>

// The CPU time and memory that the control groups of this process, and those above, allow, in both
// versions of the interface. Thread-safe.

namespace schedbench::platform {

struct CpuLimit {
  std::optional<double> cpus;  // the tightest quota, if any
  std::string file;            // a larger number in it lifts the limit
};

// Returns the limit; nothing if no CPU controller can be read.
std::optional<CpuLimit> ReadCpuLimit(const MachineFiles& files);

// Returns the number of periods that ended early because a quota was used up, in all groups.
std::optional<std::int64_t> ReadThrottled(const MachineFiles& files);

struct MemoryLimit {
  std::uint64_t bytes;       // the tightest limit; without one, more than any memory
  std::uint64_t free_bytes;  // the least that a group has left
  std::string file;          // a larger number in it lifts the tightest limit
};

// Returns the limit; nothing if no group has a readable one.
std::optional<MemoryLimit> ReadMemoryLimit(const MachineFiles& files);

// Returns how many processes of these groups the kernel has killed for lack of memory, of a group
// or of the machine.
std::int64_t ReadMemoryKills(const MachineFiles& files);

}  // namespace schedbench::platform
