#include "report/run/summary_lines.hpp"

#include "config/quote.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/sparkline.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::report {

namespace {

using harness::RunResult;
using harness::Spread;

constexpr std::size_t kSparkBars = 20;

const std::optional<Spread>& SpreadOf(const RunResult& result, std::string_view metric) {
  return result.summary[harness::RoundMetricIndex(metric)].spread;
}

std::string Missing(const TerminalStyle& look) {
  return std::string(look.Sign("—", "-"));
}

// One round tells nothing of a spread.
bool IsKnown(const Spread& spread) {
  return spread.is_interval || spread.low < spread.high;
}

// " ±2.7 %", or nothing.
std::string PlusMinus(const Spread& spread, const TerminalStyle& look) {
  return IsKnown(spread) ? " " + PlusMinus(spread.low, spread.median, spread.high, look) : "";
}

// "   95 % [4.31 M … 4.55 M]  ", or nothing.
std::string Interval(const Spread& spread, const TerminalStyle& look) {
  return IsKnown(spread)
             ? fmt::format("   {} [{} {} {}]  ", spread.is_interval ? "95 %" : "range",
                           Scaled(spread.low), look.Sign("…", ".."), Scaled(spread.high))
             : "";
}

std::string Throughput(const RunResult& result, const TerminalStyle& look) {
  const auto& spread = SpreadOf(result, "throughput");
  if (!spread) {
    return Missing(look);
  }
  std::string text = fmt::format("{} {}s/s{}{}", look.Bold(Scaled(spread->median)),
                                 result.plan.workload->operation, Interval(*spread, look),
                                 PlusMinus(*spread, look));
  if (look.unicode && result.rounds.size() > 1) {
    std::vector<double> values;
    values.reserve(result.rounds.size());
    for (const harness::Round& round : result.rounds) {
      values.push_back(*round.figures[harness::RoundMetricIndex("throughput")]);
    }
    text += "   " + Sparkline(values, kSparkBars);
  }
  return text;
}

struct Percentile {
  std::string_view label;
  std::string_view metric;
};

constexpr std::array kWakeups{
    Percentile{"p50", "wakeup_p50"}, Percentile{"p90", "wakeup_p90"},
    Percentile{"p99", "wakeup_p99"}, Percentile{"p99.9", "wakeup_p99_9"},
    Percentile{"max", "wakeup_max"},
};

constexpr std::array kRuns{
    Percentile{"p50", "run_p50"},
    Percentile{"p99", "run_p99"},
    Percentile{"max", "run_max"},
};

// Two lines: the percentiles, and below each its spread.
std::string Percentiles(std::span<const Percentile> percentiles, const RunResult& result,
                        std::string_view indent, const TerminalStyle& look) {
  std::string values;
  std::string spreads;
  for (const auto& [label, metric] : percentiles) {
    const auto& spread = SpreadOf(result, metric);
    const std::string value = " " + (spread ? Duration(spread->median, look) : Missing(look));
    const std::string plus_minus = spread ? PlusMinus(*spread, look) : "";
    const std::size_t width =
        std::max(config::CharacterCount(value), config::CharacterCount(plus_minus)) + 3;
    values += fmt::format("{}{}", look.Dim(label), Padded(value, width, TextTable::Align::kLeft));
    spreads += std::string(label.size(), ' ') + Padded(plus_minus, width, TextTable::Align::kLeft);
  }
  values.erase(values.find_last_not_of(' ') + 1);
  spreads.erase(spreads.find_last_not_of(' ') + 1);
  return spreads.empty() ? values : fmt::format("{}\n{}{}", values, indent, look.Dim(spreads));
}

std::string Cpu(const RunResult& result, const TerminalStyle& look) {
  std::string text = Missing(look);
  if (const auto& spread = SpreadOf(result, "cpu_per_operation")) {
    text = Duration(spread->median, look) + PlusMinus(*spread, look);
  }
  if (const auto& spread = SpreadOf(result, "cpus_used")) {
    text += fmt::format("   {} {:.2f} of {} CPUs{}", look.Dim("used"), spread->median,
                        result.machine.cpus_allowed, PlusMinus(*spread, look));
  }
  if (const auto& spread = SpreadOf(result, "idle_share")) {
    const std::string low = Percent(spread->low);
    const std::string high = Percent(spread->high);
    text += fmt::format("   {} {}", look.Dim("idle"), Percent(spread->median));
    text += low == high ? "" : fmt::format(" [{} {} {}]", low, look.Sign("…", ".."), high);
  }
  return text;
}

// A figure that only this workload has.
std::string Own(const harness::SummaryRow& row, const TerminalStyle& look) {
  if (!row.spread) {
    return Missing(look);
  }
  return look.Bold(FigureText(*row.figure, row.spread->median, look)) +
         PlusMinus(*row.spread, look);
}

}  // namespace

std::string SummaryLines(const RunResult& result, const TerminalStyle& look) {
  const std::string cpu_label = fmt::format("cpu per {}", result.plan.workload->operation);
  const std::span own = std::span(result.summary).subspan(harness::RoundMetricList().size());
  std::size_t width = std::max<std::size_t>(config::CharacterCount(cpu_label), 14);
  for (const harness::SummaryRow& row : own) {
    width = std::max(width, row.figure->name.size());
  }
  const std::string indent(width + 5, ' ');
  const auto line = [&](std::string_view label, const std::string& text) {
    return fmt::format("  {}   {}\n", look.Dim(Padded(label, width, TextTable::Align::kLeft)),
                       text);
  };
  std::string text = line("throughput", Throughput(result, look)) +
                     line("wakeup latency", Percentiles(kWakeups, result, indent, look)) +
                     line("run of a task", Percentiles(kRuns, result, indent, look)) +
                     line(cpu_label, Cpu(result, look));
  for (const harness::SummaryRow& row : own) {
    text += line(FigureLabel(*row.figure), Own(row, look));
  }
  return text;
}

}  // namespace schedbench::report
