#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "harness/compare/block_value.hpp"
#include "registry/scheduler.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::Verdict;

constexpr std::size_t kMostInTitle = 4;  // number of names

const std::string& NameOf(const ComparisonResult& result, std::size_t alternative) {
  return result.plan.alternatives[alternative].name;
}

// Details of many alternatives would fill screens.
bool IsBrief(const ComparisonResult& result) {
  constexpr std::size_t kMostDetailed = 5;
  return !result.verbose && result.plan.saved.count == 0 &&
         result.plan.alternatives.size() > kMostDetailed;
}

// Returns "20 blocks of 3 rounds" or "14 to 21 blocks of 3 rounds".
std::string BlocksText(const ComparisonResult& result) {
  const std::string rounds = Plural(result.plan.rounds, "round");
  if (!result.plan.budget) {
    return fmt::format("{} of {}", Plural(result.plan.blocks, "block"), rounds);
  }
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const auto& of_workload : result.data.series) {
    for (const harness::Series& series : of_workload) {
      if (series.failure.empty()) {
        least = std::min(least, series.blocks.size());
        most = std::max(most, series.blocks.size());
      }
    }
  }
  return least >= most ? fmt::format("{} of {}", Plural(most, "block"), rounds)
                       : fmt::format("{} to {} of {}", least, Plural(most, "block"), rounds);
}

std::vector<std::string> ComparedNames(const ComparisonResult& result) {
  const auto is_compared = [&](std::size_t i) {
    return harness::Against(result.plan, i).has_value();
  };
  return VectorOf(std::views::iota(std::size_t{0}, result.plan.alternatives.size()) |
                      std::views::filter(is_compared),
                  [&](std::size_t i) { return NameOf(result, i); });
}

std::string ReferenceName(const ComparisonResult& result) {
  return result.plan.saved.count == 0 ? NameOf(result, 0) : "a baseline";
}

std::vector<std::string> HeadlineOf(const ComparisonResult& result) {
  if (IsBrief(result)) {
    return {fmt::format("{} on {}", Plural(result.plan.alternatives.size(), "scheduler"),
                        Plural(result.plan.workloads.size(), "workload")),
            BlocksText(result), "fresh processes for each block"};
  }
  std::vector<std::string> parts = ComparedNames(result);
  parts.back() += " against " + ReferenceName(result);
  return parts;
}

std::vector<Note> NotesOfComparison(const ComparisonResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.perturbed, notes);
  if (const auto note = NoteOnBlocks(result.plan, result.comparison.comparisons)) {
    notes.push_back(*note);
  }
  for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
    NoteOnSettings(result.plan.alternatives[i].name, result.plan.alternatives[i].config,
                   std::string(harness::ConfigInEffect(result.data, i)), notes);
    if (const std::string& note = result.plan.alternatives[i].note; !note.empty()) {
      const std::size_t remedy = note.find("    ");
      notes.push_back({note.substr(0, remedy), note.substr(remedy + 4)});
    }
  }
  std::vector<const registry::SchedulerEntry*> schedulers;
  for (const harness::Alternative& alternative : result.plan.alternatives) {
    const registry::SchedulerEntry* const entry =
        alternative.runtime.empty() ? registry::FindScheduler(alternative.scheduler) : nullptr;
    if (entry != nullptr && std::ranges::find(schedulers, entry) == schedulers.end()) {
      schedulers.push_back(entry);
      NoteOnOptimization("scheduler", entry->name, entry->is_optimized, notes);
    }
  }
  for (const harness::ComparedWorkload& workload : result.plan.workloads) {
    const auto same =
        std::ranges::find(result.plan.workloads, workload.entry, &harness::ComparedWorkload::entry);
    if (&*same != &workload) {
      continue;
    }
    NoteOnOptimization("workload", workload.entry->name, workload.entry->is_optimized, notes);
    const auto compared = harness::ComparedMetrics(*workload.entry, result.plan.metrics);
    if (registry::IsPaced(*workload.entry) && compared.front()->name == "throughput") {
      notes.push_back({fmt::format("the parameters of {} fix its throughput, which ranks nothing",
                                   workload.entry->name),
                       fmt::format("--metric {}", workload.entry->ranked_by)});
    }
  }
  return notes;
}

// Returns how it ended early, what disturbed it, and the warning of a baseline.
std::vector<Note> EndingsOfComparison(const ComparisonResult& result, const TerminalStyle& style) {
  std::vector<Note> notes;
  const harness::ComparisonPlan& plan = result.plan;
  if (!result.data.complete) {
    notes.push_back({plan.budget
                         ? "interrupted before the end of the budget"
                         : fmt::format("interrupted after {} of {} blocks",
                                       result.data.series.back().back().blocks.size(), plan.blocks),
                     "", "partial"});
  }
  const auto& disturbed = result.data.disturbed;
  if (!disturbed.empty()) {
    const auto repeated = static_cast<std::size_t>(std::ranges::count_if(
        disturbed, [](const harness::DisturbedBlock& block) { return !block.replaced.empty(); }));
    const auto worst = std::ranges::max_element(disturbed, {}, [](const auto& block) {
      return block.by.steal_share + block.by.others_share;
    });
    notes.push_back({config::Escaped(harness::ToText(worst->by), 200), "", "noise"});
    notes.push_back(
        {DisturbedText(repeated, disturbed.size() - repeated), "schedbench doctor", "noise"});
  }
  std::ranges::move(NotesOnBaseline(plan, style), std::back_inserter(notes));
  return notes;
}

// Returns whether the alternative does not have any of the workloads.
bool IsAbsent(const ComparisonResult& result, std::size_t alternative) {
  return std::ranges::all_of(result.data.series, [alternative](const auto& of_workload) {
    return of_workload[alternative].absent;
  });
}

// Returns a count of the verdicts: "fast against global_fifo: better 3, same 2".
std::string Sum(const ComparisonResult& result, std::size_t alternative, std::size_t against) {
  const std::string head =
      fmt::format("{} against {}", NameOf(result, alternative), NameOf(result, against));
  if (harness::AreSameInEffect(result.plan, result.data, alternative, against)) {
    return head + ": the same settings were in effect, so that the ratios show noise alone";
  }
  std::vector<std::string> counts;
  for (const Verdict verdict : kVerdictOrder) {
    const auto count = std::ranges::count_if(result.comparison.rows, [&](const ComparedRow& row) {
      return row.alternative == alternative && row.verdict == verdict;
    });
    if (count > 0) {
      counts.push_back(fmt::format("{} {}", harness::ToText(verdict), count));
    }
  }
  const auto failures =
      std::ranges::count_if(result.data.series, [alternative](const auto& of_workload) {
        return !of_workload[alternative].failure.empty() && !of_workload[alternative].absent;
      });
  if (failures > 0) {
    counts.push_back(
        fmt::format("DNF under {} of {} workloads", failures, result.data.series.size()));
  }
  if (counts.empty()) {
    counts.emplace_back(IsAbsent(result, alternative) || IsAbsent(result, against)
                            ? "nothing to compare"
                            : "inconclusive");
  }
  return fmt::format("{}: {}", head, fmt::join(counts, ", "));
}

}  // namespace

Section ConclusionSection(const ComparisonResult& result, Media media) {
  Section section{.title = "Conclusion", .media = media};
  const bool has_sums = !IsBrief(result) || media == kInPage;
  for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
    if (const auto against = harness::Against(result.plan, i); against && has_sums) {
      section.details.push_back({Sum(result, i, *against)});
    }
  }
  const auto intervals = std::ranges::count_if(
      result.comparison.rows, [](const ComparedRow& row) { return row.judged.has_value(); });
  if (intervals > 0) {
    section.details.push_back(
        {fmt::format(
             "95 % confidence in {}; differences below {} do not count{}",
             intervals == 1 ? "the interval" : fmt::format("all {} intervals together", intervals),
             Percent(result.min_effect),
             result.throughput_floor <= result.min_effect
                 ? ""
                 : fmt::format(", those of throughput below {} (doctor)",
                               Percent(result.throughput_floor))),
         "", Emphasis::kWeak});
  }
  return section;
}

namespace {

// Returns what failed under a workload, what explains a difference, and whether all did equal work.
std::vector<Sentence> RemarksOn(const ComparisonResult& result, std::size_t workload,
                                const TerminalStyle& style) {
  std::vector<Sentence> remarks;
  const auto& series = result.data.series[workload];
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].failure.empty()) {
      continue;
    }
    remarks.push_back({fmt::format("{}{}: {}", series[i].absent ? "" : "DNF  ", NameOf(result, i),
                                   config::Escaped(series[i].failure, 1000))});
    for (const std::string& line : series[i].details) {
      if (result.verbose) {
        remarks.push_back({.text = config::Escaped(line, 1000), .indent = 5});
      }
    }
    if (!result.verbose && !series[i].details.empty()) {
      remarks.push_back(
          {.text = fmt::format("{} more: --verbose", Plural(series[i].details.size(), "line")),
           .emphasis = Emphasis::kWeak,
           .indent = 5});
    }
  }
  for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
    std::vector<std::string> moved;
    for (const harness::MovedCount& count : result.comparison.moved) {
      if (count.workload == workload && count.alternative == i) {
        moved.push_back(fmt::format("{} {:.3g} {} {:.3g}", count.name, count.first,
                                    style.Sign("→", "->"), count.second));
      }
    }
    if (!moved.empty()) {
      remarks.push_back(
          {fmt::format("why  {}, an operation: {}", NameOf(result, i), fmt::join(moved, ", ")), "",
           Emphasis::kWeak});
    }
  }
  std::ranges::move(WorkOf(result, workload), std::back_inserter(remarks));
  return remarks;
}

// Returns a row of ratios; null for an alternative without a reference.
Json RatioRow(const ComparedRow& row, const std::string& name) {
  if (!row.against) {
    return nullptr;
  }
  Json json{{"name", name}};
  if (row.ratio && row.ratio->low > 0) {
    json["value"] = record::ToJson(row.ratio->ratio);
    json["low"] = record::ToJson(row.ratio->low);
    json["high"] = record::ToJson(row.ratio->high);
    json["verdict"] = harness::ToText(*row.verdict);
  } else if (row.point && *row.point > 0) {
    json["value"] = *row.point;
    json["note"] = "no interval";
  } else {
    json["note"] = row.missing.empty() ? "no ratio" : row.missing;
  }
  return json;
}

std::string NameOfFirst(const ComparisonResult& result) {
  return result.plan.saved.count > 1 ? "the saved one" : result.plan.alternatives.front().name;
}

Json IntervalChart(const ComparisonResult& result, Json axis, Json groups) {
  return {{"kind", "intervals"},
          {"value", std::move(axis)},
          {"reference", "1 = " + NameOfFirst(result)},
          {"groups", std::move(groups)}};
}

}  // namespace

Section OverviewSection(const ComparisonResult& result, const TerminalStyle& style) {
  const harness::ComparisonPlan& plan = result.plan;
  const auto row_of = [&](std::size_t workload, std::size_t alternative) {
    return FindRow(result.comparison, workload, alternative,
                   harness::RankingMetric(plan, workload));
  };
  const registry::Metric& metric = harness::RankingMetric(plan, 0);
  bool is_common = true;  // whether all workloads rank by this metric
  Json groups = Json::array();
  for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload) {
    is_common = is_common && &harness::RankingMetric(plan, workload) == &metric;
    Json rows = Json::array();
    for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
      const ComparedRow* const row = row_of(workload, i);
      Json ratio = row == nullptr ? Json() : RatioRow(*row, NameOf(result, i));
      if (!ratio.is_null()) {
        rows.push_back(std::move(ratio));
      }
    }
    groups.push_back({{"name", ShortName(plan, workload)}, {"rows", std::move(rows)}});
  }
  TableOf<std::size_t> table;
  table.Add({"workload"}, [&](std::size_t workload) { return ShortName(plan, workload); });
  if (!is_common) {
    table.Add({.name = "metric", .loss = 1}, [&](std::size_t workload) {
      const registry::Metric& ranking = harness::RankingMetric(plan, workload);
      return MetricLabel(ranking) + BetterArrow(ranking.better, style);
    });
  }
  table.Add({plan.alternatives.front().name, kRight}, [&](std::size_t workload) -> Cell {
    const ComparedRow* const row = row_of(workload, 0);
    return row == nullptr ? ""
           : row->spread  ? MetricText(*row->metric, row->spread->median, style)
                          : row->missing;
  });
  for (std::size_t i = std::max<std::size_t>(plan.saved.count, 1); i < plan.alternatives.size();
       ++i) {
    table.Add({.name = NameOf(result, i), .align = kRight, .opens_group = true},
              [&, i](std::size_t workload) -> Cell {
                const ComparedRow* const row = row_of(workload, i);
                return row == nullptr ? "" : row->point ? RatioText(*row->point) : row->missing;
              });
    table.Add({.name = "interval", .loss = 2}, [&, i](std::size_t workload) -> Cell {
      const ComparedRow* const row = row_of(workload, i);
      return row != nullptr && row->ratio ? RatioInterval(*row->ratio, style) : "";
    });
    table.Add({.name = ""}, [&, i](std::size_t workload) -> Cell {
      const ComparedRow* const row = row_of(workload, i);
      return row != nullptr && row->verdict ? VerdictSign(*row->verdict, style) : "";
    });
  }
  const std::string label = is_common ? MetricLabel(metric) : "the metric that ranks";
  const std::string ratio = fmt::format("ratio of {} to {}", label, NameOfFirst(result));
  return {.title = Capitalised(label) + " under all workloads",
          .about = "Each alternative as a ratio to " + NameOfFirst(result) + ".",
          .table = std::move(table).Rows(Indices(plan.workloads.size())),
          .details = {{VerdictLegend({.unicode = style.unicode}), "", Emphasis::kWeak}},
          .chart = IntervalChart(
              result, AxisJson(ratio, "ratio", is_common ? metric.better : registry::Better::kNone),
              std::move(groups)),
          .media = IsBrief(result) ? kInPage : kForPeople};
}

namespace {

// Returns all metrics of a workload. A metric is a group, unless only one alternative is shown.
Section RatiosSection(const ComparisonResult& result, std::size_t workload,
                      const TerminalStyle& style) {
  const bool is_pair = result.plan.alternatives.size() == 2;
  std::vector<ComparedRow> shown;
  Json groups = Json::array();
  for (const ComparedRow& row : result.comparison.rows) {
    if (row.workload != workload || !IsShown(result, row)) {
      continue;
    }
    shown.push_back(row);
    const std::string metric =
        MetricLabel(*row.metric) + BetterArrow(row.metric->better, kPageStyle);
    const std::string group = is_pair ? "" : metric;
    Json ratio = RatioRow(row, is_pair ? metric : NameOf(result, row.alternative));
    if (ratio.is_null()) {
      continue;
    }
    if (groups.empty() || groups.back()["name"] != group) {
      groups.push_back({{"name", group}, {"rows", Json::array()}});
    }
    groups.back()["rows"].push_back(std::move(ratio));
  }
  const harness::ComparedWorkload& compared = result.plan.workloads[workload];
  return {.title = "Metrics of " + config::Escaped(compared.name, 200),
          .about = "Each metric as a ratio to " + NameOfFirst(result) +
                   ". The arrow shows which way is better.",
          .lead = {{fmt::format("an operation is a {}", compared.entry->operation), "",
                    Emphasis::kWeak}},
          .table = RowsTable(result, shown, style),
          .details = RemarksOn(result, workload, style),
          .chart = IntervalChart(result, AxisJson("ratio to " + NameOfFirst(result), "ratio"),
                                 std::move(groups)),
          .media = IsBrief(result) ? kInPage : kForPeople};
}

Section BlocksSection(const ComparisonResult& result, std::size_t workload,
                      const registry::Metric& metric) {
  Json groups = ArrayOf(Indices(result.plan.alternatives.size()), [&](std::size_t i) -> Json {
    Json values = Json::array();
    for (const auto& rounds : result.data.series[workload][i].blocks) {
      const auto value = harness::BlockValue(rounds, [&metric](const harness::RoundReply& round) {
        return harness::RoundValue(metric, round);
      });
      if (value) {
        values.push_back(*value);
      }
    }
    return {{"name", result.plan.alternatives[i].name}, {"values", std::move(values)}};
  });
  const harness::ComparedWorkload& compared = result.plan.workloads[workload];
  return {.title = fmt::format("{} of each block of {}", Capitalised(MetricLabel(metric)),
                               compared.name),
          .about = "A block is a fresh process; its value is the median of its rounds.",
          .chart = {{"kind", "distribution"},
                    {"value", AxisJson(metric, compared.entry->operation)},
                    {"of", "blocks"},
                    {"groups", std::move(groups)}},
          .media = kInPage};
}

// Returns a time's percentiles, a line for each alternative. None where no alternative has two.
std::optional<Section> TimesSection(const ComparisonResult& result, std::size_t workload,
                                    std::string_view time) {
  Json lines = Json::array();
  bool has_line = false;
  for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
    Json points = Json::array();
    for (const ComparedRow& row : result.comparison.rows) {
      const auto name = PercentileOf(*row.metric);
      if (row.workload == workload && row.alternative == i && name && name->time == time &&
          row.spread) {
        points.push_back(PointJson(name->percentile, *row.spread));
      }
    }
    has_line = has_line || points.size() > 1;
    lines.push_back({{"name", result.plan.alternatives[i].name}, {"points", std::move(points)}});
  }
  if (!has_line) {
    return std::nullopt;
  }
  const std::string label = MetricLabel({time, "ns", registry::Better::kLower, ""});
  return Section{
      .title = fmt::format("Percentiles of {} of {}", label, result.plan.workloads[workload].name),
      .about = "Medians of the blocks; the bars are their intervals.",
      .chart = {{"kind", "percentiles"},
                {"value", AxisJson(label, "ns", registry::Better::kLower)},
                {"lines", std::move(lines)}},
      .media = kInPage};
}

}  // namespace

void AddWorkloadSections(const ComparisonResult& result, std::size_t workload,
                         const TerminalStyle& style, std::vector<Section>& sections) {
  const auto& rows = result.comparison.rows;
  const bool has_rows = std::ranges::any_of(
      rows, [workload](const ComparedRow& row) { return row.workload == workload && row.spread; });
  if (!has_rows) {
    const std::string empty = fmt::format("no block was finished{}", RemedyOfNoBlock(result));
    sections.push_back({.title = config::Escaped(result.plan.workloads[workload].name, 200),
                        .text = "  " + empty + "\n",
                        .details = RemarksOn(result, workload, style),
                        .empty = empty});
    return;
  }
  sections.push_back(RatiosSection(result, workload, style));
  if (IsBrief(result)) {
    if (auto remarks = RemarksOn(result, workload, style); !remarks.empty()) {
      sections.push_back({.title = config::Escaped(result.plan.workloads[workload].name, 200),
                          .details = std::move(remarks),
                          .media = kInTerminal});
    }
  }
  if (result.verbose) {
    sections.push_back(RatiosOfBlocks(result, workload, style));
  }
  std::vector<std::string_view> times;
  const registry::Metric* first = nullptr;
  for (const ComparedRow& row : rows) {
    if (row.workload != workload) {
      continue;
    }
    first = first == nullptr ? row.metric : first;
    if (const auto name = PercentileOf(*row.metric);
        name && std::ranges::find(times, name->time) == times.end()) {
      times.push_back(name->time);
    }
  }
  sections.push_back(BlocksSection(result, workload, *first));
  for (const std::string_view time : times) {
    if (auto section = TimesSection(result, workload, time)) {
      sections.push_back(std::move(*section));
    }
  }
}

namespace {

void AddConclusion(const ComparisonResult& result, Media media, const TerminalStyle& style,
                   std::vector<Section>& sections) {
  if (Section conclusion = ConclusionSection(result, media); !conclusion.details.empty()) {
    sections.push_back(std::move(conclusion));
  }
  if (!result.gates.empty()) {
    sections.push_back(GatesSection(result, style));
    sections.back().media = media;
  }
}

}  // namespace

std::vector<Repetitions> RepetitionsOf(const ComparisonResult& result) {
  std::vector<Repetitions> all;
  for (std::size_t workload = 0; workload < result.plan.workloads.size(); ++workload) {
    for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
      Repetitions& one = all.emplace_back(Repetitions{
          .name = fmt::format("{}/{}", result.plan.workloads[workload].name, NameOf(result, i))});
      for (const auto& block : result.data.series[workload][i].blocks) {
        for (const harness::RoundReply& round : block) {
          one.rounds.emplace_back(round);
        }
      }
    }
  }
  return all;
}

Document DocumentOf(const ComparisonResult& result, const TerminalStyle& style) {
  const harness::ComparisonPlan& plan = result.plan;
  const std::vector<std::string> names = ComparedNames(result);
  Document document{
      .title = fmt::format("{} against {}",
                           names.size() > kMostInTitle ? Plural(names.size(), "alternative")
                                                       : fmt::format("{}", fmt::join(names, " · ")),
                           ReferenceName(result)),
      .headline = HeadlineOf(result),
      .endings = EndingsOfComparison(result, style),
      .notes = NotesOfComparison(result),
      .origin = Origin{result.machine, result.command, plan.seed},
      .rows = RowsTable(result, result.comparison.rows, style)};
  if (!IsBrief(result)) {
    document.conditions = {BlocksText(result), fmt::format("{} warm-up", plan.warmup),
                           "fresh processes for each block"};
  }
  for (const harness::Alternative& alternative : plan.alternatives) {
    if (!alternative.runtime.empty()) {
      const std::string runtime = fmt::format("{}, {}", config::Escaped(alternative.runtime, 100),
                                              config::Escaped(alternative.tasks, 100));
      document.endings.push_back({fmt::format("{}: {}", alternative.name, runtime), "", "runtime"});
    }
  }
  if (result.verbose) {
    std::ranges::move(AgentNotes(result), std::back_inserter(document.notes));
  }
  std::ranges::move(NotesOnPlaces(plan.places, result.data.lost),
                    std::back_inserter(document.notes));
  std::vector<Section>& sections = document.sections;
  if (result.comparison.rows.empty()) {
    return document;
  }
  // On a terminal the end remains visible, on a page the start.
  AddConclusion(result, kInPage, style, sections);
  if (IsBrief(result)) {
    sections.push_back(
        {.text = RenderMatrix(result, style),
         .details = {{"--verbose shows all metrics and intervals", "", Emphasis::kWeak}},
         .media = kInTerminal});
  }
  for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload) {
    AddWorkloadSections(result, workload, style, sections);
  }
  if (plan.workloads.size() > 1) {
    sections.push_back(OverviewSection(result, style));
  }
  AddConclusion(result, kInTerminal, style, sections);
  return document;
}

}  // namespace schedbench::report
