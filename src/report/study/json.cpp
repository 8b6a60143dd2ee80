#include "base/vector_of.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"
#include "report/study/study_report.hpp"

namespace schedbench::stats {

static record::Of<ProfileStep> RecordOf(const ProfileStep* /*type*/) {
  using T = ProfileStep;
  return {"ProfileStep",
          {{"factor", &T::factor, "Of the best alternative."},
           {"share", &T::share, "Of the problems, from this factor on."}}};
}

}  // namespace schedbench::stats

namespace schedbench::report {

namespace {

std::vector<std::pair<std::string, std::vector<stats::ProfileStep>>> ProfilesOf(
    const StudyResult& result) {
  const ComparisonResult& comparison = result.comparison;
  const auto costs = harness::CostsOf(comparison.plan, comparison.data, comparison.comparison);
  std::vector<std::pair<std::string, std::vector<stats::ProfileStep>>> profiles;
  if (!costs.problems.empty()) {
    for (const auto& steps : stats::PerformanceProfiles(costs.costs)) {
      profiles.emplace_back(comparison.plan.alternatives[profiles.size()].name, steps);
    }
  }
  return profiles;
}

}  // namespace

record::Record RecordOf(const StudyResult* /*type*/) {
  using T = StudyResult;
  return ResultRecord<"study", T>(
      {{"name", &T::name, "Of the study."},
       {"problems", &T::problems,
        "The workload and the perturbation of each workload of the comparison."},
       {"profiles", [](const T& result) { return ProfilesOf(result); },
        "The performance profile of each alternative; none without a problem that all have."},
       {"largest_difference",
        [](const T& result) {
          return Mapped(result.largest, [&](const harness::ComparedRow& row) {
            return ShownRow{{&result.comparison, &row, 0}};
          });
        },
        "The difference that is explained; null: none is proven."},
       {"findings",
        [](const T& result) {
          return result.doctor ? result.doctor->findings : std::vector<harness::Finding>();
        },
        "What the doctor found before the measurement."},
       {"comparison", &T::comparison, "Every problem as a workload, with all measured rounds."}});
}

}  // namespace schedbench::report
