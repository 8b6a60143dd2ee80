#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Numbers and words in the texts of /proc and /sys. Nothing where there is none. Pure functions; thread-safe.

namespace schedbench::platform {

// "2", "-1": all of the text; up to 2^53.
std::optional<std::int64_t> WholeNumber(const std::optional<std::string_view>& text);

// "0.25": all of the text, finite.
std::optional<double> Decimal(std::string_view text);

// What stands between spaces.
std::vector<std::string_view> WordsOf(std::string_view text);

// The rest of the first line that begins with this word and a space, a tab or a colon: ("nr_throttled 5", "nr_throttled") -> "5".
std::optional<std::string_view> ValueOf(std::string_view text, std::string_view word);

}  // namespace schedbench::platform
