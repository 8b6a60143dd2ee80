#pragma once

#include <cstdint>
#include <string>

namespace schedbench::platform {

// How many threads this process may still start, as far as the system reports.
struct ThreadLimit {
  std::uint64_t threads;
  std::string reason;  // the limit that is the narrowest: "kernel.threads-max = 192000"
};

// Reads the user's limit of processes, the kernel's and the cgroup's limits of threads, and how many mappings there may
// be, of which a thread needs several. Others may use up what it says.
ThreadLimit ReadThreadLimit();

}  // namespace schedbench::platform
