#include "platform/machine/thread_limit.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// A thread's stack and signal stack, each with a guard, and sometimes a slab of fibers' stacks.
constexpr std::uint64_t kMappingsPerThread = 5;
// The rest is for other uses by the process and its neighbours.
constexpr double kShare = 0.9;

std::optional<std::uint64_t> NumberIn(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;  // "max" is not a number
}

// Returns the threads of all processes of this user, which `ulimit -u` limits.
std::uint64_t ThreadsOfTheUser() {
  std::uint64_t threads = 0;
  std::error_code error;  // a process may end while it is read
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    struct ::stat status{};
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos ||
        ::stat(entry.path().c_str(), &status) != 0 || status.st_uid != ::geteuid()) {
      continue;
    }
    std::ifstream file(entry.path() / "status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("Threads:")) {
        threads += std::strtoull(line.c_str() + std::string("Threads:").size(), nullptr, 10);
        break;
      }
    }
  }
  return threads;
}

// Returns the number from the fourth field of /proc/loadavg, "running/all".
std::uint64_t ThreadsOfTheMachine() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  std::uint64_t running = 0;
  std::uint64_t all = 0;
  char slash = 0;
  return file >> load >> load >> load >> running >> slash >> all ? all : 0;
}

std::uint64_t Minus(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? static_cast<std::uint64_t>(static_cast<double>(limit - used) * kShare) : 0;
}

// Returns the process's own group, like "/sys/fs/cgroup/a/b", or "".
std::string OwnCgroup() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) {
      return "/sys/fs/cgroup" + line.substr(3);
    }
  }
  return "";
}

void Narrow(ThreadLimit& limit, std::uint64_t threads, const std::string& reason) {
  if (threads < limit.threads) {
    limit = {.threads = threads, .reason = reason};
  }
}

}  // namespace

ThreadLimit ReadThreadLimit() {
  ThreadLimit limit{.threads = ~std::uint64_t{0}, .reason = "no limit is known"};
  const std::uint64_t used = ThreadsOfTheMachine();
  for (const char* const name : {"threads-max", "pid_max"}) {
    if (const auto most = NumberIn(fmt::format("/proc/sys/kernel/{}", name))) {
      Narrow(limit, Minus(*most, used), fmt::format("kernel.{} = {}", name, *most));
    }
  }
  if (const auto maps = NumberIn("/proc/sys/vm/max_map_count")) {
    Narrow(limit, Minus(*maps / kMappingsPerThread, 0),
           fmt::format("vm.max_map_count = {}", *maps));
  }
  rlimit processes{};
  // The limit of processes does not bind root.
  if (::geteuid() != 0 && ::getrlimit(RLIMIT_NPROC, &processes) == 0 &&
      processes.rlim_cur != RLIM_INFINITY) {
    Narrow(limit, Minus(processes.rlim_cur, ThreadsOfTheUser()),
           fmt::format("ulimit -u = {}", std::uint64_t{processes.rlim_cur}));
  }
  // Each group up to the root may have its own limit.
  for (std::string group = OwnCgroup(); group.size() > std::string("/sys/fs/cgroup").size();
       group.resize(group.rfind('/'))) {
    const auto most = NumberIn(group + "/pids.max");
    const auto present = NumberIn(group + "/pids.current");
    if (most && present) {
      Narrow(limit, Minus(*most, *present), fmt::format("{}/pids.max = {}", group, *most));
    }
  }
  return limit;
}

}  // namespace schedbench::platform
