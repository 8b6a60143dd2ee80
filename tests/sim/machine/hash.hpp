#pragma once

#include <cstdint>

namespace schedbench::sim {

// Folds `next` into `hash`. Not commutative. The finaliser of MurmurHash3 (A. Appleby), public
// domain constants.
constexpr std::uint64_t Fold(std::uint64_t hash, std::uint64_t next) noexcept {
  hash = (hash ^ next) + 0x9e3779b97f4a7c15U;
  hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 33U)) * 0xc4ceb9fe1a85ec53U;
  return hash ^ (hash >> 33U);
}

}  // namespace schedbench::sim
