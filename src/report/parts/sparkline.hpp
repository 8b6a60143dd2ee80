#pragma once

#include <span>
#include <string>

namespace schedbench::report {

// Draws values in the order of time as a row of at most `width` bars, one per value or per group of
// neighbours (their mean). The height is between the least and the greatest value, but never stretches less
// than 2 % of the mean over the whole height: noise is not to look like a mountain.
std::string Sparkline(std::span<const double> values, std::size_t width);

}  // namespace schedbench::report
