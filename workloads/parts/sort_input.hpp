#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedbench::workloads {

// Random numbers that a workload sorts in each round, and their sorted order.
class SortInput {
 public:
  // `seed`: the seed of the run.
  SortInput(std::uint32_t count, std::uint64_t seed);

  const std::vector<std::uint32_t>& Unsorted() const noexcept {
    return unsorted_;
  }

  // Returns "", or the first number that is out of order. Requires: `numbers` has the same length.
  std::string MistakeIn(std::span<const std::uint32_t> numbers) const;

 private:
  std::vector<std::uint32_t> unsorted_;
  std::vector<std::uint32_t> sorted_;
};

}  // namespace schedbench::workloads
