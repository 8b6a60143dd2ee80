#pragma once

#include "harness/summary.hpp"
#include "registry/metric.hpp"
#include "report/parts/terminal_style.hpp"
#include "stats/ratio.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Numbers for people: three significant digits and a unit. Pure; thread-safe.
namespace schedbench::report {

// Returns "4.42 M", "613 k", "12.0".
std::string Scaled(double value);

// Returns "4.32 kB", "12.0 tasks".
std::string WithUnit(double value, std::string_view unit);

// Returns "410 ns", "3.20 µs", "1.20 ms", "2.50 s".
std::string Duration(double ns, const TerminalStyle& style);

// Returns the value of a metric with its unit: "410 ns", "4.2 %", "4.32 kB".
std::string MetricText(const registry::Metric& metric, double value, const TerminalStyle& style);

// Returns "0.12 per request".
std::string PerOperation(double value, std::string_view operation);

// Returns "create time" for "create_time", "wakeup p99.9" for "wakeup_p99_9".
std::string MetricLabel(const registry::Metric& metric);

// Returns "0", "12 345", "192.1 M".
std::string Count(std::uint64_t count);

// Returns a share as "0 %", "<0.1 %", "4.2 %", "91 %".
std::string Percent(double share);

// Returns half of the width of low..high, relative to the middle: "±2.7 %"; "" if the middle is 0.
std::string PlusMinus(double low, double middle, double high, const TerminalStyle& style);

// Returns "±2.7 %"; "" without a spread. With fewer than 6 values it is half of the range.
std::string SpreadText(const harness::Spread& spread, const TerminalStyle& style);

// Returns "0.84 (0.80 to 0.89)".
std::string EstimateText(const stats::RatioEstimate& ratio);

// Draws values in the order of time as at most `width` bars, one for each value or group of
// neighbours (their mean). The heights span the least to the greatest value, but at least 2 % of
// the mean, so that noise stays flat.
std::string Sparkline(std::span<const double> values, std::size_t width);

}  // namespace schedbench::report
