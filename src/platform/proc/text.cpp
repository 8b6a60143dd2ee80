#include "platform/proc/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace schedbench::platform {

namespace {

constexpr std::string_view kBlank = " \t\n";
// No machine counts this far, and sums of smaller numbers do not overflow.
constexpr std::int64_t kMax = std::int64_t{1} << 53U;

template <typename Number>
std::optional<Number> All(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size() ? std::optional(number)
                                                                   : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> WholeNumber(const std::optional<std::string_view>& text) {
  const auto number = text ? All<std::int64_t>(*text) : std::nullopt;
  return number && *number >= -kMax && *number <= kMax ? number : std::nullopt;
}

std::optional<double> Decimal(std::string_view text) {
  const auto number = All<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlank, end);
  }
  return words;
}

std::optional<std::string_view> ValueOf(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(word) && line.size() > word.size() &&
        std::string_view(" \t:").find(line[word.size()]) != std::string_view::npos) {
      const std::size_t start = line.find_first_not_of(" \t:", word.size());
      return start == std::string_view::npos ? std::string_view() : line.substr(start);
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace schedbench::platform
