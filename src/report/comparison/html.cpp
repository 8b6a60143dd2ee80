#include "harness/compare/block_value.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;

constexpr std::size_t kMostInTitle = 4;  // names

// A row of ratios; null for an alternative that is not compared with another one.
Json RatioRow(const ComparedRow& row, const std::string& name) {
  if (!row.against) {
    return nullptr;
  }
  Json json{{"name", name}};
  if (row.ratio && row.ratio->low > 0) {
    json["value"] = JsonNumber(row.ratio->ratio);
    json["low"] = JsonNumber(row.ratio->low);
    json["high"] = JsonNumber(row.ratio->high);
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

Json GatesSection(const ComparisonResult& result) {
  PageSection section{.title = "Gates",
                      .table = {.columns = {{"gate", false},
                                            {"outcome", false},
                                            {"ratios", false},
                                            {"worst", false},
                                            {"interval", false},
                                            {"workload", false}}}};
  for (const harness::GateResult& gate : result.gates) {
    section.table.rows.push_back(GateCells(result, gate, kPageStyle));
  }
  return SectionJson(section);
}

// The first metric under all workloads.
Json OverviewSection(const ComparisonResult& result) {
  const registry::Metric& metric = *result.comparison.rows.front().metric;
  Json groups = Json::array();
  for (std::size_t workload = 0; workload < result.plan.workloads.size(); ++workload) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
      const ComparedRow* const row = FindRow(result.comparison, workload, i, metric);
      Json ratio = row == nullptr ? Json() : RatioRow(*row, result.plan.alternatives[i].name);
      if (!ratio.is_null()) {
        rows.push_back(std::move(ratio));
      }
    }
    groups.push_back({{"name", ShortName(result.plan, workload)}, {"rows", std::move(rows)}});
  }
  return SectionJson({.title = Capitalised(MetricLabel(metric)) + " under all workloads",
                      .about = "Each alternative as a ratio to " + NameOfFirst(result) + "."},
                     IntervalChart(result,
                                   AxisJson(fmt::format("ratio of {} to {}", MetricLabel(metric),
                                                        NameOfFirst(result)),
                                            "ratio", metric.better),
                                   std::move(groups)));
}

// All metrics of a workload. A metric is a group, unless there is only one alternative to show.
Json RatiosSection(const ComparisonResult& result, std::size_t workload) {
  const bool is_pair = result.plan.alternatives.size() == 2;
  PageSection section{.title = "Metrics of " + result.plan.workloads[workload].name,
                      .about = "Each metric as a ratio to " + NameOfFirst(result) +
                               ". The arrow shows which way is better.",
                      .sentences = Sentences(RemarksOn(result, workload, kPageStyle)),
                      .table = {.columns = {{"metric", false},
                                            {"alternative", false},
                                            {"median"},
                                            {"spread"},
                                            {"ratio"},
                                            {"interval"},
                                            {"verdict", false}}}};
  Json groups = Json::array();
  for (const ComparedRow& row : result.comparison.rows) {
    if (row.workload != workload || !IsShown(result, row)) {
      continue;
    }
    section.table.rows.push_back(RowCells(result, row, kPageStyle));
    const std::string metric =
        MetricLabel(*row.metric) + BetterArrow(row.metric->better, kPageStyle);
    const std::string group = is_pair ? "" : metric;
    Json ratio = RatioRow(row, is_pair ? metric : result.plan.alternatives[row.alternative].name);
    if (ratio.is_null()) {
      continue;
    }
    if (groups.empty() || groups.back()["name"] != group) {
      groups.push_back({{"name", group}, {"rows", Json::array()}});
    }
    groups.back()["rows"].push_back(std::move(ratio));
  }
  return SectionJson(section,
                     IntervalChart(result, AxisJson("ratio to " + NameOfFirst(result), "ratio"),
                                   std::move(groups)));
}

Json BlocksSection(const ComparisonResult& result, std::size_t workload,
                   const registry::Metric& metric) {
  Json groups = ArrayOf(result.plan.alternatives.size(), [&](std::size_t i) -> Json {
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
  return SectionJson(
      {.title =
           fmt::format("{} of each block of {}", Capitalised(MetricLabel(metric)), compared.name),
       .about = "A block is a fresh process; its value is the median of its rounds."},
      {{"kind", "distribution"},
       {"value", AxisJson(metric, compared.entry->operation)},
       {"of", "blocks"},
       {"groups", std::move(groups)}});
}

// The percentiles of a time as a line for each alternative. Null where none has two.
Json TimesSection(const ComparisonResult& result, std::size_t workload, std::string_view time) {
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
    return nullptr;
  }
  const std::string label = MetricLabel({time, "ns", registry::Better::kLower, ""});
  return SectionJson(
      {.title = fmt::format("Percentiles of {} of {}", label, result.plan.workloads[workload].name),
       .about = "Medians of the blocks; the bars are their intervals."},
      {{"kind", "percentiles"},
       {"value", AxisJson(label, "ns", registry::Better::kLower)},
       {"lines", std::move(lines)}});
}

void AddWorkloadSections(const ComparisonResult& result, std::size_t workload, Json& sections) {
  const auto& rows = result.comparison.rows;
  const bool has_rows = std::ranges::any_of(rows, [workload](const ComparedRow& row) {
    return row.workload == workload && row.spread;
  });
  if (!has_rows) {
    sections.push_back(
        SectionJson({.title = result.plan.workloads[workload].name,
                     .empty = fmt::format("no block was finished{}", RemedyOfNoBlock(result)),
                     .sentences = Sentences(RemarksOn(result, workload, kPageStyle))}));
    return;
  }
  sections.push_back(RatiosSection(result, workload));
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
    if (Json section = TimesSection(result, workload, time); !section.is_null()) {
      sections.push_back(std::move(section));
    }
  }
}

}  // namespace

std::string RenderHtml(const ComparisonResult& result) {
  const harness::ComparisonPlan& plan = result.plan;
  std::vector<std::string> names;
  PageHead head{.title = "", .facts = {}, .notes = NotesOn(result)};
  for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
    const harness::Alternative& alternative = plan.alternatives[i];
    if (harness::Against(plan, i)) {
      names.push_back(alternative.name);
    }
    if (!alternative.runtime.empty()) {
      head.facts.emplace_back(alternative.name,
                              fmt::format("{}, {}", alternative.runtime, alternative.tasks));
    }
  }
  const std::string compared = names.size() > kMostInTitle
                                   ? Plural(names.size(), "alternative")
                                   : fmt::format("{}", fmt::join(names, " · "));
  head.title = fmt::format("{} against {}", compared,
                           plan.saved.count == 0 ? plan.alternatives.front().name : "a baseline");
  std::ranges::move(NotesOfLines(EndingLines(result, kPageStyle)), std::back_inserter(head.notes));
  Json sections = Json::array();
  if (!result.comparison.rows.empty()) {
    sections.push_back(SectionJson(
        {.title = "Conclusion", .sentences = Sentences(ConclusionLines(result, kPageStyle))}));
    if (!result.gates.empty()) {
      sections.push_back(GatesSection(result));
    }
    if (plan.workloads.size() > 1) {
      sections.push_back(OverviewSection(result));
    }
    for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload) {
      AddWorkloadSections(result, workload, sections);
    }
  }
  return ChartPageText(head, result.machine, result.command, plan.seed, std::move(sections));
}

}  // namespace schedbench::report
