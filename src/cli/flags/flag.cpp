#include "cli/flags/flag.hpp"

#include "config/number_text.hpp"
#include "config/parse_value.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace schedbench::cli {

std::string FieldComplaint(const ValueRule& rule, const std::string& text) {
  config::FieldInfo field;
  field.kind = rule.max == 0 ? config::Kind::kEnum : config::Kind::kUnsigned;
  field.min = rule.min;
  field.max = rule.max;
  field.choices = rule.choices;
  if (std::ranges::find(rule.choices, text) != rule.choices.end()) {
    return "";
  }
  std::string error = config::ParseText(field, text).error;
  if (error.empty() || rule.max == 0 || rule.choices.empty()) {
    return error;
  }
  if (error.find("expected") == std::string::npos) {
    error += "; expected " + field.Allowed();
  }
  return fmt::format("{} or {}", error, fmt::join(rule.choices, ", "));
}

std::string MissingUnit(const std::string& text, const std::array<std::string_view, 3>& units,
                        double least, double most) {
  std::vector<std::string> right;
  for (const std::string_view unit : units) {
    const std::string written = fmt::format("{}{}", text, unit);
    const auto ns = ParseNanoseconds(written);
    if (config::FormOf(text) != config::NumberForm::kNone && ns && *ns > 0 && *ns >= least &&
        *ns <= most) {
      right.push_back(written);
    }
  }
  return right.empty()
             ? ""
             : fmt::format("{} has no unit; write {}", config::Quoted(text), config::OrList(right));
}

std::string TimeComplaint(const ValueRule& rule, const std::string& text) {
  constexpr double kMin = 1e6;
  constexpr double kMax = 1000 * 3600e9;
  const auto time = ParseNanoseconds(text);
  if (time && ((*time >= kMin && *time <= kMax) || (*time == 0 && rule.min == 0))) {
    return "";
  }
  const std::string missing = MissingUnit(text, {"ms", "s", "m"}, kMin, kMax);
  if (!missing.empty()) {
    return missing;
  }
  return fmt::format("{} is {} a time from 1ms to 1000h, such as 500ms, 1.5s or 1m30s",
                     config::Quoted(text), rule.min == 0 ? "neither 0 nor" : "not");
}

std::string ShareComplaint(const ValueRule& /*rule*/, const std::string& text) {
  const auto share = ParseShare(text);
  return share && *share > 0 && *share <= 1
             ? ""
             : fmt::format("{} is not a share above 0 and at most 1, such as 2% or 0.02",
                           config::Quoted(text));
}

std::string NameComplaint(const ValueRule& /*rule*/, const std::string& text) {
  if (text.empty()) {
    return "the value is empty";
  }
  return config::IsPrintable(text)
             ? ""
             : fmt::format("{} has characters that cannot be printed", config::Quoted(text));
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const bool is_number =
      config::FormOf(text) != config::NumberForm::kNone &&
      std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  return is_number ? std::optional(number) : std::nullopt;
}

std::optional<double> ParseNanoseconds(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};
  if (text == "0" || text == "none") {
    return 0;
  }
  double sum = 0;
  double last_unit = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    const std::size_t length = config::NumberLength(text);
    const auto number = ParseNumber(text.substr(0, length));
    text.remove_prefix(length);
    const std::size_t letters = std::min(text.find_first_not_of("hmnsu"), text.size());
    const auto* const unit = std::ranges::find(kUnits, text.substr(0, letters),
                                               &std::pair<std::string_view, double>::first);
    // In "1m30s" each unit is smaller than the previous one, and no part is negative.
    if (!number || unit == kUnits.end() || unit->second >= last_unit || std::signbit(*number)) {
      return std::nullopt;
    }
    sum += *number * unit->second;
    last_unit = unit->second;
    text.remove_prefix(letters);
  }
  return last_unit < std::numeric_limits<double>::infinity() ? std::optional(sum) : std::nullopt;
}

std::optional<double> ParseShare(std::string_view text) {
  const bool in_percent = text.ends_with('%');
  const auto number = ParseNumber(text.substr(0, text.size() - (in_percent ? 1 : 0)));
  return number && in_percent ? *number / 100 : number;
}

std::string PlaceOf(const Flag& flag, std::string_view value) {
  return fmt::format("{} {}", flag.name, config::Escaped(value));
}

}  // namespace schedbench::cli
