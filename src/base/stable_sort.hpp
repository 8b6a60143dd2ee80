#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace schedbench {

// Sorts like std::ranges::stable_sort, whose std::get_temporary_buffer is deprecated.
template <typename Value, typename Less = std::ranges::less, typename Key = std::identity>
void StableSort(std::vector<Value>& values, Less less = {}, Key key = {}) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto& first = std::invoke(key, values[a]);
    const auto& second = std::invoke(key, values[b]);
    return less(first, second) || (a < b && !less(second, first));
  });
  std::vector<Value> sorted;
  sorted.reserve(values.size());
  for (const std::size_t i : order) {
    sorted.push_back(std::move(values[i]));
  }
  values = std::move(sorted);
}

}  // namespace schedbench
