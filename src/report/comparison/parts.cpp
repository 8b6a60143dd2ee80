#include "report/comparison/parts.hpp"

#include <fmt/core.h>

namespace schedbench::report {

std::string BetterArrow(registry::Better better, const TerminalStyle& style) {
  switch (better) {
    case registry::Better::kHigher:
      return " " + std::string(style.Sign("↑", "(higher is better)"));
    case registry::Better::kLower:
      return " " + std::string(style.Sign("↓", "(lower is better)"));
    case registry::Better::kNone:
      return "";
  }
  return "";
}

std::string RatioText(double ratio) {
  if (ratio >= 99.5) {
    return fmt::format("{:.0f}", ratio);
  }
  if (ratio >= 9.95) {
    return fmt::format("{:.1f}", ratio);
  }
  return ratio >= 0.0995 ? fmt::format("{:.3f}", ratio) : fmt::format("{:#.2g}", ratio);
}

std::string RatioInterval(const stats::RatioEstimate& ratio, const TerminalStyle& style) {
  return fmt::format("{} {} {}", RatioText(ratio.low), style.Sign("…", ".."),
                     RatioText(ratio.high));
}

}  // namespace schedbench::report
