#include "report/graph/sections.hpp"

#include "base/stable_sort.hpp"
#include "config/quote.hpp"
#include "fibers/core/waiting.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace schedbench::report {

namespace {

constexpr std::size_t kPathParts = 10;  // shown parts of the critical path

std::string Time(std::uint64_t ns, const TerminalStyle& style) {
  return Duration(static_cast<double>(ns), style);
}

// Returns " of schedbench, fast, pingpong, 2 workers"; "" where nothing is known.
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

// Returns "16 000 waits: receive from Channel (8 objects)" for each kind, most frequent first.
std::vector<Sentence> WaitsOf(const graph::TaskGraph& graph) {
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
  StableSort(order, std::ranges::greater{}, [](const auto& one) { return one.second->count; });
  std::vector<Sentence> sentences;
  for (const auto& [kind, waits] : order) {
    // 0: a call on whose thread the fiber continued without its worker. Other versions' kinds may
    // lack names.
    const auto resume = static_cast<std::uint8_t>(fibers::WaitKind::kResume);
    const std::string_view name = kind == 0        ? "a blocking call"
                                  : kind == resume ? "a resume (Suspend)"
                                  : kind <= static_cast<std::uint8_t>(fibers::WaitKind::kNetConnect)
                                      ? fibers::ToText(static_cast<fibers::WaitKind>(kind))
                                      : "something else";
    const bool has_objects = !(waits->objects.size() == 1 && waits->objects.contains(0));
    sentences.push_back({fmt::format(
        "{}: {}{}", Plural(waits->count, "wait"), name,
        has_objects ? fmt::format(" ({})", Plural(waits->objects.size(), "object")) : "")});
  }
  return sentences;
}

// Returns "makespan     1.02 ms, of a replay 1.04 ms: 102 %".
Sentence MakespanOf(const graph::TaskGraph& graph, const TerminalStyle& style) {
  Sentence sentence{fmt::format("makespan     {}{}", Time(graph.makespan_ns, style),
                                graph.lost_events > 0 ? " of the recorded part" : "")};
  const std::string_view fact = graph.Fact("replay_makespan_ns");
  std::uint64_t ns = 0;
  const auto [end, error] = std::from_chars(fact.data(), fact.data() + fact.size(), ns);
  if (fact.empty() || error != std::errc() || end != fact.data() + fact.size()) {
    return sentence;
  }
  const double ratio = static_cast<double>(ns) / static_cast<double>(graph.makespan_ns);
  constexpr double kExact = 0.05;
  sentence.text += fmt::format(", of a replay {}: {}", Time(ns, style), Percent(ratio));
  sentence.remedy = std::abs(ratio - 1) <= kExact ? ""
                                                  : "record it again on a calmer machine, or with "
                                                    "more work in each task";
  return sentence;
}

Table PathTable(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                const TerminalStyle& style) {
  Table table{.columns = {{"task"}, {"time", kRight}, {"share", kRight}, {"computations", kRight}}};
  const auto add = [&](const std::string& name, std::uint64_t ns, const std::string& runs) {
    table.rows.push_back({name, Time(ns, style),
                          Percent(static_cast<double>(ns) / static_cast<double>(analysis.span_ns)),
                          runs});
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
  return table;
}

}  // namespace

std::vector<Section> GraphSections(const graph::TaskGraph& graph, const graph::Analysis& analysis,
                                   const TerminalStyle& style) {
  Section size{.title = fmt::format("Task graph{}", OriginOf(graph))};
  std::vector<Sentence>& lines = size.details;
  lines.push_back({fmt::format("{}, {}, {}, {}", Plural(analysis.fibers, "fiber"),
                               Plural(analysis.plain_tasks, "plain task"),
                               Plural(graph.waits, "wait"), Plural(analysis.yields, "yield"))});
  std::ranges::move(WaitsOf(graph), std::back_inserter(lines));
  if (const std::string_view left_out = graph.Fact(graph::kLeftOutFact); !left_out.empty()) {
    lines.push_back({fmt::format("left out     {}", config::Escaped(left_out, 200))});
  }
  if (graph.lost_events > 0) {
    lines.push_back({fmt::format("{} were lost: the graph lacks the beginning of the run",
                                 Plural(graph.lost_events, "event")),
                     "use more --events"});
  }
  lines.push_back({"work         " + Time(analysis.work_ns, style)});
  lines.push_back({"span         " + Time(analysis.span_ns, style)});
  lines.push_back({fmt::format("parallelism  {:.3g}", analysis.Parallelism())});
  if (graph.makespan_ns > 0) {
    lines.push_back(MakespanOf(graph, style));
  }
  if (graph::ComesOverTime(graph)) {
    lines.push_back({fmt::format("outside spawned and woke tasks during {} of the makespan",
                                 Percent(graph::OutsideShare(graph))),
                     "replay it with --open"});
  }
  lines.push_back({fmt::format("hash         {:016x}", graph::StructureHash(graph))});
  std::vector<Section> sections{std::move(size)};
  if (analysis.span_ns > 0) {
    sections.push_back({.title = "Critical path", .table = PathTable(graph, analysis, style)});
  }
  return sections;
}

}  // namespace schedbench::report
