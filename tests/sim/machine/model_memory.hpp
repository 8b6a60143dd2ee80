#pragma once

#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// Where all lies that a model allocates and all stacks that it runs on: at the same addresses in
// every process, so that whatever depends on an address is the same when an execution is repeated.
namespace model_memory {

inline constexpr std::size_t kMebi = std::size_t{1} << 20U;

// Far from where Linux puts programs, libraries and mappings on x86-64 and arm64.
inline constexpr std::uintptr_t kBegin = 0x10'0000'0000;
inline constexpr std::uintptr_t kHeap = kBegin;
inline constexpr std::size_t kHeapBytes = 32 * kMebi;
inline constexpr std::uintptr_t kThreadStacks = kHeap + kHeapBytes;
inline constexpr std::size_t kThreadStacksBytes = 32 * kMebi;
inline constexpr std::uintptr_t kFiberStacks = kThreadStacks + kThreadStacksBytes;
inline constexpr std::size_t kFiberStacksBytes = 64 * kMebi;
inline constexpr std::uintptr_t kEnd = kFiberStacks + kFiberStacksBytes;

inline bool Contains(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) - kBegin < kEnd - kBegin;
}

// Takes one of these ranges. Once a process.
char* Map(std::uintptr_t address, std::size_t bytes);

}  // namespace model_memory

}  // namespace schedbench::sim
