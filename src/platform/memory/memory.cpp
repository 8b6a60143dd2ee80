#include "platform/memory/memory.hpp"

#include "base/assert.hpp"
#include "platform/proc/cgroup.hpp"
#include "platform/proc/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// Debian 12's headers are older than Linux 6.13 and 6.15, which introduced these.
constexpr int kMadviseGuardInstall = 102;
constexpr int kThisThread = -10000;  // PIDFD_SELF_THREAD

// Advises on each page. Returns whether the kernel followed for all.
bool AdvisePages(std::span<void* const> pages, int advice) noexcept {
  SB_ASSERT(pages.size() <= kMostPages, "more pages than one call takes");
  std::array<iovec, kMostPages> ranges;
  std::ranges::transform(pages, ranges.begin(),
                         [](void* page) { return iovec{.iov_base = page, .iov_len = kPageBytes}; });
  const long advised =
      ::syscall(SYS_process_madvise, kThisThread, ranges.data(), pages.size(), advice, 0U);
  return advised == static_cast<long>(pages.size() * kPageBytes);
}

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

bool InstallGuards(std::span<void* const> pages) noexcept {
  return AdvisePages(pages, kMadviseGuardInstall);
}

bool PopulatePages(std::span<void* const> pages) noexcept {
  return AdvisePages(pages, MADV_POPULATE_WRITE);
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
  // No stream: it would allocate, and schedulers are also made where memory is short.
  std::array<char, 32> text;
  const int file = ::open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? -1 : ::read(file, text.data(), text.size());
  if (file >= 0) {
    ::close(file);
  }
  std::size_t limit = 65530;  // Linux's default
  if (bytes > 0) {
    std::from_chars(text.data(), text.data() + bytes, limit);
  }
  return limit;
}

}  // namespace schedbench::platform
