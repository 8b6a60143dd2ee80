#pragma once

#include <cstdint>
#include <vector>

namespace schedbench::workloads {

// Two square matrices of whole numbers, drawn from a seed. Immutable: any number of threads may read it.
class MatrixPair {
 public:
  // Empty: the sum is 0.
  MatrixPair() = default;

  // As large as fits into `bytes`, at least one element each.
  MatrixPair(std::uint64_t bytes, std::uint64_t seed);

  // Multiplies the first by the transpose of the second, in which both are read row by row, and returns the sum of the product's
  // elements, modulo 2^64. Takes n^3 multiplications for n rows.
  std::uint64_t SumOfProduct() const noexcept;

  // The same, from the sums of the columns: n^2 additions.
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
