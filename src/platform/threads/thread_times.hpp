#pragma once

#include <cstdint>
#include <optional>

namespace schedbench::platform {

// Returns for how long since its start a thread of this process was ready without a CPU, in
// nanoseconds. Returns nothing if /proc does not report it (CONFIG_SCHED_INFO, or no such thread).
std::optional<std::uint64_t> ThreadQueuedNs(int thread);

// Counts how often threads of this process gave up a CPU, including threads that have ended.
struct ContextSwitches {
  std::uint64_t voluntary = 0;    // to wait in the kernel
  std::uint64_t involuntary = 0;  // because the kernel gave the CPU to another thread
};
ContextSwitches ProcessSwitches() noexcept;

}  // namespace schedbench::platform
