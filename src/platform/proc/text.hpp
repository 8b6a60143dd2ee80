#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Numbers and words in the texts of /proc and /sys, or nothing. Pure functions; thread-safe.

namespace schedbench::platform {

// Reads "2", "-1": the whole text, up to 2^53.
std::optional<std::int64_t> WholeNumber(const std::optional<std::string_view>& text);

// Reads "0.25": the whole text, finite.
std::optional<double> Decimal(std::string_view text);

// Returns the words between spaces.
std::vector<std::string_view> WordsOf(std::string_view text);

// Returns the rest of the first line that starts with this word and a space, a tab or a colon: "5"
// of "nr_throttled 5".
std::optional<std::string_view> ValueOf(std::string_view text, std::string_view word);

}  // namespace schedbench::platform
