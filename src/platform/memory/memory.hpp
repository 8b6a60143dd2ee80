#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/auxv.h>

namespace schedbench::platform {

// The kernel's page. On arm64 a kernel has one of 4, 16 or 64 KiB.
#if defined(__x86_64__)
inline constexpr std::size_t kPageBytes = 4096;
#else
inline const std::size_t kPageBytes = ::getauxval(AT_PAGESZ);
#endif

// Reserves zeroed memory that takes no RAM before it is touched and never becomes huge pages (one touched
// page of a stack would cost 2 MiB). Null when the system refuses. `bytes` is a multiple of the page.
void* ReserveMemory(std::size_t bytes) noexcept;

void ReleaseMemory(void* memory, std::size_t bytes) noexcept;

// How a page can be made to fault on every access.
enum class GuardKind : std::uint8_t {
  kLightweight,  // MADV_GUARD_INSTALL, Linux 6.13 and later: costs no mapping
  kProtected,    // mprotect: splits the mapping, so that vm.max_map_count limits their number
};

// Installs a guard page at `page`. False when the system refuses (for kLightweight: an older kernel).
bool InstallGuard(void* page, GuardKind kind) noexcept;

// How many mappings a process may have (vm.max_map_count).
std::size_t MaxMappings() noexcept;

// Returns the memory that this process has in RAM now, in bytes; page tables are not counted.
std::uint64_t ResidentBytes() noexcept;

// Returns how much more this process may put in RAM without being ended by the kernel: what is free or easily freed
// in the machine and in its control group. A guess, made once; others take memory too.
// None if the kernel does not report it: without /proc, or if no file can be opened.
std::optional<std::uint64_t> AvailableMemoryBytes();

}  // namespace schedbench::platform
