#include "report/graph/text.hpp"

#include "base/stable_sort.hpp"
#include "config/quote.hpp"
#include "fibers/core/waiting.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

constexpr std::size_t kPathParts = 10;  // of the critical path, that are shown

std::string Time(std::uint64_t ns, const TerminalStyle& style) {
  return Duration(static_cast<double>(ns), style);
}

// " of schedbench, fast, pingpong, 2 workers"; "" where nothing is known.
std::string OriginOf(const graph::TaskGraph& graph) {
  std::vector<std::string> parts;
  for (const std::string_view name : {"source", "scheduler", "workload", "machine"}) {
    if (const std::string_view value = graph.Fact(name); !value.empty()) {
      parts.push_back(config::Escaped(value, 200));
    }
  }
  if (graph.workers > 0) {
    parts.push_back(Plural(graph.workers, "worker"));
  }
  return parts.empty() ? "" : fmt::format(" of {}", fmt::join(parts, ", "));
}

// "  16 000 waits: receive from Channel (8 objects)", for each kind of wait, the most frequent first.
std::string WaitsText(const graph::TaskGraph& graph) {
  struct Waits {
    std::size_t count = 0;
    std::set<std::uint32_t> objects{};
  };
  std::map<std::uint8_t, Waits> by_kind;
  for (const graph::Step& step : graph.steps) {
    if (step.kind == graph::StepKind::kWait) {
      Waits& waits = by_kind[step.detail];
      ++waits.count;
      waits.objects.insert(step.object);
    }
  }
  std::vector<std::pair<std::uint8_t, const Waits*>> order;
  for (const auto& [kind, waits] : by_kind) {
    order.emplace_back(kind, &waits);
  }
  StableSort(order, std::ranges::greater{}, [](const auto& one) {
    return one.second->count;
  });
  std::string text;
  for (const auto& [kind, waits] : order) {
    // 0: of a call on whose thread the fiber continued without its worker. A kind from another version may have no name.
    const auto resume = static_cast<std::uint8_t>(fibers::WaitKind::kResume);
    const std::string_view name = kind == 0        ? "a blocking call"
                                  : kind == resume ? "a resume (Suspend)"
                                  : kind <= static_cast<std::uint8_t>(fibers::WaitKind::kNetConnect)
                                      ? fibers::ToText(static_cast<fibers::WaitKind>(kind))
                                      : "something else";
    text += fmt::format("  {}: {}", Plural(waits->count, "wait"), name);
    const bool has_objects = !(waits->objects.size() == 1 && waits->objects.contains(0));
    text += has_objects ? fmt::format(" ({})\n", Plural(waits->objects.size(), "object")) : "\n";
  }
  return text;
}

// ", of a replay 1.04 ms: 102 %"
std::string ReplayedText(const graph::TaskGraph& graph, const TerminalStyle& style) {
  const std::string_view fact = graph.Fact("replay_makespan_ns");
  std::uint64_t ns = 0;
  const auto [end, error] = std::from_chars(fact.data(), fact.data() + fact.size(), ns);
  if (fact.empty() || error != std::errc() || end != fact.data() + fact.size()) {
    return "";
  }
  const double ratio = static_cast<double>(ns) / static_cast<double>(graph.makespan_ns);
  constexpr double kExact = 0.05;
  return fmt::format(
      ", of a replay {}: {}{}", Time(ns, style), Percent(ratio),
      std::abs(ratio - 1) <= kExact
          ? ""
          : "    record it again on a calmer machine, or with more work in each task");
}

std::string CriticalPath(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                         const TerminalStyle& style) {
  TextTable table{
      {"  critical path"}, {"time", kRight}, {"share", kRight}, {"computations", kRight}};
  const auto add = [&](std::string name, std::uint64_t ns, std::string runs) {
    table.AddRow({"  " + std::move(name), Time(ns, style),
                  Percent(static_cast<double>(ns) / static_cast<double>(analysis.span_ns)),
                  std::move(runs)});
  };
  for (std::size_t i = 0; i < std::min(analysis.path.size(), kPathParts); ++i) {
    const graph::PathPart& part = analysis.path[i];
    const std::string& label = graph.labels[part.label];
    add(label.empty() ? "tasks without a name" : config::Escaped(label, 60), part.ns,
        Count(part.runs));
  }
  if (analysis.outside_ns > 0) {
    add("waits that no task ended", analysis.outside_ns, "");
  }
  return table.Render(style);
}

}  // namespace

std::string GraphText(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                      const TerminalStyle& style) {
  std::string text = fmt::format("task graph{}\n", OriginOf(graph));
  text += fmt::format("  {}, {}, {}, {}\n", Plural(analysis.fibers, "fiber"),
                      Plural(analysis.plain_tasks, "plain task"), Plural(graph.waits, "wait"),
                      Plural(analysis.yields, "yield"));
  text += WaitsText(graph);
  if (const std::string_view left_out = graph.Fact(graph::kLeftOutFact); !left_out.empty()) {
    text += fmt::format("  left out     {}\n", config::Escaped(left_out, 200));
  }
  if (graph.lost_events > 0) {
    text += fmt::format(
        "  {} were lost: the graph lacks the beginning of the run    use more --events\n",
        Plural(graph.lost_events, "event"));
  }
  text += fmt::format("  work         {}\n  span         {}\n  parallelism  {:.3g}\n",
                      Time(analysis.work_ns, style), Time(analysis.span_ns, style),
                      analysis.Parallelism());
  if (graph.makespan_ns > 0) {
    text += fmt::format("  makespan     {}{}{}\n", Time(graph.makespan_ns, style),
                        graph.lost_events > 0 ? " of the recorded part" : "",
                        ReplayedText(graph, style));
  }
  if (graph::ComesOverTime(graph)) {
    text += fmt::format(
        "  outside spawned and woke tasks during {} of the makespan    replay it with --open\n",
        Percent(graph::OutsideShare(graph)));
  }
  text += fmt::format("  hash         {:016x}\n", graph::StructureHash(graph));
  if (analysis.span_ns > 0) {
    text += "\n" + CriticalPath(graph, analysis, style);
  }
  return text;
}

}  // namespace schedbench::report
