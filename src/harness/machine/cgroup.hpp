#pragma once

#include "platform/machine/machine_files.hpp"

#include <cstdint>
#include <optional>
#include <string>

// The CPU time that the control groups of this process leave it, of both versions of the interface. Thread-safe.

namespace schedbench::harness {

struct CpuLimit {
  std::optional<double> cpus;  // the tightest quota; none: no limit
  std::string file;            // that lifts it, or would
  bool second_version;         // of the interface
};

// Nothing where no CPU controller can be read.
std::optional<CpuLimit> ReadCpuLimit(const platform::MachineFiles& files);

// Returns how many periods ended early so far because the quota was used up, in the groups above too.
std::optional<std::int64_t> ReadThrottled(const platform::MachineFiles& files);

}  // namespace schedbench::harness
