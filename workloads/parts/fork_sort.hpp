#pragma once

#include "config/field.hpp"
#include "config/problems.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

// Fields and limits of the sorts that fork down to a cut-off.

namespace schedbench::workloads {

using SortedNumbersField =
    config::Field<"numbers", 262144U, config::Range{1U, 1000000000U}, "Numbers to sort">;
// The minimum is 3: shorter parts cannot be divided, or lack a median of three.
using SortCutoffField =
    config::Field<"cutoff", 256U, config::Range{3U, 1000000000U},
                  "Parts of at most this many numbers are sorted without forks">;

template <typename Parameters>
void CheckCutoff(const Parameters& parameters, config::Problems& problems) {
  if (parameters.cutoff > parameters.numbers) {
    problems.AddUnused("cutoff", fmt::format("nothing is forked; it needs at most numbers={}",
                                             parameters.numbers.value));
  }
}

// Returns `numbers`. Throws std::runtime_error when arrays and fibers do not fit into memory.
template <typename Parameters>
std::uint32_t CheckedNumbers(std::string_view workload, const Parameters& parameters) {
  // The input, its order, the sorted array and another one.
  std::uint64_t bytes_each = 4 * sizeof(std::uint32_t);
  if (parameters.fork == Fork::kSpawn) {
    // Parts in work do not overlap, and each is at least a quarter of the cut-off.
    bytes_each += 4 * Fibers::kBytesPerFiber / parameters.cutoff;
  }
  RequireMemoryFor(parameters.numbers, "numbers", bytes_each,
                   fmt::format("{}:numbers={},cutoff={},fork={}", workload,
                               CountThatFits(bytes_each), parameters.cutoff.value,
                               parameters.fork == Fork::kSpawn ? "spawn" : "structured"));
  return parameters.numbers;
}

}  // namespace schedbench::workloads
