#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace schedbench::report {

namespace {

// Returns three significant digits of a number from 1 to 999.
std::string ThreeDigits(double value) {
  if (value >= 99.95) {
    return fmt::format("{:.0f}", value);
  }
  return value >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string Scaled(double value) {
  constexpr std::array<std::string_view, 5> kPrefixes{"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return ThreeDigits(value) + std::string(kPrefixes[prefix]);
}

std::string WithUnit(double value, std::string_view unit) {
  const std::string scaled = Scaled(value);
  const bool has_prefix = scaled.find(' ') != std::string::npos;
  const bool is_word = unit.size() > 2;  // "1 kB", but "1 k tasks"
  return scaled + (has_prefix && !is_word ? "" : " ") + std::string(unit);
}

std::string Duration(double ns, const TerminalStyle& style) {
  if (ns < 999.5) {
    return ThreeDigits(ns) + " ns";
  }
  if (ns < 999.5e3) {
    return fmt::format("{} {}s", ThreeDigits(ns / 1e3), style.Sign("µ", "u"));
  }
  return ns < 999.5e6 ? ThreeDigits(ns / 1e6) + " ms" : ThreeDigits(ns / 1e9) + " s";
}

std::string MetricText(const registry::Metric& metric, double value, const TerminalStyle& style) {
  if (metric.unit == "ns") {
    return Duration(value, style);
  }
  if (metric.unit == "per op") {
    return PerOperation(value, "op");
  }
  return metric.unit == "share" ? Percent(value) : WithUnit(value, metric.unit);
}

std::string PerOperation(double value, std::string_view operation) {
  return fmt::format("{:.3g} per {}", value, operation);  // most values are far below 1
}

std::string MetricLabel(const registry::Metric& metric) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string label(metric.name);
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '_') {
      const bool in_number =
          i > 0 && i + 1 < label.size() && is_digit(label[i - 1]) && is_digit(label[i + 1]);
      label[i] = in_number ? '.' : ' ';
    }
  }
  return label;
}

std::string Count(std::uint64_t count) {
  if (count >= 1'000'000) {
    const double millions = static_cast<double>(count) / 1e6;
    return millions < 9999.95 ? fmt::format("{:.1f} M", millions)
                              : fmt::format("{:.1f} G", millions / 1e3);
  }
  return count < 1000 ? fmt::format("{}", count)
                      : fmt::format("{} {:03}", count / 1000, count % 1000);
}

std::string Percent(double share) {
  const double percent = 100 * share;
  if (percent == 0) {
    return "0 %";
  }
  if (percent < 0.1) {
    return "<0.1 %";
  }
  return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

// Above this limit the exact number does not matter.
constexpr double kMaxShown = 10;

std::string PlusMinus(double low, double middle, double high, const TerminalStyle& style) {
  if (middle == 0) {
    return "";
  }
  // Round up so that it does not show as 0.
  const double share = std::abs((high - low) / 2 / middle);
  if (share > kMaxShown) {
    return std::string(style.Sign("±", "+-")) + ">" + Percent(kMaxShown);
  }
  return std::string(style.Sign("±", "+-")) + Percent(share == 0 ? 0 : std::max(share, 0.001));
}

std::string SpreadText(const harness::Spread& spread, const TerminalStyle& style) {
  return spread.low < spread.high ? PlusMinus(spread.low, spread.median, spread.high, style) : "";
}

std::string EstimateText(const stats::RatioEstimate& ratio) {
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", ratio.ratio, ratio.low, ratio.high);
}

namespace {

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> GroupMeans(std::span<const double> values, std::size_t groups) {
  std::vector<double> means;
  for (std::size_t i = 0; i < groups; ++i) {
    const std::size_t first = i * values.size() / groups;
    const std::size_t last = (i + 1) * values.size() / groups;
    means.push_back(Mean(values.subspan(first, last - first)));
  }
  return means;
}

}  // namespace

std::string Sparkline(std::span<const double> values, std::size_t width) {
  constexpr std::array<std::string_view, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr double kMinSpan = 0.02;
  if (values.empty()) {
    return "";
  }
  const std::vector<double> bars = GroupMeans(values, std::min(values.size(), width));
  const auto [least, greatest] = std::ranges::minmax(bars);
  const double span = std::max(greatest - least, kMinSpan * Mean(bars));
  const double bottom = (least + greatest - span) / 2;
  std::string line;
  for (const double bar : bars) {
    const double height = span > 0 ? (bar - bottom) / span : 0;
    const auto level = static_cast<std::size_t>(height * static_cast<double>(kBars.size()));
    line += kBars[std::min(level, kBars.size() - 1)];
  }
  return line;
}

}  // namespace schedbench::report
