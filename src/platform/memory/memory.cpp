#include "platform/memory/memory.hpp"

#include "platform/proc/cgroup.hpp"
#include "platform/proc/text.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <sys/mman.h>

namespace schedbench::platform {

namespace {

// Debian 12's headers are older than Linux 6.13, which introduced this request.
constexpr int kMadviseGuardInstall = 102;

}  // namespace

void* ReserveMemory(std::size_t bytes) noexcept {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  // It fails on kernels without huge pages, where nothing has to be forbidden.
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

std::optional<std::uint64_t> AvailableMemoryBytes() {
  const MachineFiles files;
  const std::string memory = files.Read("/proc/meminfo").value_or("");
  const auto words = WordsOf(ValueOf(memory, "MemAvailable").value_or(""));
  const auto kib = words.empty() ? std::nullopt : WholeNumber(words.front());
  if (!kib) {
    return std::nullopt;
  }
  const std::uint64_t available = 1024 * static_cast<std::uint64_t>(*kib);
  const auto limit = ReadMemoryLimit(files);
  return limit ? std::min(available, limit->free_bytes) : available;
}

std::size_t MaxMappings() noexcept {
  std::size_t limit = 65530;  // Linux's default
  std::ifstream("/proc/sys/vm/max_map_count") >> limit;
  return limit;
}

}  // namespace schedbench::platform
