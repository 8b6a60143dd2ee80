#pragma once

#include <cstdint>

// Stands in for schedulers/pool/worker_limits.hpp: a set of three workers has two words.
namespace schedbench::schedulers {

inline constexpr std::uint32_t kMaxWorkers = 4;
inline constexpr std::uint32_t kWorkersPerWord = 2;

}  // namespace schedbench::schedulers
