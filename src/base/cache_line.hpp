#pragma once

#include <cstddef>

namespace schedbench {

// Distance that keeps two writers from disturbing each other. 128 and not 64: Intel prefetches
// lines in adjacent pairs (Tokio and Go also pad by 128). Our own constant, because g++ warns that
// std::hardware_destructive_interference_size changes with -mtune.
inline constexpr std::size_t kCacheLine = 128;

}  // namespace schedbench
