#include "cli/flags/value_list.hpp"

#include "cli/flags/flag.hpp"
#include "config/number_text.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr std::string_view kForms =
    "a range is 1..4, 0..100+20 (steps of 20) or 1..64*2 (each twice the one before)";

// Drops the digits that steps of 0.1 would add at the end.
std::string TextOf(double number) {
  const bool is_whole = number == std::floor(number) && std::abs(number) < 1e15;
  return is_whole ? fmt::format("{}", static_cast<long long>(number))
                  : fmt::format("{:.12g}", number);
}

struct Range {
  double from;
  double to;
  bool multiplies;
  double by;
};

// Returns none, and the complaint, if the text is a wrong range.
std::optional<Range> ParseRange(std::string_view text, std::string& error) {
  const std::size_t dots = text.find("..");
  const std::string_view rest = text.substr(dots + 2);
  const std::size_t end = config::NumberLength(rest);
  const auto from = ParseNumber(text.substr(0, dots));
  const auto to = ParseNumber(rest.substr(0, end));
  const std::string_view step = rest.substr(end);
  const bool multiplies = step.starts_with('*');
  const auto by = step.empty() ? std::optional(1.0) : ParseNumber(step.substr(1));
  if (!from || !to || !by || (!step.empty() && !multiplies && !step.starts_with('+'))) {
    error = fmt::format("{} is not a range of numbers; {}", config::Quoted(text), kForms);
  } else if (*from > *to) {
    error = fmt::format("{} is empty: {} is above {}", config::Quoted(text), TextOf(*from),
                        TextOf(*to));
  } else if (multiplies && (*by <= 1 || *from <= 0)) {
    error = fmt::format("{}: a range with * begins above 0 and has a factor above 1",
                        config::Quoted(text));
  } else if (*by <= 0) {
    error = fmt::format("{}: the step must be above 0", config::Quoted(text));
  }
  if (!error.empty()) {
    return std::nullopt;
  }
  return Range{.from = *from, .to = *to, .multiplies = multiplies, .by = *by};
}

// Returns the complaint if there are too many values.
std::string AddRange(const Range& range, std::string_view text, std::vector<std::string>& values) {
  // 0.1 + 0.1 + 0.1 is above 0.3 by a rounding error.
  const double limit = range.to + 1e-9 * std::max(std::abs(range.to), std::abs(range.by));
  for (std::size_t i = 0;; ++i) {
    const double number = range.multiplies ? range.from * std::pow(range.by, static_cast<double>(i))
                                           : range.from + range.by * static_cast<double>(i);
    if (number > limit) {
      return "";
    }
    if (values.size() == kMostValues) {
      return fmt::format("{} has more than {} values", config::Quoted(text), kMostValues);
    }
    values.push_back(TextOf(number));
  }
}

}  // namespace

std::vector<std::string> ParseValueList(std::string_view text, const std::string& where,
                                        config::Problems& problems) {
  std::vector<std::string> values;
  std::string error = text.empty() ? "the list of values is empty" : "";
  for (const auto range : std::views::split(text, ',')) {
    const std::string_view part(range.begin(), range.end());
    if (part.empty()) {
      error = fmt::format("{} has an empty value", config::Quoted(text));
    } else if (part.find("..") == std::string_view::npos) {
      values.emplace_back(part);
    } else if (const auto numbers = ParseRange(part, error)) {
      error = AddRange(*numbers, part, values);
    }
    if (!error.empty()) {
      break;
    }
  }
  if (!error.empty()) {
    problems.Add(where, "", std::move(error));
    values.clear();
  }
  return values;
}

}  // namespace schedbench::cli
