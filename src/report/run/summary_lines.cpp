#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/document/table.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace schedbench::report {

namespace {

using harness::RunResult;
using harness::Spread;

constexpr std::size_t kSparkBars = 20;

const std::optional<Spread>& SpreadOf(const RunResult& result, std::string_view metric) {
  return result.summary[harness::RoundMetricIndex(metric)].spread;
}

// Returns whether there is a spread: one round does not have one.
bool IsKnown(const Spread& spread) {
  return spread.is_interval || spread.low < spread.high;
}

// Returns " ±2.7 %", or "".
std::string PlusMinus(const Spread& spread, const TerminalStyle& style) {
  return IsKnown(spread) ? " " + PlusMinus(spread.low, spread.median, spread.high, style) : "";
}

// Returns "   95 % [4.31 M … 4.55 M]  ", or "".
std::string Interval(const Spread& spread, const TerminalStyle& style) {
  return IsKnown(spread)
             ? fmt::format("   {} [{} {} {}]  ", spread.is_interval ? "95 %" : "range",
                           Scaled(spread.low), style.Sign("…", ".."), Scaled(spread.high))
             : "";
}

std::string Throughput(const RunResult& result, const TerminalStyle& style) {
  const auto& spread = SpreadOf(result, "throughput");
  if (!spread) {
    return style.Dash();
  }
  std::string text = fmt::format("{} {}s/s{}{}", style.Bold(Scaled(spread->median)),
                                 result.plan.workload->operation, Interval(*spread, style),
                                 PlusMinus(*spread, style));
  if (style.unicode && result.rounds.size() > 1) {
    const auto values = VectorOf(result.rounds, [](const auto& round) {
      return *round.metrics[harness::RoundMetricIndex("throughput")];
    });
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

// Returns two lines: the percentiles, with their spreads below.
std::string Percentiles(std::span<const Percentile> percentiles, const RunResult& result,
                        std::string_view indent, const TerminalStyle& style) {
  if (!result.rounds.empty() && !result.rounds.back().times_tasks) {
    return "not measured";
  }
  std::string values;
  std::string spreads;
  for (const auto& [label, metric] : percentiles) {
    const auto& spread = SpreadOf(result, metric);
    const std::string value = " " + (spread ? Duration(spread->median, style) : style.Dash());
    const std::string plus_minus = spread ? PlusMinus(*spread, style) : "";
    const std::size_t width =
        std::max(config::CharacterCount(value), config::CharacterCount(plus_minus)) + 3;
    values += fmt::format("{}{}", style.Dim(label), Padded(value, width));
    spreads += std::string(label.size(), ' ') + Padded(plus_minus, width);
  }
  values.erase(values.find_last_not_of(' ') + 1);
  spreads.erase(spreads.find_last_not_of(' ') + 1);
  return spreads.empty() ? values : fmt::format("{}\n{}{}", values, indent, style.Dim(spreads));
}

std::string Cpu(const RunResult& result, const TerminalStyle& style) {
  std::string text = style.Dash();
  if (const auto& spread = SpreadOf(result, "cpu_per_operation")) {
    text = Duration(spread->median, style) + PlusMinus(*spread, style);
  }
  if (const auto& spread = SpreadOf(result, "cpus_used")) {
    text += fmt::format("   {} {:.2f} of {} CPUs{}", style.Dim("used"), spread->median,
                        result.machine.cpus_allowed, PlusMinus(*spread, style));
  }
  if (const auto& spread = SpreadOf(result, "idle_share")) {
    const std::string low = Percent(spread->low);
    const std::string high = Percent(spread->high);
    text += fmt::format("   {} {}", style.Dim("idle"), Percent(spread->median));
    text += low == high ? "" : fmt::format(" [{} {} {}]", low, style.Sign("…", ".."), high);
  } else if (!result.rounds.empty()) {
    text += fmt::format("   {} not measured", style.Dim("idle"));
  }
  return text;
}

// Returns how often threads gave up their CPU, per operation.
std::string KernelSwitches(const RunResult& result, const TerminalStyle& style) {
  const auto& voluntary = SpreadOf(result, "voluntary_switches");
  const auto& involuntary = SpreadOf(result, "involuntary_switches");
  if (!voluntary || !involuntary) {
    return style.Dash();
  }
  // Most values are far below 1.
  return fmt::format("{:.3g} {}   {:.3g} {} per {}", voluntary->median, style.Dim("voluntary"),
                     involuntary->median, style.Dim("involuntary"),
                     result.plan.workload->operation);
}

// Returns what the CPU counted.
std::string Hardware(const RunResult& result, const TerminalStyle& style) {
  const auto row = [&](std::string_view metric) -> const harness::SummaryRow& {
    return result.summary[harness::RoundMetricIndex(metric)];
  };
  const harness::SummaryRow& instructions = row("instructions");
  const harness::SummaryRow& misses = row("cache_misses");
  if (!instructions.spread && !misses.spread) {
    return instructions.missing;
  }
  const auto text = [&](const harness::SummaryRow& of, std::string_view name) {
    return of.spread ? fmt::format("{:.4g} {}", of.spread->median, style.Dim(name))
                     : fmt::format("{} {}", style.Dash(), style.Dim(name));
  };
  return fmt::format("{}   {} per {}", text(instructions, "instructions"),
                     text(misses, "cache misses"), result.plan.workload->operation);
}

// Returns a metric that only this workload has.
std::string Own(const RunResult& result, const harness::SummaryRow& row,
                const TerminalStyle& style) {
  if (!row.spread) {
    return style.Dash();
  }
  const double median = row.spread->median;
  return style.Bold(row.metric->unit == "per op"
                        ? PerOperation(median, result.plan.workload->operation)
                        : MetricText(*row.metric, median, style)) +
         PlusMinus(*row.spread, style);
}

}  // namespace

std::string SummaryLines(const RunResult& result, const TerminalStyle& style) {
  const std::string cpu_label = fmt::format("cpu per {}", result.plan.workload->operation);
  const std::span own = std::span(result.summary).subspan(harness::RoundMetricList().size());
  std::size_t width = std::max<std::size_t>(config::CharacterCount(cpu_label), 14);
  for (const harness::SummaryRow& row : own) {
    width = std::max(width, row.metric->name.size());
  }
  const std::string indent(width + 5, ' ');
  const auto line = [&](std::string_view label, const std::string& text) {
    return fmt::format("  {}   {}\n", style.Dim(Padded(label, width)), text);
  };
  std::string text = line("throughput", Throughput(result, style)) +
                     line("wakeup latency", Percentiles(kWakeups, result, indent, style)) +
                     line("run of a task", Percentiles(kRuns, result, indent, style)) +
                     line(cpu_label, Cpu(result, style)) +
                     line("switches", KernelSwitches(result, style)) +
                     line("hardware", Hardware(result, style));
  for (const harness::SummaryRow& row : own) {
    text += line(MetricLabel(*row.metric), Own(result, row, style));
  }
  return text;
}

}  // namespace schedbench::report
