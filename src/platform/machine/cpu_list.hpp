#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Lists of CPUs as the kernel and taskset write them: "0-2,5". Pure functions; thread-safe.

namespace schedbench::platform {

// {0, 1, 2, 5} -> "0-2,5"; "unknown" of none. Requires: sorted.
std::string CpuListText(const std::vector<int>& cpus);

// "0-2,5" -> {0, 1, 2, 5}. Nothing of what is no such list, or an empty one.
std::optional<std::vector<int>> ParseCpuList(std::string_view text);

}  // namespace schedbench::platform
