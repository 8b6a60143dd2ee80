#include "report/bisect/bisect_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::report {

static record::Of<BisectResult::Tested> RecordOf(const BisectResult::Tested* /*type*/) {
  using T = BisectResult::Tested;
  using Step = history::Step;
  return {"Step",
          {{"candidate", &T::name, "Fields with their values, or a revision."},
           {"nearer", &T::step, &Step::nearer, "The end that it is nearer to."},
           {"blocks", &T::step, &Step::blocks, "That were measured."},
           {"to_good", &T::step, &Step::to_good, "The candidate to GOOD."},
           {"to_bad", &T::step, &Step::to_bad, "The candidate to BAD."},
           {"failure", &T::step, &Step::failure, "Why it has failed.", {record::kNull}}}};
}

record::Record RecordOf(const BisectResult* /*type*/) {
  using T = BisectResult;
  static constexpr std::array<std::string_view, 2> kKinds{"fields", "revisions"};
  return ResultRecord<"bisect", T>(
      {{"of",
        [](const T& result) { return kKinds[result.kind == T::Kind::kFields ? 0 : 1]; },
        "What differs between GOOD and BAD.",
        {.one_of = kKinds}},
       {"outcome", &T::outcome, "How the search ended."},
       {"good", &T::good, "The end without the difference."},
       {"bad", &T::bad, "The end with the difference."},
       {"workload", &T::workload, "As on the command line."},
       {"metric", &T::metric, "By which candidates are compared."},
       {"candidates", &T::candidates, "Fields that differ, or revisions after GOOD."},
       {"difference", &T::difference, "BAD to GOOD."},
       {"cause", &T::cause,
        "A smallest set of fields, or the revisions among which the first bad one is."},
       {"subject", &T::subject, "Of the last of these revisions.", {record::kNull}},
       {"skipped", &T::skipped, "Revisions among them that cannot be decided."},
       {"effect", &T::effect, "GOOD with the cause to GOOD."},
       {"remainder", &T::remainder, "GOOD with the cause to BAD."},
       {"failure", &T::failure, "Why GOOD or BAD cannot be measured.", {record::kNull}},
       {"steps", &T::tested, "Candidates in the order of the search."},
       {"level", [](const T& /*result*/) { return history::kStepLevel; },
        "Of the intervals of each step."},
       {"min_effect", &T::min_effect, "The smallest difference that matters."},
       {"seed", &T::seed, kSeedDoc}});
}

}  // namespace schedbench::report
