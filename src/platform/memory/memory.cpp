#include "platform/memory/memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <sys/mman.h>

namespace schedbench::platform {

namespace {

// Debian 12's headers are older than Linux 6.13, which brought this request.
constexpr int kMadviseGuardInstall = 102;

// Of the group that a process in a container finds itself in: version 2, version 1.
struct ControlGroupFiles {
  const char* limit;
  const char* used;
  const char* statistics;
  const char* cache;  // of files that are not in use, in the statistics
};
constexpr std::array kControlGroupFiles{
    ControlGroupFiles{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                      "/sys/fs/cgroup/memory.stat", "inactive_file"},
    ControlGroupFiles{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                      "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                      "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"},
};

// Returns the number behind `name` in a file of lines "name number"; none where there is none.
std::optional<std::uint64_t> ValueIn(const char* path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (std::istringstream words(line); line.starts_with(name)) {
      std::string first;
      std::uint64_t value = 0;
      words >> first >> value;
      return first == name ? std::optional(value) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

void* ReserveMemory(std::size_t bytes) noexcept {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  // Fails on kernels without huge pages, where there is nothing to forbid.
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

void ReleaseMemory(void* memory, std::size_t bytes) noexcept {
  ::munmap(memory, bytes);
}

bool InstallGuard(void* page, GuardKind kind) noexcept {
  switch (kind) {
    case GuardKind::kLightweight:
      return ::madvise(page, kPageBytes, kMadviseGuardInstall) == 0;
    case GuardKind::kProtected:
      return ::mprotect(page, kPageBytes, PROT_NONE) == 0;
  }
  return false;
}

std::uint64_t ResidentBytes() noexcept {
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * kPageBytes;
}

std::optional<std::uint64_t> AvailableMemoryBytes() noexcept {
  const std::optional<std::uint64_t> kilobytes = ValueIn("/proc/meminfo", "MemAvailable:");
  if (!kilobytes) {
    return std::nullopt;
  }
  std::uint64_t available = 1024 * *kilobytes;
  for (const ControlGroupFiles& files : kControlGroupFiles) {
    std::uint64_t limit = 0;
    std::uint64_t used = 0;
    // Without a limit the file says "max" (which is no number), or one beyond all memory.
    if (std::ifstream(files.limit) >> limit && std::ifstream(files.used) >> used) {
      used -= std::min(used, ValueIn(files.statistics, files.cache).value_or(0));
      available = std::min(available, limit - std::min(limit, used));
    }
  }
  return available;
}

std::size_t MaxMappings() noexcept {
  std::size_t limit = 65530;  // Linux's default
  std::ifstream("/proc/sys/vm/max_map_count") >> limit;
  return limit;
}

}  // namespace schedbench::platform
