#pragma once

#include <sys/types.h>

namespace schedbench::platform {

// A process that kills a process group as soon as this process has ended, in whatever way: SIGKILL leaves this one no time to
// do so. Make it before the group is started, so that it holds none of its streams. Main thread.
class GroupWatch {
 public:
  // Throws std::system_error.
  GroupWatch();

  // Ends the watch: the group stays as it is.
  ~GroupWatch();

  GroupWatch(const GroupWatch&) = delete;
  GroupWatch& operator=(const GroupWatch&) = delete;

  // Kills this group from now on. Once.
  void Watch(pid_t group) noexcept;

 private:
  void Send(pid_t group) noexcept;

  pid_t watcher_ = -1;
  int pipe_ = -1;
};

}  // namespace schedbench::platform
