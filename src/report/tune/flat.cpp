#include "report/tune/parts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

// Of the comparison on fresh data.
std::vector<FlatCell> ComparedRatioRow(const TuneResult& result, const harness::TuneRatio& ratio) {
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  const auto end = [&](double stats::RatioEstimate::* member) {
    return RatioCell(ratio.ratio ? std::optional(*ratio.ratio.*member) : std::nullopt);
  };
  return {"comparison",
          TuneCandidateName(result.plan, finalists[ratio.finalist]),
          TuneCandidateName(result.plan, finalists[ratio.against]),
          harness::ToText(result.plan.objectives[ratio.objective]),
          harness::ToText(ratio.scope),
          ratio.workload ? result.plan.workloads[*ratio.workload].name : "",
          RatioCell(ratio.point),
          end(&stats::RatioEstimate::low),
          end(&stats::RatioEstimate::high),
          std::to_string(ratio.pairs),
          ratio.verdict ? harness::ToText(*ratio.verdict) : "",
          ratio.missing};
}

// Of a candidate in the search, without an interval.
std::vector<FlatCell> SearchedRow(const TuneResult& result, std::size_t candidate,
                                  std::size_t objective) {
  const harness::TuneSeries& series = result.data.search[candidate];
  return {"search",
          TuneCandidateName(result.plan, candidate),
          TuneCandidateName(result.plan, harness::kDefaultCandidate),
          harness::ToText(result.plan.objectives[objective]),
          harness::ToText(harness::TuneScope::kSearched),
          "",
          RatioCell(SearchedRatio(result, candidate, objective)),
          "",
          "",
          std::to_string(series.front().blocks.size()),
          "",
          harness::FailureOf(series)};
}

}  // namespace

FlatTable Flattened(const TuneResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"row", "candidate", "against", "objective", "scope", "workload",
                              "ratio", "low", "high", "blocks", "verdict", "reason"}};
  for (const harness::TuneRatio& ratio : result.decision.ratios) {
    table.rows.push_back(ComparedRatioRow(result, ratio));
  }
  for (std::size_t i = harness::kDefaultCandidate + 1; i < result.plan.candidates.size(); ++i) {
    for (std::size_t objective = 0; objective < result.plan.objectives.size(); ++objective) {
      table.rows.push_back(SearchedRow(result, i, objective));
    }
  }
  return table;
}

}  // namespace schedbench::report
