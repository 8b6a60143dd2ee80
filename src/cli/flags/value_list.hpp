#pragma once

#include "config/problems.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// More values of a key could not be measured in a day.
inline constexpr std::size_t kMostValues = 10'000;

// Returns the values of "a,b,c". A part may be a range of numbers: "1..4" is 1, 2, 3, 4;
// "0..100+20" has steps of 20; "1..64*2" doubles. A range ends with the last value within its end.
// It is not checked whether the values fit a field. Returns none, and a problem at `where`, if the
// list is wrong.
std::vector<std::string> ParseValueList(std::string_view text, const std::string& where,
                                        config::Problems& problems);

}  // namespace schedbench::cli
