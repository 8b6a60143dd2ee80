#include "cli/flags/flag_values.hpp"

#include "cli/flags/duration.hpp"
#include "config/number_text.hpp"
#include "config/parse_value.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace schedbench::cli {

namespace {

// 32 bits: short to type, and exact in every JSON reader.
std::uint64_t DrawnSeed() {
  return std::random_device{}();
}

}  // namespace

std::optional<std::uint64_t> Number(const Arguments& arguments, const Flag& flag, std::uint64_t min,
                                    std::uint64_t max, config::Problems& problems) {
  const auto text = arguments.Value(flag.name);
  if (!text) {
    return std::nullopt;
  }
  config::FieldInfo field;
  field.kind = config::Kind::kUnsigned;
  field.min = min;
  field.max = max;
  const config::ParsedValue parsed = config::ParseText(field, *text);
  if (!parsed.value) {
    problems.Add(fmt::format("{} {}", flag.name, config::Escaped(*text)), "", parsed.error);
    return std::nullopt;
  }
  return std::get<std::uint64_t>(*parsed.value);
}

std::uint32_t Rounds(const Arguments& arguments, const Flag& flag, std::uint32_t least,
                     std::uint32_t fallback, config::Problems& problems) {
  constexpr std::uint32_t kMost = 1'000'000;  // their figures take some hundred MB then
  return static_cast<std::uint32_t>(
      Number(arguments, flag, least, kMost, problems).value_or(fallback));
}

std::uint64_t Seed(const Arguments& arguments, const Flag& flag, config::Problems& problems) {
  const auto seed = Number(arguments, flag, 0, std::numeric_limits<std::uint64_t>::max(), problems);
  return seed ? *seed : DrawnSeed();
}

std::chrono::nanoseconds TimeLimit(const Arguments& arguments, const Flag& flag,
                                   config::Problems& problems) {
  // Long enough for every task that is meant to end; a hang in a script still ends within its patience.
  constexpr std::chrono::seconds kDefault{60};
  const auto text = arguments.Value(flag.name);
  if (!text) {
    return kDefault;
  }
  const auto time = ParseDuration(*text);
  if (!time) {
    problems.Add(
        fmt::format("{} {}", flag.name, config::Escaped(*text)), "",
        fmt::format("{} is not a time from 1ms to 1000h, such as 500ms, 10s or 2m; 0 for never",
                    config::Quoted(*text)));
  }
  return time.value_or(kDefault);
}

double Share(const Arguments& arguments, const Flag& flag, double fallback,
             config::Problems& problems) {
  const auto text = arguments.Value(flag.name);
  if (!text) {
    return fallback;
  }
  const bool in_percent = text->ends_with('%');
  const std::string_view number =
      std::string_view(*text).substr(0, text->size() - (in_percent ? 1 : 0));
  double share = 0;
  if (config::FormOf(number) != config::NumberForm::kNone) {
    std::from_chars(number.data(), number.data() + number.size(), share);
    share /= in_percent ? 100 : 1;
  }
  if (share > 0 && share <= 1) {
    return share;
  }
  problems.Add(fmt::format("{} {}", flag.name, config::Escaped(*text)), "",
               fmt::format("{} is not a share above 0 and at most 1, such as 2% or 0.02",
                           config::Quoted(*text)));
  return fallback;
}

}  // namespace schedbench::cli
