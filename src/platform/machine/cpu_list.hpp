#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Lists of CPUs in the form of the kernel and taskset: "0-2,5". Pure functions; thread-safe.

namespace schedbench::platform {

// Returns "0-2,5" for {0, 1, 2, 5}; "unknown" for an empty list. Requires: sorted.
std::string CpuListText(const std::vector<int>& cpus);

// Returns {0, 1, 2, 5} for "0-2,5"; nothing for an invalid or empty list.
std::optional<std::vector<int>> ParseCpuList(std::string_view text);

}  // namespace schedbench::platform
