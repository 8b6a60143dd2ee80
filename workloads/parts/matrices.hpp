#pragma once

#include <cstdint>
#include <vector>

namespace schedbench::workloads {

// Two square matrices of whole numbers, drawn from a seed. Immutable, so thread-safe.
class MatrixPair {
 public:
  // Makes empty matrices, whose sum is 0.
  MatrixPair() = default;

  // Makes the largest matrices that fit into `bytes`, with at least one element each.
  MatrixPair(std::uint64_t bytes, std::uint64_t seed);

  // Multiplies the first by the transpose of the second, so that both are read row by row, and
  // returns the sum of the product's elements, modulo 2^64. Takes n^3 multiplications for n rows.
  std::uint64_t SumOfProduct() const noexcept;

  // Returns this sum from the sums of the columns: n^2 additions.
  std::uint64_t Sum() const noexcept {
    return sum_;
  }

 private:
  std::uint32_t rows_ = 0;
  std::uint64_t sum_ = 0;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> right_;
};

}  // namespace schedbench::workloads
