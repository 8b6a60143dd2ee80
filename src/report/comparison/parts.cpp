#include "report/comparison/parts.hpp"

#include "config/quote.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedbench::report {

std::optional<Note> NoteOnBlocks(const harness::ComparisonPlan& plan, std::size_t comparisons) {
  comparisons = std::max<std::size_t>(comparisons, 1);
  const std::size_t needed = harness::BlocksFor(comparisons, plan);
  if (plan.saved.count > 0 || plan.blocks >= needed) {
    return std::nullopt;
  }
  const std::string intervals =
      comparisons == 1 ? "a 95 % interval"
                       : fmt::format("95 % intervals of {} ratios at once", comparisons);
  // Fewer ratios need fewer blocks.
  const bool one_has = plan.blocks >= harness::BlocksFor(1, plan) && plan.metrics.size() != 1;
  return Note{
      .text = fmt::format("{} {} too few for {}; the report has the ratios alone",
                          Plural(plan.blocks, "block"), plan.blocks == 1 ? "is" : "are", intervals),
      .remedy = fmt::format("--blocks {}{}", needed, one_has ? ", or --metric throughput" : "")};
}

std::string BetterArrow(registry::Better better, const TerminalStyle& style) {
  if (better == registry::Better::kNone) {
    return "";
  }
  return " " + std::string(better == registry::Better::kHigher
                               ? style.Sign("↑", "(higher is better)")
                               : style.Sign("↓", "(lower is better)"));
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

namespace {

std::string SignedText(const registry::Metric& metric, double value, const TerminalStyle& style) {
  return (value < 0 ? "-" : value > 0 ? "+" : "") + MetricText(metric, std::abs(value), style);
}

}  // namespace

std::string DifferenceText(const harness::ComparedRow& row, const TerminalStyle& style) {
  return SignedText(*row.metric, row.difference->difference, style);
}

std::string DifferenceInterval(const harness::ComparedRow& row, const TerminalStyle& style) {
  return fmt::format("{} {} {}", SignedText(*row.metric, row.difference->low, style),
                     style.Sign("…", ".."), SignedText(*row.metric, row.difference->high, style));
}

std::string_view VerdictSign(harness::Verdict verdict, const TerminalStyle& style) {
  using Signs = std::pair<std::string_view, std::string_view>;  // in Unicode and ASCII
  constexpr std::array kSigns{Signs{"+", "+"},     Signs{"(+)", "(+)"}, Signs{"=", "="},
                              Signs{"(−)", "(-)"}, Signs{"−", "-"},     Signs{"?", "?"},
                              Signs{"≠", "!"}};
  static_assert(kSigns.size() == static_cast<std::size_t>(harness::Verdict::kDiffers) + 1);
  const auto& [unicode, ascii] = kSigns[static_cast<std::size_t>(verdict)];
  return style.Sign(unicode, ascii);
}

std::string VerdictLegend(const TerminalStyle& style) {
  using harness::Verdict;
  return style.Dim(fmt::format(
      "{} better, {} worse, {} and {} slightly, {} same, {} inconclusive",
      VerdictSign(Verdict::kBetter, style), VerdictSign(Verdict::kWorse, style),
      VerdictSign(Verdict::kSlightlyBetter, style), VerdictSign(Verdict::kSlightlyWorse, style),
      VerdictSign(Verdict::kSame, style), VerdictSign(Verdict::kInconclusive, style)));
}

std::string ShortName(const harness::ComparisonPlan& plan, std::size_t workload) {
  const std::string_view name = plan.workloads[workload].entry->name;
  const auto same = std::ranges::count_if(
      plan.workloads, [name](const auto& other) { return other.entry->name == name; });
  return same == 1 ? std::string(name) : config::Escaped(plan.workloads[workload].name, 60);
}

std::string_view RemedyOfNoBlock(const ComparisonResult& result) {
  return result.plan.budget && result.data.complete ? ": a larger --budget" : "";
}

const harness::ComparedRow* FindRow(const harness::Comparison& comparison, std::size_t workload,
                                    std::size_t alternative, const registry::Metric& metric) {
  const auto found = std::ranges::find_if(comparison.rows, [&](const harness::ComparedRow& row) {
    return row.workload == workload && row.alternative == alternative &&
           row.metric->name == metric.name;
  });
  return found == comparison.rows.end() ? nullptr : &*found;
}

}  // namespace schedbench::report
