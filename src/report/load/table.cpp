#include "config/quote.hpp"
#include "report/load/load_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::LoadSummary;

std::string LatencyText(const std::optional<double>& ns, const TerminalStyle& style) {
  return ns && std::isfinite(*ns) ? Duration(*ns, style) : style.Dash();
}

std::string LoadRateText(double per_second) {
  return Scaled(per_second) + "/s";
}

void AddRow(TextTable& table, const std::string& name, const std::optional<LoadSummary>& summary,
            const TerminalStyle& style) {
  std::vector<std::string> cells{config::Escaped(name, 60)};
  if (!summary) {
    cells.emplace_back("hole");
    cells.resize(11);
  } else {
    cells.insert(
        cells.end(),
        {LoadRateText(summary->asked), LoadRateText(summary->reached),
         LatencyText(summary->latency.p50, style), LatencyText(summary->latency.p90, style),
         LatencyText(summary->latency.p99, style), LatencyText(summary->latency.p99_9, style),
         LatencyText(summary->latency.max, style), LatencyText(summary->delay.p99, style),
         LatencyText(summary->delay.max, style), Count(summary->unanswered)});
  }
  table.AddRow(std::move(cells));
}

std::string GeneratorRows(const LoadResult& result, const TerminalStyle& style) {
  TextTable table{{"generator"},
                  {"asked", kRight, true},
                  {"reached", kRight},
                  {"p50", kRight, true},
                  {"p90", kRight, false, 2},
                  {"p99", kRight},
                  {"p99.9", kRight},
                  {"max", kRight},
                  {"delay p99", kRight, true},
                  {"delay max", kRight, false, 1},
                  {"unanswered", kRight}};
  AddRow(table, "all", result.analysis.all, style);
  for (std::size_t i = 0; i < result.analysis.generators.size(); ++i) {
    AddRow(table, PartName(result.plan.generators, i), result.analysis.generators[i], style);
  }
  return table.Render(style);
}

std::string ServerLine(const LoadResult& result, std::size_t i, const TerminalStyle& style) {
  const harness::LoadPart& server = result.data.servers[i].part;
  const std::string where = PartName(result.plan.servers, i);
  if (!server.round) {
    return LabelledLine("server", fmt::format("{}: hole", config::Escaped(where, 60)), style);
  }
  std::vector<std::string> parts{
      fmt::format("{}: {}", config::Escaped(where, 60),
                  config::Escaped(result.plan.server.name, 100)),
      Plural(server.opened->workers, "worker"),
      fmt::format("{} messages", Count(server.round->operations)),
      Duration(static_cast<double>(result.data.servers[i].cpu_ns), style) + " of CPU time"};
  if (server.round->operations > 0) {
    parts.push_back(Duration(static_cast<double>(result.data.servers[i].cpu_ns) /
                                 static_cast<double>(server.round->operations),
                             style) +
                    " per message");
  }
  return LabelledLine("server", Joined(parts, 10, style), style);
}

// The offset is that of the clock there to the one here.
std::string ClockLine(const std::string& name, const harness::LoadPart& part,
                      const TerminalStyle& style) {
  if (!part.clock) {
    return "";
  }
  const auto of = [&style](const harness::ClockOffset& clock) {
    const auto offset = static_cast<double>(clock.offset_ns);
    return fmt::format("{}{} {} {}", offset < 0 ? "-" : "+", Duration(std::abs(offset), style),
                       style.Sign("±", "+-"), Duration(static_cast<double>(clock.bound_ns), style));
  };
  std::string text = fmt::format("{}: offset {}", config::Escaped(name, 60), of(*part.clock));
  if (part.clock_after) {
    text += fmt::format(", after the load {}", of(*part.clock_after));
  }
  return LabelledLine("clock", text, style);
}

}  // namespace

std::string RenderTable(const LoadResult& result, const TerminalStyle& style) {
  const harness::LoadPlan& plan = result.plan;
  std::string text =
      Joined({config::Escaped(plan.workload_text, 200), config::Escaped(plan.server.name, 100),
              Plural(plan.generators.size(), "generator"), LoadRateText(plan.rate),
              Duration(static_cast<double>(plan.duration.count()), style)},
             0, style) +
      "\n";
  if (!result.data.complete) {
    text += LabelledLine("partial", "the measurement ended early", style);
  }
  text += "\n" + GeneratorRows(result, style);
  text += style.Dim(
              "  latency: from when a request is due until its answer; delay: until it begins to "
              "be sent, part of the latency") +
          "\n\n";
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    text += ServerLine(result, i, style);
  }
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    text +=
        ClockLine("server " + PartName(result.plan.servers, i), result.data.servers[i].part, style);
  }
  for (std::size_t i = 0; i < result.data.generators.size(); ++i) {
    text += ClockLine("generator " + PartName(result.plan.generators, i),
                      result.data.generators[i].part, style);
  }
  return text + "\n" + NoteLines(NotesOn(result), style) + PlaceLines(MachinesOf(result), style) +
         OriginLines(result.machine, result.command, plan.seed, style);
}

}  // namespace schedbench::report
