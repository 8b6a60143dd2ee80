#pragma once

#include <span>
#include <string>

namespace schedbench::report {

// Draws values in the order of time as a row of at most `width` bars, one per value or per group of neighbours (their mean). The
// heights range from the least to the greatest value, but over at least 2 % of the mean, so that noise stays flat.
std::string Sparkline(std::span<const double> values, std::size_t width);

}  // namespace schedbench::report
