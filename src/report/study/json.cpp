#include "report/parts/json_parts.hpp"
#include "report/study/study_report.hpp"

namespace schedbench::stats {

static const record::Record& RecordOf(const ProfileStep* /*type*/) {
  using T = ProfileStep;
  static const record::Of<T> kRecord(
      "ProfileStep", {{"factor", &T::factor, "Of the best alternative."},
                      {"share", &T::share, "Of the problems, from this factor on."}});
  return kRecord;
}

}  // namespace schedbench::stats

namespace schedbench::profile {

static const record::Record& RecordOf(const HotFrame* /*type*/) {
  using T = HotFrame;
  static const record::Of<T> kRecord(
      "HotFrame", {{"function", &T::name, "Its name."},
                   {"self", &T::self, "Share of the samples that ended in it."},
                   {"total", &T::total, "The same, in it or in what it called."}});
  return kRecord;
}

}  // namespace schedbench::profile

namespace schedbench::report {

static const record::Record& RecordOf(const ObservedSide* /*type*/) {
  using T = ObservedSide;
  static const record::Of<T> kRecord(
      "ObservedSide",
      {{"alternative", &T::name, "Name of the alternative."},
       {"hottest", &T::hottest, "The functions in which most samples ended."},
       {"idle_ns",
        [](const T& side) {
          return side.timeline ? std::optional(side.timeline->idle_ns) : std::nullopt;
        },
        "Time of all workers in the timeline in which they searched or were parked."},
       {"wasted_ns",
        [](const T& side) {
          return side.timeline ? std::optional(side.timeline->wasted_ns) : std::nullopt;
        },
        "Of this the time in which a fiber was ready."}});
  return kRecord;
}

namespace {

struct LargestShown {
  std::string workload;
  std::string alternative;
  std::string against;
  std::string_view metric;
  stats::RatioEstimate ratio;
};

const record::Record& RecordOf(const LargestShown* /*type*/) {
  using T = LargestShown;
  static const record::Of<T> kRecord(
      "LargestDifference",
      {{"workload", &T::workload, "The name of the problem in the comparison."},
       {"alternative", &T::alternative, "Name of the alternative."},
       {"against", &T::against, "The alternative that it is compared with."},
       {"metric", &T::metric, "By which the workload ranks."},
       {record::kInline, &T::ratio, ""}});
  return kRecord;
}

std::optional<LargestShown> LargestOf(const StudyResult& result) {
  if (!result.largest) {
    return std::nullopt;
  }
  const harness::ComparedRow& row = *result.largest;
  const harness::ComparisonPlan& plan = result.comparison.plan;
  return LargestShown{.workload = plan.workloads[row.workload].name,
                      .alternative = plan.alternatives[row.alternative].name,
                      .against = plan.alternatives[*row.against].name,
                      .metric = row.metric->name,
                      .ratio = *row.ratio};
}

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

const record::Record& RecordOf(const StudyResult* /*type*/) {
  using T = StudyResult;
  static const record::Record kRecord = ResultRecord<"study", T>(
      {{"name", &T::name, "Of the study."},
       {"problems", &T::problems,
        "The workload and the perturbation of each workload of the comparison."},
       {"profiles", [](const T& result) { return ProfilesOf(result); },
        "The performance profile of each alternative; none without a problem that all have."},
       {"largest_difference", [](const T& result) { return LargestOf(result); },
        "The difference that is explained; null: none is proven."},
       {"sides", &T::sides, "The reference and the alternative of it, observed; or none."},
       {"findings",
        [](const T& result) {
          return result.doctor ? result.doctor->findings : std::vector<harness::Finding>();
        },
        "What the doctor found before the measurement."},
       {"comparison", &T::comparison, "Every problem as a workload, with all measured rounds."}});
  return kRecord;
}

std::string RenderJson(const StudyResult& result) {
  return JsonText(RecordOf(&result), &result);
}

}  // namespace schedbench::report
