#include "base/vector_of.hpp"
#include "report/metg/metg_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::harness {

static record::Of<MetgPoint> RecordOf(const MetgPoint* /*type*/) {
  using T = MetgPoint;
  return {"MetgPoint",
          {{"grain_ns", &T::grain_ns, "Work of a task."},
           {"near_result", &T::fine, "false: a point of the search, of few blocks."},
           {"measured", &T::series, "All rounds."}}};
}

static record::Of<MetgCurve> RecordOf(const MetgCurve* /*type*/) {
  using T = MetgCurve;
  return {
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
       {"verdict", &T::verdict, "What this ratio means; null without one."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

struct MetgShownPoint {
  const harness::MetgPoint* point;
  std::optional<harness::Spread> efficiency;
};

record::Of<MetgShownPoint> RecordOf(const MetgShownPoint* /*type*/) {
  using T = MetgShownPoint;
  return {"Point",
          {{"granularity_ns",
            [](const T& one) {
              return one.efficiency ? std::optional(static_cast<double>(one.point->grain_ns) /
                                                    one.efficiency->median)
                                    : std::nullopt;
            },
            "grain_ns divided by the efficiency."},
           {"efficiency", &T::efficiency, "Over the blocks."},
           {record::kInline, &T::point, ""}}};
}

struct MetgShownCurve : PartOf<MetgResult, harness::MetgCurve> {};

record::Of<MetgShownCurve> RecordOf(const MetgShownCurve* /*type*/) {
  using T = MetgShownCurve;
  static constexpr auto kAlternative = [](const T& one) -> const harness::Alternative& {
    const auto& alternatives = one.result->plan.alternatives;
    return alternatives[one.index % alternatives.size()];
  };
  static constexpr auto kWorkload = [](const T& one) -> const harness::ComparedWorkload& {
    return one.result->plan.workloads[one.index / one.result->plan.alternatives.size()];
  };
  return {"Curve",
          {{"alternative", [](const T& one) { return kAlternative(one).name; },
            "Its name in the table."},
           {"scheduler", [](const T& one) { return kAlternative(one).scheduler; },
            "Name of the scheduler."},
           {"config", [](const T& one) { return Json::parse(kAlternative(one).config); },
            "The settings that its agent was opened with."},
           {"runtime",
            [](const T& one) { return kAlternative(one).runtime; },
            "The foreign runtime; null: schedbench.",
            {record::kNull}},
           {"workload", [](const T& one) { return kWorkload(one).name; }, "As it was asked for."},
           {"parameters", [](const T& one) { return Json::parse(kWorkload(one).parameters); },
            "All parameters; grain_ns is set for each point."},
           {record::kInline, [](const T& one) { return one.element; }, ""},
           {"points",
            [](const T& one) {
              return VectorOf(one.result->data.curves[one.index], [&](const auto& point) {
                return MetgShownPoint{&point, harness::EfficiencyOf(one.result->plan, point)};
              });
            },
            "In the order of measuring."}}};
}

}  // namespace

record::Record RecordOf(const MetgResult* /*type*/) {
  using T = MetgResult;
  return ResultRecord<"metg", T>(
      {{"complete",
        [](const T& result) { return result.data.complete && !result.data.out_of_budget; },
        kCutByBudgetDoc},
       {"efficiency", &T::plan, &harness::MetgPlan::efficiency,
        "The share of the workers' time that is to be work."},
       {"curves", [](const T& result) { return PartsOf<MetgShownCurve>(result, result.curves); },
        "For each workload a curve for each alternative."},
       {"grains_ns", &T::plan, &harness::MetgPlan::grains, "Of the search."},
       {record::kInline,
        [](const T& result) {
          return BlockFacts{result.plan, result.plan.min_effect, result.data, result.perturbed};
        },
        ""}});
}

}  // namespace schedbench::report
