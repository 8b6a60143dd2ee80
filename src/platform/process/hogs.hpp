#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// Processes that use a CPU each. They end with this object, or with the thread that made it.
class Hogs {
 public:
  // Requires: the process has one thread. Throws std::runtime_error at the limit of processes.
  explicit Hogs(std::uint32_t count);
  ~Hogs();

  Hogs(const Hogs&) = delete;
  Hogs& operator=(const Hogs&) = delete;

 private:
  void End() noexcept;

  std::vector<pid_t> processes_;
};

}  // namespace schedbench::platform
