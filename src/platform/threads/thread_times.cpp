#include "platform/threads/thread_times.hpp"

#include <fstream>
#include <string>

#include <sys/resource.h>

namespace schedbench::platform {

std::optional<std::uint64_t> ThreadQueuedNs(int thread) {
  // The file has "CPU_NS QUEUED_NS SLICES" (Documentation/scheduler/sched-stats.rst).
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/schedstat");
  std::uint64_t cpu_ns = 0;
  std::uint64_t queued_ns = 0;
  if (!(file >> cpu_ns >> queued_ns)) {
    return std::nullopt;
  }
  return queued_ns;
}

ContextSwitches ProcessSwitches() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return {.voluntary = static_cast<std::uint64_t>(usage.ru_nvcsw),
          .involuntary = static_cast<std::uint64_t>(usage.ru_nivcsw)};
}

}  // namespace schedbench::platform
