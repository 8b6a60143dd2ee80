#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "profile/sampling/code_name.hpp"
#include "registry/pages.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/study/study_report.hpp"
#include "report/timeline/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using stats::ProfileStep;

std::string NameOf(const StudyResult& result, std::size_t alternative) {
  return result.comparison.plan.alternatives[alternative].name;
}

// Returns a line that jumps: both ends of each step. `end`: the factor at which all lines end.
Json StepPoints(const std::vector<ProfileStep>& steps, double end) {
  Json points = Json::array({Json::array({1, steps.front().share})});
  for (std::size_t i = 1; i < steps.size(); ++i) {
    points.push_back({steps[i].factor, steps[i - 1].share});
    points.push_back({steps[i].factor, steps[i].share});
  }
  points.push_back({end, steps.back().share});
  return points;
}

Section ProfileSection(const StudyResult& result) {
  const ComparisonResult& comparison = result.comparison;
  const harness::StudyCosts costs =
      harness::CostsOf(comparison.plan, comparison.data, comparison.comparison);
  Section section{.title = "Performance profiles",
                  .about =
                      "The share of problems on which an alternative is within a factor of "
                      "the best one. A problem is a workload under a perturbation."};
  const std::size_t all = comparison.plan.workloads.size();
  if (costs.problems.empty()) {
    section.empty = "there is no problem that all alternatives have and that was measured";
    section.details = {{section.empty}};
    return section;
  }
  const auto profiles = stats::PerformanceProfiles(costs.costs);
  double last = 1;
  for (const auto& steps : profiles) {
    last = std::max(last, steps.back().factor);
  }
  section.chart = {
      {"kind", "curve"},
      {"x", AxisJson("factor of the best", "ratio")},
      {"value", AxisJson("problems within the factor", "share", registry::Better::kHigher)},
      {"marked", false},
      {"lines", ArrayOf(Indices(profiles.size()), [&](std::size_t i) -> Json {
         return {{"name", NameOf(result, i)}, {"points", StepPoints(profiles[i], 1.05 * last)}};
       })}};
  TableOf<std::size_t> table;
  table.Add({"alternative"}, [&](std::size_t i) { return NameOf(result, i); });
  for (const auto& [name, factor] :
       {std::pair{"the best", 1.0}, {"within 1.1", 1.1}, {"within 2", 2.0}}) {
    table.Add({name, kRight},
              [&, factor](std::size_t i) { return ShareCell(ShareWithin(profiles[i], factor)); });
  }
  table.Add({"solved", kRight}, [&](std::size_t i) { return ShareCell(profiles[i].back().share); });
  table.Add({"largest factor", kRight},
            [&](std::size_t i) { return RatioCell(profiles[i].back().factor); });
  section.table = std::move(table).Rows(Indices(profiles.size()));
  section.details = {
      {fmt::format("{} of {}; one that has failed is within no factor",
                   costs.problems.size() == all ? "all" : std::to_string(costs.problems.size()),
                   Plural(all, "problem")),
       "", Emphasis::kWeak}};
  if (costs.problems.size() < all) {
    section.details.push_back(
        {"the others are not there for some alternative, or were not measured", "",
         Emphasis::kWeak});
  }
  return section;
}

// Returns a page inside of the page.
Json FrameChart(std::string page) {
  return page.empty() ? Json() : Json{{"kind", "frame"}, {"page", std::move(page)}};
}

std::string TitleOf(const StudyResult& result) {
  const std::size_t problem = result.largest->workload;
  return fmt::format("{} and {} on {}", NameOf(result, *result.largest->against),
                     NameOf(result, result.largest->alternative),
                     config::Escaped(result.comparison.plan.workloads[problem].name, 200));
}

Section GraphsSection(const StudyResult& result) {
  struct Hot {
    std::string side;
    profile::HotFrame frame;
  };
  profile::GraphPage page{.title = TitleOf(result), .facts = {}, .graphs = {}};
  std::vector<Hot> hottest;
  for (std::size_t i = 0; i < result.sides.front().graphs.size(); ++i) {
    for (const ObservedSide& side : result.sides) {
      page.graphs.push_back(side.graphs[i]);
      page.graphs.back().name = fmt::format("{}: {}", side.graphs[i].name, side.name);
    }
  }
  for (const ObservedSide& side : result.sides) {
    for (const profile::HotFrame& frame : side.hottest) {
      hottest.push_back({side.name, frame});
    }
  }
  TableOf<Hot> table;
  table.Add({"alternative"}, [](const Hot& hot) { return hot.side; });
  table.Add({"self", kRight}, [](const Hot& hot) { return ShareCell(hot.frame.self); });
  table.Add({"total", kRight}, [](const Hot& hot) { return ShareCell(hot.frame.total); });
  table.Add({"function"}, [](const Hot& hot) { return profile::FrameLabel(hot.frame.name); });
  return {.title = "Where the time goes",
          .about = "Samples of CPU time, and where fibers wait, of both sides: a tab for each.",
          .table = std::move(table).Rows(hottest),
          .chart = FrameChart(registry::FlameGraphPage().empty()
                                  ? ""
                                  : profile::PageHtml(registry::FlameGraphPage(), page))};
}

void AddExplanation(const StudyResult& result, const TerminalStyle& style,
                    std::vector<Section>& sections) {
  const ComparisonResult& comparison = result.comparison;
  if (!result.largest) {
    const bool measured = result.doctor.has_value();  // false with --from
    const auto [least, most] =
        std::ranges::minmax(comparison.data.series | std::views::transform([](const auto& one) {
                              return one.front().blocks.size();
                            }));
    sections.push_back(
        {.title = "The largest difference",
         .details = {most > 0
                         ? Sentence{fmt::format("no difference is proven in {}{}",
                                                least < most ? fmt::format("{} to ", least) : "",
                                                Plural(most, "block")),
                                    measured ? "more --blocks, or a larger --budget" : ""}
                         : Sentence{"no block was finished",
                                    measured ? "the same command continues" : ""}}});
    return;
  }
  const ComparedRow& row = *result.largest;
  Section& section = sections.emplace_back(Section{
      .title = "The largest difference: " + TitleOf(result),
      .about = "The ratio whose interval is the furthest from 1, and the metrics that differ.",
      .lead = {{fmt::format("{} of {} is {} times that of {}: {}", MetricLabel(*row.metric),
                            NameOf(result, row.alternative), RatioText(row.ratio->ratio),
                            NameOf(result, *row.against), RatioInterval(*row.ratio, style)),
                "", Emphasis::kStrong}},
      .table = RowsTable(comparison, harness::ExplainingRows(comparison.comparison, row), style)});
  if (!result.unobserved.empty()) {
    section.details.push_back({result.unobserved});
  }
  if (!result.sides.empty()) {
    sections.push_back(GraphsSection(result));
  }
  for (const ObservedSide& side : result.sides) {
    if (side.timeline) {
      sections.push_back({.title = "What happened when: " + side.name,
                          .text = TimelineText(*side.timeline, style),
                          .chart = FrameChart(side.timeline_page)});
    }
  }
  std::vector<Section> of_page;
  AddWorkloadSections(comparison, row.workload, style, of_page);
  for (Section& one : of_page) {
    one.media &= kInPage;
    sections.push_back(std::move(one));
  }
}

}  // namespace

Document DocumentOf(const StudyResult& result, const TerminalStyle& style) {
  const ComparisonResult& comparison = result.comparison;
  Document document = DocumentOf(comparison, style);
  document.title = result.name;
  document.headline.insert(document.headline.begin(), config::Escaped(result.name, 200));
  document.sections.clear();
  if (comparison.comparison.rows.empty()) {
    return document;
  }
  std::vector<Section>& sections = document.sections;
  sections.push_back(ConclusionSection(comparison, kInPage));
  sections.back().media = kForPeople;
  sections.push_back(ProfileSection(result));
  sections.push_back(OverviewSection(comparison, style));
  sections.back().media = kForPeople;
  AddExplanation(result, style, sections);
  if (result.doctor) {
    Document findings = DocumentOf(*result.doctor, style);
    for (Section& section : findings.sections) {
      // The table fills a screen, and most of it is well.
      section.media = section.table.columns.empty() ? kForPeople : kInPage;
      section.title = "The machine: " + section.title;
      sections.push_back(std::move(section));
    }
  }
  if (!result.again.empty()) {
    sections.push_back({.title = "Again", .details = result.again});
  }
  return document;
}

}  // namespace schedbench::report
