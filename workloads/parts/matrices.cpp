#include "workloads/parts/matrices.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace schedbench::workloads {

namespace {

std::vector<std::uint64_t> ColumnSums(const std::vector<std::uint32_t>& matrix,
                                      std::uint32_t rows) {
  std::vector<std::uint64_t> sums(rows);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    sums[i % rows] += matrix[i];
  }
  return sums;
}

}  // namespace

MatrixPair::MatrixPair(std::uint64_t bytes, std::uint64_t seed)
    : rows_(std::max(1U, static_cast<std::uint32_t>(
                             std::sqrt(static_cast<double>(bytes) / 2 / sizeof(std::uint32_t))))),
      left_(std::size_t{rows_} * rows_),
      right_(left_.size()) {
  QuickRandom random(seed);
  // Small, so that a product of rows fits into 32 bits: compilers vectorize SumOfProduct().
  constexpr std::uint32_t kBits = 8;
  std::ranges::generate(left_, [&] { return random.Next() >> (32 - kBits); });
  std::ranges::generate(right_, [&] { return random.Next() >> (32 - kBits); });
  // Element (i, k) sums left(i, j) * right(k, j). Summed over i and k, factors are column sums.
  const auto left = ColumnSums(left_, rows_);
  const auto right = ColumnSums(right_, rows_);
  for (std::uint32_t j = 0; j < rows_; ++j) {
    sum_ += left[j] * right[j];
  }
}

std::uint64_t MatrixPair::SumOfProduct() const noexcept {
  const std::uint32_t n = rows_;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t* const left = left_.data() + std::size_t{i} * n;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t* const right = right_.data() + std::size_t{k} * n;
      std::uint32_t element = 0;  // below 2^32 for up to 66,000 rows, more than 32 GiB
      for (std::uint32_t j = 0; j < n; ++j) {
        element += left[j] * right[j];
      }
      sum += element;
    }
    // Hides from the compiler that the next call computes the same value.
    asm volatile("" : "+r"(sum) : : "memory");
  }
  return sum;
}

}  // namespace schedbench::workloads
