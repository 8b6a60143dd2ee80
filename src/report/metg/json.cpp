#include "report/metg/metg_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::harness {

static const record::Record& RecordOf(const MetgPoint* /*type*/) {
  using T = MetgPoint;
  static const record::Of<T> kRecord(
      "MetgPoint", {{"grain_ns", &T::grain_ns, "Work of a task."},
                    {"near_result", &T::fine, "false: a point of the search, of few blocks."},
                    {"measured", &T::series, "All rounds."}});
  return kRecord;
}

static const record::Record& RecordOf(const MetgCurve* /*type*/) {
  using T = MetgCurve;
  static const record::Of<T> kRecord(
      "MetgCurve",
      {{"outcome", &T::outcome, "Whether there is a result."},
       {"failure", &T::failure, "Why it has failed.", {record::kNull}},
       {"metg_ns", &T::ns,
        "The smallest granularity; at the smallest or largest grain where the outcome says so."},
       {"low_ns", &T::low, "Of the 95 % bootstrap interval; null: too few blocks."},
       {"high_ns", &T::high, "Its upper end."},
       {"low_is_open", &T::low_is_open, "The measured grains end there: it may be lower."},
       {"high_is_open", &T::high_is_open, "The measured grains end there: it may be higher."},
       {"blocks", &T::blocks, "That it is made of."},
       {"to_first", &T::ratio, "The ratio to the first alternative under the same workload."},
       {"verdict", &T::verdict, "What this ratio means; null without one."}});
  return kRecord;
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

struct MetgShownPoint {
  const harness::MetgPoint* point;
  std::optional<double> granularity;
  std::optional<harness::Spread> efficiency;
};

const record::Record& RecordOf(const MetgShownPoint* /*type*/) {
  using T = MetgShownPoint;
  static const record::Of<T> kRecord(
      "Point", {{"granularity_ns", &T::granularity, "grain_ns divided by the efficiency."},
                {"efficiency", &T::efficiency, "Over the blocks."},
                {record::kInline, &T::point, ""}});
  return kRecord;
}

struct MetgShownCurve {
  const harness::Alternative* alternative;
  const harness::ComparedWorkload* workload;
  const harness::MetgCurve* curve;
  std::vector<MetgShownPoint> points;
};

const record::Record& RecordOf(const MetgShownCurve* /*type*/) {
  using T = MetgShownCurve;
  using harness::Alternative;
  using harness::ComparedWorkload;
  static const record::Of<T> kRecord(
      "Curve",
      {{"alternative", [](const T& curve) -> const std::string& { return curve.alternative->name; },
        "Its name in the table."},
       {"scheduler",
        [](const T& curve) -> const std::string& { return curve.alternative->scheduler; },
        "Name of the scheduler."},
       {"config", [](const T& curve) { return Json::parse(curve.alternative->config); },
        "The settings that its agent was opened with."},
       {"runtime",
        [](const T& curve) -> const std::string& { return curve.alternative->runtime; },
        "The foreign runtime; null: schedbench.",
        {record::kNull}},
       {"workload", [](const T& curve) -> const std::string& { return curve.workload->name; },
        "As it was asked for."},
       {"parameters", [](const T& curve) { return Json::parse(curve.workload->parameters); },
        "All parameters; grain_ns is set for each point."},
       {record::kInline, &T::curve, ""},
       {"points", &T::points, "In the order of measuring."}});
  return kRecord;
}

std::vector<MetgShownCurve> CurvesOf(const MetgResult& result) {
  const std::size_t alternatives = result.plan.alternatives.size();
  std::vector<MetgShownCurve> curves;
  for (const harness::MetgCurve& curve : result.curves) {
    const std::size_t index = curves.size();
    MetgShownCurve& shown =
        curves.emplace_back(MetgShownCurve{&result.plan.alternatives[index % alternatives],
                                           &result.plan.workloads[index / alternatives],
                                           &curve,
                                           {}});
    for (const harness::MetgPoint& point : result.data.curves[index]) {
      const auto efficiency = harness::EfficiencyOf(result.plan, point);
      shown.points.push_back(
          {&point,
           efficiency ? std::optional(static_cast<double>(point.grain_ns) / efficiency->median)
                      : std::nullopt,
           efficiency});
    }
  }
  return curves;
}

}  // namespace

const record::Record& RecordOf(const MetgResult* /*type*/) {
  using T = MetgResult;
  static const record::Record kRecord = ResultRecord<"metg", T>(
      {{"complete",
        [](const T& result) { return result.data.complete && !result.data.out_of_budget; },
        kCutByBudgetDoc},
       {"efficiency", &T::plan, &harness::MetgPlan::efficiency,
        "The share of the workers' time that is to be work."},
       {"curves", [](const T& result) { return CurvesOf(result); },
        "For each workload a curve for each alternative."},
       {"grains_ns", &T::plan, &harness::MetgPlan::grains, "Of the search."},
       {record::kInline,
        [](const T& result) { return BlockFactsOf(result.plan, result.data, result.perturbed); },
        ""}});
  return kRecord;
}

}  // namespace schedbench::report
