#include "report/parts/chart_page.hpp"
#include "report/parts/quantity.hpp"
#include "report/tune/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::TuneRatio;

constexpr std::size_t kMostSearched = 40;  // candidates in the chart; the table has all

// A section with a chart of ratios to the default; without one if there are no rows.
Json RatioSection(const TuneResult& result, std::size_t objective, const PageSection& section,
                  Json rows) {
  if (rows.empty()) {
    return SectionJson(section);
  }
  const harness::Objective one = result.plan.objectives[objective];
  return SectionJson(
      section, {{"kind", "intervals"},
                {"value", AxisJson(fmt::format("ratio of {} to the default", harness::ToText(one)),
                                   "ratio", harness::BetterOf(one))},
                {"reference", "the default"},
                {"groups", Json::array({{{"name", ""}, {"rows", std::move(rows)}}})}});
}

Json ComparedSection(const TuneResult& result, std::size_t objective) {
  const std::string name(harness::ToText(result.plan.objectives[objective]));
  PageSection section{.title = fmt::format("On fresh data by {}", name),
                      .about =
                          "Ratios of the best candidates of the search. All intervals hold at "
                          "once with 95 %.",
                      .sentences = AnswerDetails(result),
                      .table = {.columns = {{"candidate", false},
                                            {"to", false},
                                            {"workload", false},
                                            {"ratio"},
                                            {"verdict", false}}}};
  section.sentences.insert(section.sentences.begin(), AnswerText(result));
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  for (std::size_t i = 1; i < finalists.size(); ++i) {
    section.sentences.push_back(fmt::format("{}: {}", TuneRoleName(result, i),
                                            TuneCandidateName(result.plan, finalists[i])));
  }
  Json rows = Json::array();
  for (const TuneRatio& ratio : result.decision.ratios) {
    if (ratio.objective != objective) {
      continue;
    }
    const std::string candidate = TuneRoleName(result, ratio.finalist);
    const std::string against = TuneRoleName(result, ratio.against);
    const std::string scope = ScopeText(result.plan, ratio);
    const std::string verdict = ratio.verdict ? std::string(harness::ToText(*ratio.verdict)) : "";
    section.table.rows.push_back({candidate, against, scope, TuneRatioText(ratio), verdict});
    Json row{{"name", fmt::format("{}, {}{}", candidate, scope,
                                  ratio.against == 0 ? "" : ", to " + against)}};
    if (ratio.ratio) {
      row["value"] = ratio.ratio->ratio;
      row["low"] = ratio.ratio->low;
      row["high"] = ratio.ratio->high;
      row["verdict"] = verdict;
    } else {
      row["note"] = TuneRatioText(ratio);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    section.empty = "nothing was compared";
  }
  return RatioSection(result, objective, section, std::move(rows));
}

Json SearchedSection(const TuneResult& result, std::size_t objective) {
  const std::string name(harness::ToText(result.plan.objectives[objective]));
  PageSection section{
      .title = fmt::format("The search by {}", name),
      .about =
          "Each candidate as a ratio to the default, without intervals: what is best here "
          "may be luck.",
      .table = {.columns = {{"candidate", false}, {"ratio"}, {"blocks"}, {"reason", false}}}};
  std::vector<std::pair<double, std::size_t>> sorted;
  const bool lower =
      harness::BetterOf(result.plan.objectives[objective]) == registry::Better::kLower;
  for (std::size_t i = harness::kDefaultCandidate + 1; i < result.plan.candidates.size(); ++i) {
    const auto ratio = SearchedRatio(result, i, objective);
    const harness::TuneSeries& series = result.data.search[i];
    if (ratio) {
      sorted.emplace_back(lower ? *ratio : -*ratio, i);
    }
    section.table.rows.push_back(
        {TuneCandidateName(result.plan, i), ratio ? fmt::format("{:.3g}", *ratio) : "—",
         std::to_string(series.front().blocks.size()), harness::FailureOf(series)});
  }
  std::ranges::sort(sorted);
  Json rows = ArrayOf(std::min(sorted.size(), kMostSearched), [&](std::size_t i) -> Json {
    return {{"name", ShortCandidateName(result.plan, sorted[i].second)},
            {"value", lower ? sorted[i].first : -sorted[i].first},
            {"note", "no interval"}};
  });
  if (rows.empty()) {
    section.empty = "no candidate has a result";
  }
  return RatioSection(result, objective, section, std::move(rows));
}

Json TuneImportanceSection(const TuneResult& result, const harness::FieldImportance& importance) {
  const std::string name(harness::ToText(result.plan.objectives[importance.objective]));
  PageSection section{.title = fmt::format("What explains the differences of {}", name),
                      .about = "Shares of the variance between candidates, of what noise leaves.",
                      .sentences = Sentences(TuneReliabilityLines(result)),
                      .table = {.columns = {{"field", false}, {"share"}}}};
  std::vector<std::pair<double, std::string>> shares;
  for (std::size_t field = 0; field < importance.shares.size(); ++field) {
    shares.emplace_back(importance.shares[field], result.plan.fields[field].path);
  }
  std::ranges::sort(shares, {}, [](const auto& one) {
    return std::pair(-one.first, one.second);
  });
  shares.emplace_back(importance.rest, "fields together, beyond each alone");
  for (const auto& [share, field] : shares) {
    section.table.rows.push_back({field, Percent(share)});
  }
  const Json bars = ArrayOf(shares, [](const auto& one) -> Json {
    return {{"name", one.second}, {"value", one.first}};
  });
  return SectionJson(
      section,
      {{"kind", "bars"}, {"value", AxisJson("share of the differences", "share")}, {"bars", bars}});
}

}  // namespace

std::string RenderHtml(const TuneResult& result) {
  PageHead head{.title = fmt::format("{}", fmt::join(TuneHeadline(result), " · ")),
                .facts = {},
                .notes = NotesOfLines(TuneEndingLines(result, kPageStyle) +
                                      TuneFailureLines(result, kPageStyle))};
  std::ranges::move(NotesOn(result), std::back_inserter(head.notes));
  Json sections = Json::array();
  for (std::size_t i = 0; i < result.plan.objectives.size(); ++i) {
    sections.push_back(ComparedSection(result, i));
    sections.push_back(SearchedSection(result, i));
  }
  for (const harness::FieldImportance& importance : result.importance) {
    if (HasShares(importance)) {
      sections.push_back(TuneImportanceSection(result, importance));
    }
  }
  return ChartPageText(head, result.machine, result.command, result.plan.seed, std::move(sections));
}

}  // namespace schedbench::report
