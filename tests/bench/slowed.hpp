#pragma once

#include <string_view>

// A slowdown of a known size in real rounds: the scheduler `fast` under another name, with a config
// that gives the workload `busy` to do so many percent more work in each of its tasks.

namespace schedbench::tests {

inline constexpr std::string_view kSlowedScheduler = "slowed";
inline constexpr std::string_view kBusyWorkload = "busy";

}  // namespace schedbench::tests
