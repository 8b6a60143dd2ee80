#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <sys/auxv.h>

namespace schedbench::platform {

// The kernel's page size. On arm64 it is 4, 16 or 64 KiB.
#if defined(__x86_64__)
inline constexpr std::size_t kPageBytes = 4096;
#else
inline const std::size_t kPageBytes = ::getauxval(AT_PAGESZ);
#endif

// Reserves zeroed memory that takes no RAM before it is touched and never becomes huge pages (one
// touched page of a stack would cost 2 MiB). Null if refused. `bytes` is a multiple of the page.
void* ReserveMemory(std::size_t bytes) noexcept;

void ReleaseMemory(void* memory, std::size_t bytes) noexcept;

// The ways to make a page fault on every access.
enum class GuardKind : std::uint8_t {
  kLightweight,  // MADV_GUARD_INSTALL, Linux 6.13 and later: needs no mapping
  kProtected,    // mprotect: splits the mapping, so vm.max_map_count limits their number
};

// Installs a guard page at `page`. Returns false if the system (kLightweight: an old one) refuses.
bool InstallGuard(void* page, GuardKind kind) noexcept;

// The most pages of one InstallGuards() or PopulatePages().
inline constexpr std::size_t kMostPages = 8;

// Makes a lightweight guard of each page, by one system call. Returns false if the system refuses,
// which Linux before 6.15 does; then some of the pages may be guards.
bool InstallGuards(std::span<void* const> pages) noexcept;

// Gives the pages RAM, by one system call in place of a page fault each. Returns false if the
// system refuses, which Linux before 6.15 does; then the first touch gives it to them.
bool PopulatePages(std::span<void* const> pages) noexcept;

// Returns the maximal number of mappings of a process (vm.max_map_count).
std::size_t MaxMappings() noexcept;

// Returns the bytes that this process has in RAM now, without page tables.
std::uint64_t ResidentBytes() noexcept;

// Returns how much more RAM this process may use without being ended by the kernel: the free or
// easily freed memory of the machine and its control group. A guess at one moment; others take
// memory too. Returns nothing if the kernel does not report it: without /proc or file descriptors.
std::optional<std::uint64_t> AvailableMemoryBytes();

}  // namespace schedbench::platform
