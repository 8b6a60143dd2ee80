#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace schedbench::cli {

// Reads "500ms", "10s", "2m", "1h": digits and a unit, from 1 ms to 1000 h; "0", without a unit or with one, and "none"
// are 0. None for all else.
std::optional<std::chrono::nanoseconds> ParseDuration(std::string_view text);

}  // namespace schedbench::cli
