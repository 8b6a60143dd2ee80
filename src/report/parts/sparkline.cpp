#include "report/parts/sparkline.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <vector>

namespace schedbench::report {

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
