#include "workloads/parts/sort_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <random>

namespace schedbench::workloads {

SortInput::SortInput(std::uint32_t count, std::uint64_t seed)
    : unsorted_(count) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::ranges::generate(unsorted_, [&random] { return static_cast<std::uint32_t>(random()); });
  sorted_ = unsorted_;
  std::ranges::sort(sorted_);
}

std::string SortInput::MistakeIn(std::span<const std::uint32_t> numbers) const {
  const auto wrong = std::ranges::mismatch(numbers, sorted_);
  if (wrong.in1 == numbers.end()) {
    return "";
  }
  return fmt::format("number {} is {}, not {}", wrong.in1 - numbers.begin(), *wrong.in1,
                     *wrong.in2);
}

}  // namespace schedbench::workloads
