#pragma once

#include <cstdint>
#include <string>

namespace schedbench::platform {

// The number of threads that this process may still start, as far as the system reports.
struct ThreadLimit {
  std::uint64_t threads;
  std::string reason;  // the narrowest limit: "kernel.threads-max = 192000"
};

// Reads the user's limit of processes, the thread limits of the kernel and the cgroup, and the
// limit of mappings, of which a thread needs several. Other processes may use up the result.
ThreadLimit ReadThreadLimit();

}  // namespace schedbench::platform
