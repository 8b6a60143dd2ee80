#pragma once

#include <cstdint>
#include <optional>

namespace schedbench::platform {

// How long a thread of this process was ready and had no CPU, because other threads had it, in nanoseconds since it began. None
// where the kernel does not say (CONFIG_SCHED_INFO), or there is no such thread. Reads /proc.
std::optional<std::uint64_t> ThreadQueuedNs(int thread);

// How often threads of this process gave up a CPU so far, including those that have ended.
struct ContextSwitches {
  std::uint64_t voluntary = 0;    // to wait in the kernel
  std::uint64_t involuntary = 0;  // because the kernel gave the CPU to another thread
};
ContextSwitches ProcessSwitches() noexcept;

}  // namespace schedbench::platform
