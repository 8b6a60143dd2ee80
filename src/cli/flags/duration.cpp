#include "cli/flags/duration.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace schedbench::cli {

std::optional<std::chrono::nanoseconds> ParseDuration(std::string_view text) {
  using std::chrono::milliseconds;
  if (text == "none") {
    return milliseconds::zero();
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (number == 0 && unit.empty()) {
    return milliseconds::zero();
  }
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> kUnits{
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr std::uint64_t kMost = 1000 * 3'600'000ULL;
  for (const auto& [name, factor] : kUnits) {
    if (unit == name && number <= kMost / factor) {
      return milliseconds(number * factor);
    }
  }
  return std::nullopt;
}

}  // namespace schedbench::cli
