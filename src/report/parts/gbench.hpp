#pragma once

#include "platform/machine/machine_info.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::report {

// A round: in the terms of Google Benchmark a repetition, and each of its operations an iteration.
struct GbenchRound {
  // Takes a round of this process or of an agent.
  template <typename Round>
  explicit GbenchRound(const Round& round)
      : wall_ns(static_cast<double>(round.wall_ns)),
        cpu_ns(static_cast<double>(round.cpu_ns)),
        operations(round.operations) {
  }

  double wall_ns;
  double cpu_ns;
  std::uint64_t operations;
};

struct GbenchEntry {
  std::string name;  // "pingpong/fast"
  std::uint64_t threads;
  std::vector<GbenchRound> rounds;
};

// Returns the JSON of Google Benchmark 1.7, which its tools/compare.py reads. Times are of an operation.
std::string GbenchText(const platform::MachineInfo& machine,
                       const std::vector<GbenchEntry>& entries);

}  // namespace schedbench::report
