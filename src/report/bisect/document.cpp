#include "config/quote.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace schedbench::report {

namespace {

using Tested = BisectResult::Tested;
using Outcome = BisectResult::Outcome;

std::vector<Sentence> FoundFields(const BisectResult& result) {
  std::vector<Sentence> sentences{
      {fmt::format("cause: {}", fmt::join(result.cause, ", ")), "", Emphasis::kStrong}};
  if (result.effect) {
    sentences.push_back({fmt::format(
        "GOOD with it is x {} of GOOD{}", EstimateText(*result.effect),
        result.remainder ? fmt::format(", and x {} of BAD", EstimateText(*result.remainder))
                         : "")});
  }
  const auto undecided = std::ranges::count_if(result.tested, [](const Tested& one) {
    return one.step.nearer == history::Nearer::kUnresolved;
  });
  if (undecided > 0) {
    sentences.push_back({fmt::format("{} inconclusive: a smaller set may be enough",
                                     undecided == 1 ? "a candidate was"
                                                    : fmt::format("{} candidates were", undecided)),
                         "--blocks N"});
  }
  return sentences;
}

std::vector<Sentence> FoundRevisions(const BisectResult& result) {
  if (result.cause.size() == 1) {
    return {{"first bad revision: " + result.cause.front(), "", Emphasis::kStrong},
            {result.subject}};
  }
  return {
      {fmt::format("the first bad revision is one of {} to {}", RevisionLabel(result.cause.front()),
                   RevisionLabel(result.cause.back())),
       "", Emphasis::kStrong},
      {fmt::format("{} between them cannot be decided: {}",
                   Plural(result.skipped.size(), "revision"), fmt::join(result.skipped, ", "))}};
}

std::vector<Sentence> ConclusionOf(const BisectResult& result) {
  switch (result.outcome) {
    case Outcome::kFound:
      return result.kind == BisectResult::Kind::kFields ? FoundFields(result)
                                                        : FoundRevisions(result);
    case Outcome::kSame:
      return {{fmt::format("no difference: GOOD and BAD are the same within {:.3g} %",
                           100 * result.min_effect),
               "", Emphasis::kStrong}};
    case Outcome::kInconclusive:
      return {{"inconclusive: it is not proven that GOOD and BAD differ", "", Emphasis::kStrong},
              {"more --blocks, or a larger effect, may decide it"}};
    case Outcome::kFailed:
      return {{"cannot be measured: " + result.failure, "", Emphasis::kStrong}};
    case Outcome::kInterrupted:
      return {{"interrupted", "", Emphasis::kStrong}};
  }
  return {};
}

Table StepsTable(const BisectResult& result) {
  TableOf<Tested> table;
  table.Add({"candidate"}, &Tested::name);
  table.Add({"nearer"}, [](const Tested& one) { return one.step.nearer; });
  table.Add({.name = "blocks", .align = kRight, .loss = 2},
            [](const Tested& one) { return one.step.blocks; });
  table.AddRatio({"to good"}, [](const Tested& one) { return one.step.to_good; });
  table.AddRatio({.name = "to bad", .loss = 1}, [](const Tested& one) { return one.step.to_bad; });
  table.Add({.name = "failure", .media = kInRows},
            [](const Tested& one) { return one.step.failure; });
  return std::move(table).Rows(result.tested);
}

}  // namespace

Document DocumentOf(const BisectResult& result, const TerminalStyle& /*style*/) {
  const bool is_fields = result.kind == BisectResult::Kind::kFields;
  Document document{.title = fmt::format("{} against {}", result.bad, result.good),
                    .headline = {fmt::format("GOOD {}, BAD {}", result.good, result.bad),
                                 fmt::format("{} of {}", result.metric, result.workload),
                                 is_fields ? Plural(result.candidates, "field") + " that differ"
                                           : Plural(result.candidates, "revision") + " after GOOD"},
                    .origin = Origin{result.machine, result.command, result.seed},
                    .rows = StepsTable(result)};
  if (!result.tested.empty()) {
    Section steps{.title = is_fields ? "GOOD with these fields of BAD" : "Revisions",
                  .table = document.rows};
    for (const Tested& one : result.tested) {
      if (!one.step.failure.empty()) {
        steps.details.push_back(
            {fmt::format("{}: {}", one.name, config::Escaped(one.step.failure, 1000))});
      }
    }
    document.sections.push_back(std::move(steps));
  }
  Section conclusion{.title = "Conclusion", .details = ConclusionOf(result)};
  if (result.difference) {
    conclusion.details.push_back(
        {fmt::format("BAD is x {} of GOOD", EstimateText(*result.difference))});
  }
  document.sections.push_back(std::move(conclusion));
  return document;
}

}  // namespace schedbench::report
