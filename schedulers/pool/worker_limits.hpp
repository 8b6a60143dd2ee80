#pragma once

#include <cstdint>

// The sizes of a Coordinator. A file of their own, so that the models of tests/sim can replace it: with two workers to a word
// they reach what happens between words with three workers.
namespace schedbench::schedulers {

// Most workers of a pool. The fields of Coordinator's word hold twice as many.
inline constexpr std::uint32_t kMaxWorkers = 1024;

// Of a WorkerSet: one bit for each.
inline constexpr std::uint32_t kWorkersPerWord = 64;

}  // namespace schedbench::schedulers
