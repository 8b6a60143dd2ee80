#include "config/quote.hpp"
#include "report/load/load_report.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace schedbench::report {

namespace {

using harness::LoadSummary;

std::string RateText(double per_second) {
  return Scaled(per_second) + "/s";
}

struct GeneratorRow {
  std::string name;
  std::optional<LoadSummary> summary;
  std::string hole;  // why there is no summary
};

std::vector<GeneratorRow> GeneratorRows(const LoadResult& result) {
  std::vector<GeneratorRow> generators{{"all", result.analysis.all, ""}};
  for (std::size_t i = 0; i < result.analysis.generators.size(); ++i) {
    generators.push_back({PartName(result.plan.generators, i), result.analysis.generators[i],
                          result.data.generators[i].part.failure});
  }
  return generators;
}

Table GeneratorsTable(const LoadResult& result, const TerminalStyle& style) {
  TableOf<GeneratorRow> table;
  const auto add = [&table](ColumnHead head, auto cell) {
    head.align = kRight;
    table.Add(std::move(head), [cell](const GeneratorRow& one) {
      return one.summary ? cell(*one.summary) : Cell();
    });
  };
  using Quantile = std::optional<double> harness::TimeQuantiles::*;
  const auto add_time = [&](ColumnHead head, harness::TimeQuantiles LoadSummary::* time,
                            Quantile quantile) {
    head.unit = "ns";
    add(std::move(head), [time, quantile, &style](const LoadSummary& summary) {
      const auto& ns = summary.*time.*quantile;
      return ns && std::isfinite(*ns) ? TimeCell(ns, style) : Cell("", style.Dash());
    });
  };
  using harness::TimeQuantiles;
  table.Add({"generator"},
            [](const GeneratorRow& one) { return Cell(one.name, config::Escaped(one.name, 60)); });
  add({.name = "requests", .media = kInRows | kInPage},
      [](const LoadSummary& summary) { return CountCell(summary.requests); });
  table.Add({.name = "asked", .align = kRight, .unit = "per_s", .opens_group = true},
            [](const GeneratorRow& one) {
              return one.summary ? NumberCell(one.summary->asked, &RateText) : Cell("", "hole");
            });
  add({.name = "reached", .unit = "per_s"},
      [](const LoadSummary& summary) { return NumberCell(summary.reached, &RateText); });
  const auto latency = &LoadSummary::latency;
  add_time({.name = "latency mean", .media = kInRows | kInPage}, latency, &TimeQuantiles::mean);
  add_time({.name = "latency p50", .opens_group = true}, latency, &TimeQuantiles::p50);
  add_time({.name = "latency p90", .loss = 2}, latency, &TimeQuantiles::p90);
  add_time({.name = "latency p99"}, latency, &TimeQuantiles::p99);
  add_time({.name = "latency p99.9"}, latency, &TimeQuantiles::p99_9);
  add_time({.name = "latency max"}, latency, &TimeQuantiles::max);
  add_time({.name = "delay p99", .opens_group = true}, &LoadSummary::delay, &TimeQuantiles::p99);
  add_time({.name = "delay max", .loss = 1}, &LoadSummary::delay, &TimeQuantiles::max);
  add({.name = "unanswered"},
      [](const LoadSummary& summary) { return CountCell(summary.unanswered); });
  table.Add({.name = "hole", .media = kInRows | kInPage}, &GeneratorRow::hole);
  return std::move(table).Rows(GeneratorRows(result));
}

Note ServerNote(const LoadResult& result, std::size_t i, const TerminalStyle& style) {
  const harness::LoadPart& server = result.data.servers[i].part;
  const std::string where = config::Escaped(PartName(result.plan.servers, i), 60);
  if (!server.round) {
    return {where + ": hole", "", "server"};
  }
  const auto cpu_ns = static_cast<double>(result.data.servers[i].cpu_ns);
  std::string text = fmt::format("{}: {}, {}, {} messages, {} of CPU time", where,
                                 config::Escaped(result.plan.server.name, 100),
                                 Plural(server.opened->workers, "worker"),
                                 Count(server.round->operations), Duration(cpu_ns, style));
  if (server.round->operations > 0) {
    text += fmt::format(", {} per message",
                        Duration(cpu_ns / static_cast<double>(server.round->operations), style));
  }
  return {std::move(text), "", "server"};
}

// The offset is the clock there minus the one here.
void NoteOnClock(const std::string& name, const harness::LoadPart& part, const TerminalStyle& style,
                 std::vector<Note>& notes) {
  if (!part.clock) {
    return;
  }
  const auto of = [&style](const harness::ClockOffset& clock) {
    const auto offset = static_cast<double>(clock.offset_ns);
    return fmt::format("{}{} {} {}", offset < 0 ? "-" : "+", Duration(std::abs(offset), style),
                       style.Sign("±", "+-"), Duration(static_cast<double>(clock.bound_ns), style));
  };
  notes.push_back({fmt::format("{}: offset {}{}", config::Escaped(name, 60), of(*part.clock),
                               part.clock_after ? ", after the load " + of(*part.clock_after) : ""),
                   "", "clock"});
}

}  // namespace

Document DocumentOf(const LoadResult& result, const TerminalStyle& style) {
  const harness::LoadPlan& plan = result.plan;
  Document document{
      .title = "Load of " + config::Escaped(plan.workload_text, 200),
      .headline = {config::Escaped(plan.workload_text, 200), config::Escaped(plan.server.name, 100),
                   Plural(plan.generators.size(), "generator"), RateText(plan.rate),
                   Duration(static_cast<double>(plan.duration.count()), style)},
      .origin = Origin{result.machine, result.command, plan.seed},
      .rows = GeneratorsTable(result, style)};
  if (!result.data.complete) {
    document.endings.push_back({"the measurement ended early", "", "partial"});
  }
  document.sections.push_back(
      {.title = "Generators",
       .table = document.rows,
       .details = {{"latency: from when a request is due until its answer; delay: until it begins "
                    "to be sent, part of the latency",
                    "", Emphasis::kWeak}}});
  std::vector<Note>& notes = document.notes;
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    notes.push_back(ServerNote(result, i, style));
  }
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    NoteOnClock("server " + PartName(plan.servers, i), result.data.servers[i].part, style, notes);
  }
  for (std::size_t i = 0; i < result.data.generators.size(); ++i) {
    NoteOnClock("generator " + PartName(plan.generators, i), result.data.generators[i].part, style,
                notes);
  }
  std::ranges::move(NotesOn(result), std::back_inserter(notes));
  std::ranges::move(NotesOnPlaces(MachinesOf(result)), std::back_inserter(notes));
  return document;
}

}  // namespace schedbench::report
