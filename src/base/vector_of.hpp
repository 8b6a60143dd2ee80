#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedbench {

// Returns the results of the function, or the member, for each element, as values of type `Value`
// or of the function's result type. Pure; thread-safe.
template <typename Value = void, std::ranges::input_range Range, typename Function>
auto VectorOf(Range&& range, Function function) {
  using Result =
      std::remove_cvref_t<std::invoke_result_t<Function&, std::ranges::range_reference_t<Range>>>;
  static_assert(
      !(std::is_same_v<Value, std::string_view> &&
        std::is_same_v<std::invoke_result_t<Function&, std::ranges::range_reference_t<Range>>,
                       std::string>),
      "the views would outlive the texts");
  std::vector<std::conditional_t<std::is_void_v<Value>, Result, Value>> values;
  if constexpr (std::ranges::sized_range<Range>) {
    values.reserve(static_cast<std::size_t>(std::ranges::size(range)));
  }
  for (auto&& element : range) {
    values.emplace_back(std::invoke(function, std::forward<decltype(element)>(element)));
  }
  return values;
}

// Returns the values of a function that gives an optional value per element. Pure; thread-safe.
template <std::ranges::input_range Range, typename Function = std::identity>
auto PresentOf(Range&& range, Function function = {}) {
  using Result =
      std::remove_cvref_t<std::invoke_result_t<Function&, std::ranges::range_reference_t<Range>>>;
  std::vector<typename Result::value_type> values;
  for (auto&& element : range) {
    if (auto&& value = std::invoke(function, element)) {
      values.push_back(*std::forward<decltype(value)>(value));
    }
  }
  return values;
}

// Returns the sum of the results of the function, or of the member, for each element. It has the
// type of a result. Pure; thread-safe.
template <std::ranges::input_range Range, typename Function = std::identity>
auto SumOf(Range&& range, Function function = {}) {
  std::remove_cvref_t<std::invoke_result_t<Function&, std::ranges::range_reference_t<Range>>> sum{};
  for (auto&& element : range) {
    sum += std::invoke(function, element);
  }
  return sum;
}

// Returns the result of the function, or the member, for the value; none without a value. A
// function that returns an optional gives no optional of an optional. Pure; thread-safe.
template <typename Optional, typename Function>
auto Mapped(const Optional& value, Function function) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Function&, decltype(*value)>>;
  if constexpr (requires(Result result) { result.has_value(); }) {
    return value ? Result(std::invoke(function, *value)) : Result();
  } else {
    return value ? std::optional<Result>(std::invoke(function, *value)) : std::nullopt;
  }
}

// Returns 0 to `count` - 1. Pure; thread-safe.
inline std::vector<std::size_t> Indices(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace schedbench
