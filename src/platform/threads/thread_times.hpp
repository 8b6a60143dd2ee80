#pragma once

#include <cstdint>
#include <optional>

namespace schedbench::platform {

// How long a thread of this process was ready and had no CPU, because other threads had it, in nanoseconds since it began. None
// where the kernel does not say (CONFIG_SCHED_INFO), or there is no such thread. Reads /proc.
std::optional<std::uint64_t> ThreadQueuedNs(int thread);

}  // namespace schedbench::platform
