#pragma once

#include <cstdint>

// The sizes of a Coordinator. The models of tests/sim replace this file: with two workers to a
// word, three workers reach what happens between words.
namespace schedbench::schedulers {

// Most workers of a pool. The fields of Coordinator's word hold twice this number.
inline constexpr std::uint32_t kMaxWorkers = 1024;

// Number of workers in a word of a WorkerSet, which has one bit for each.
inline constexpr std::uint32_t kWorkersPerWord = 64;

}  // namespace schedbench::schedulers
