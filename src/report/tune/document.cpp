#include "base/vector_of.hpp"
#include "report/parts/chart_page.hpp"
#include "report/tune/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace schedbench::report {

namespace {

using harness::TuneRatio;

constexpr std::size_t kMostSearched = 40;  // candidates in the chart; the table has all

std::string NameOf(harness::Objective objective) {
  return std::string(harness::ToText(objective));
}

// Returns a chart of ratios to the default; null without rows.
Json RatioChart(const TuneResult& result, std::size_t objective, Json rows) {
  const harness::Objective one = result.plan.objectives[objective];
  return rows.empty()
             ? Json(nullptr)
             : Json{{"kind", "intervals"},
                    {"value", AxisJson(fmt::format("ratio of {} to the default", NameOf(one)),
                                       "ratio", harness::BetterOf(one))},
                    {"reference", "the default"},
                    {"groups", Json::array({{{"name", ""}, {"rows", std::move(rows)}}})}};
}

Section FinalistsSection(const TuneResult& result) {
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  Table table{.columns = {{"finalist"}, {"settings"}}};
  for (std::size_t i = 1; i < finalists.size(); ++i) {
    table.rows.push_back({TuneRoleName(result, i), TuneCandidateName(result.plan, finalists[i])});
  }
  return {.title = "Finalists", .table = std::move(table)};
}

Section ComparedSection(const TuneResult& result, std::size_t objective) {
  const auto ratios = VectorOf(
      result.decision.ratios |
          std::views::filter([&](const TuneRatio& one) { return one.objective == objective; }),
      [](const TuneRatio& one) { return &one; });
  TableOf<const TuneRatio*> table;
  table.Add({"candidate"},
            [&](const TuneRatio* one) { return TuneRoleName(result, one->finalist); });
  table.Add({"to"}, [&](const TuneRatio* one) { return TuneRoleName(result, one->against); });
  table.Add({"workload"}, [&](const TuneRatio* one) { return ScopeText(result.plan, *one); });
  table.Add({"ratio"}, [](const TuneRatio* one) { return TuneRatioText(*one); });
  table.Add({"verdict"}, [](const TuneRatio* one) -> Cell {
    return one->verdict ? harness::ToText(*one->verdict) : "";
  });
  Json rows = ArrayOf(ratios, [&](const TuneRatio* one) {
    Json row{
        {"name",
         fmt::format("{}, {}{}", TuneRoleName(result, one->finalist), ScopeText(result.plan, *one),
                     one->against == 0 ? "" : ", to " + TuneRoleName(result, one->against))}};
    if (one->ratio) {
      row["value"] = one->ratio->ratio;
      row["low"] = one->ratio->low;
      row["high"] = one->ratio->high;
      row["verdict"] = one->verdict ? harness::ToText(*one->verdict) : "";
    } else {
      row["note"] = TuneRatioText(*one);
    }
    return row;
  });
  return {.title = fmt::format("On fresh data by {}", NameOf(result.plan.objectives[objective])),
          .about =
              "Ratios of the best candidates of the search. All intervals hold at once with "
              "95 %.",
          .table = std::move(table).Rows(ratios),
          .chart = RatioChart(result, objective, std::move(rows)),
          .empty = ratios.empty() ? "nothing was compared" : "",
          .media = ratios.empty() ? kInPage : kForPeople};
}

Section SearchedSection(const TuneResult& result, std::size_t objective) {
  std::vector<std::pair<double, std::size_t>> sorted;
  const bool lower =
      harness::BetterOf(result.plan.objectives[objective]) == registry::Better::kLower;
  Table table{.columns = {{"candidate"}, {"ratio", kRight}, {"blocks", kRight}, {"reason"}}};
  for (std::size_t i = harness::kDefaultCandidate + 1; i < result.plan.candidates.size(); ++i) {
    const auto ratio = SearchedRatio(result, i, objective);
    const harness::TuneSeries& series = result.data.search[i];
    if (ratio) {
      sorted.emplace_back(lower ? *ratio : -*ratio, i);
    }
    table.rows.push_back(
        {TuneCandidateName(result.plan, i), ratio ? fmt::format("{:.3g}", *ratio) : "—",
         std::to_string(series.front().blocks.size()), harness::FailureOf(series)});
  }
  std::ranges::sort(sorted);
  Json rows = ArrayOf(Indices(std::min(sorted.size(), kMostSearched)), [&](std::size_t i) -> Json {
    return {{"name", ShortCandidateName(result.plan, sorted[i].second)},
            {"value", lower ? sorted[i].first : -sorted[i].first},
            {"note", "no interval"}};
  });
  return {.title = fmt::format("The search by {}", NameOf(result.plan.objectives[objective])),
          .about =
              "Each candidate as a ratio to the default, without intervals: what is best here "
              "may be luck.",
          .table = std::move(table),
          .chart = RatioChart(result, objective, std::move(rows)),
          .empty = sorted.empty() ? "no candidate has a result" : "",
          .media = kInPage};
}

Section RungsSection(const TuneResult& result) {
  using harness::TuneRung;
  Table table{.columns = {{"rung", kRight},
                          {"candidates", kRight},
                          {"blocks", kRight},
                          {"dropped", kRight},
                          {"kept", kRight},
                          {"best so far"}}};
  for (const TuneRung& rung : result.data.rungs) {
    table.rows.push_back(
        {std::to_string(table.rows.size() + 1), std::to_string(rung.candidates.size()),
         std::to_string(rung.blocks), std::to_string(rung.dropped.size()),
         std::to_string(rung.kept.size()),
         rung.kept.empty() ? "" : ShortCandidateName(result.plan, rung.kept.front())});
  }
  return {.title = "Search", .table = std::move(table)};
}

// In a terminal, many fields that explain next to nothing share a row.
Section ImportanceSection(const TuneResult& result, const harness::FieldImportance& importance,
                          Media media) {
  constexpr std::size_t kMostFields = 8;
  constexpr double kSmall = 0.01;
  std::vector<std::pair<double, std::string>> shares;
  for (std::size_t field = 0; field < importance.shares.size(); ++field) {
    shares.emplace_back(importance.shares[field], result.plan.fields[field].path);
  }
  std::ranges::sort(shares, {}, [](const auto& one) { return std::pair(-one.first, one.second); });
  const auto small =
      std::ranges::find_if(shares, [](const auto& one) { return one.first < kSmall; });
  const auto others = static_cast<std::size_t>(shares.end() - small);
  if (media == kInTerminal && shares.size() > kMostFields && others > 1) {
    const double sum = SumOf(std::ranges::subrange(small, shares.end()),
                             [](const auto& one) { return one.first; });
    shares.erase(small, shares.end());
    shares.emplace_back(sum, fmt::format("{} other fields together", others));
  }
  if (importance.shares.size() > 1) {
    shares.emplace_back(importance.rest, "fields together, beyond each alone");
  }
  Table table{.columns = {{"field"}, {"share", kRight}}};
  for (const auto& [share, field] : shares) {
    table.rows.push_back({field, Percent(share)});
  }
  return {.title = fmt::format("What explains the differences of {}",
                               NameOf(result.plan.objectives[importance.objective])),
          .about = "Shares of the variance between candidates, of what noise leaves.",
          .table = std::move(table),
          .chart = {{"kind", "bars"},
                    {"value", AxisJson("share of the differences", "share")},
                    {"bars", ArrayOf(shares, [](const auto& one) -> Json {
                       return {{"name", one.second}, {"value", one.first}};
                     })}}};
}

// Returns the ratios of the comparison, then the candidates of the search, without intervals.
Table RowsOf(const TuneResult& result) {
  Table table{.columns = {{"row"},
                          {"candidate"},
                          {"against"},
                          {"objective"},
                          {"scope"},
                          {"workload"},
                          {"ratio"},
                          {"ratio low"},
                          {"ratio high"},
                          {"blocks"},
                          {"verdict"},
                          {"reason"}}};
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  for (const TuneRatio& ratio : result.decision.ratios) {
    const auto end = [&](double stats::RatioEstimate::* part) {
      return RatioCell(Mapped(ratio.ratio, part));
    };
    table.rows.push_back({"comparison", TuneCandidateName(result.plan, finalists[ratio.finalist]),
                          TuneCandidateName(result.plan, finalists[ratio.against]),
                          NameOf(result.plan.objectives[ratio.objective]),
                          harness::ToText(ratio.scope),
                          ratio.workload ? result.plan.workloads[*ratio.workload].name : "",
                          RatioCell(ratio.point), end(&stats::RatioEstimate::low),
                          end(&stats::RatioEstimate::high), std::to_string(ratio.pairs),
                          ratio.verdict ? harness::ToText(*ratio.verdict) : "", ratio.missing});
  }
  for (std::size_t i = harness::kDefaultCandidate + 1; i < result.plan.candidates.size(); ++i) {
    for (std::size_t objective = 0; objective < result.plan.objectives.size(); ++objective) {
      const harness::TuneSeries& series = result.data.search[i];
      table.rows.push_back({"search", TuneCandidateName(result.plan, i),
                            TuneCandidateName(result.plan, harness::kDefaultCandidate),
                            NameOf(result.plan.objectives[objective]),
                            harness::ToText(harness::TuneScope::kSearched), "",
                            RatioCell(SearchedRatio(result, i, objective)), "", "",
                            std::to_string(series.front().blocks.size()), "",
                            harness::FailureOf(series)});
    }
  }
  return table;
}

}  // namespace

Document DocumentOf(const TuneResult& result, const TerminalStyle& /*style*/) {
  Document document{.title = fmt::format("{}", fmt::join(TuneHeadline(result), " · ")),
                    .headline = TuneHeadline(result),
                    .endings = TuneEndings(result),
                    .notes = NotesOn(result),
                    .origin = Origin{result.machine, result.command, result.plan.seed},
                    .rows = RowsOf(result)};
  std::vector<Section>& sections = document.sections;
  sections.push_back({.title = AnswerText(result), .details = AnswerDetails(result)});
  if (!result.decision.ratios.empty()) {
    sections.push_back(FinalistsSection(result));
  }
  for (std::size_t i = 0; i < result.plan.objectives.size(); ++i) {
    sections.push_back(ComparedSection(result, i));
    sections.push_back(SearchedSection(result, i));
  }
  sections.push_back(RungsSection(result));
  for (const harness::FieldImportance& importance : result.importance) {
    if (HasShares(importance)) {
      for (const Media media : {kInTerminal, kInPage}) {
        sections.push_back(ImportanceSection(result, importance, media));
        sections.back().media = media;
      }
    }
  }
  if (auto reliability = TuneReliability(result); !reliability.empty()) {
    sections.push_back({.title = "How reliable the shares are", .details = std::move(reliability)});
  }
  if (auto failures = TuneFailures(result); !failures.empty()) {
    sections.push_back({.title = "Dropped and failed", .details = std::move(failures)});
  }
  return document;
}

}  // namespace schedbench::report
