#include "base/vector_of.hpp"
#include "config/settings_json.hpp"
#include "report/parts/json_parts.hpp"
#include "report/slo/slo_report.hpp"

#include <nlohmann/json.hpp>

namespace schedbench::harness {

static record::Of<LoadBounds> RecordOf(const LoadBounds* /*type*/) {
  using T = LoadBounds;
  return {"Search",
          {{"largest_rate", &T::holds, "That was seen to hold."},
           {"smallest_failing_rate", &T::fails, "That was seen not to hold."},
           {"ending", &T::ending, "How the search ended."}}};
}

static record::Of<LoadRange> RecordOf(const LoadRange* /*type*/) {
  using T = LoadRange;
  return {"Range",
          {{"first", &T::first, "Tried first."},
           {"lowest", &T::lowest, "The lower end."},
           {"highest", &T::highest, "The upper end."},
           {"resolution", &T::resolution,
            "Near enough: the smallest that does not hold by the largest that does."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

struct SloLimit : PartOf<harness::SloResult, harness::LatencyLimit> {};

record::Of<SloLimit> RecordOf(const SloLimit* /*type*/) {
  using T = SloLimit;
  return {
      "Limit",
      {{"slo", [](const T& one) { return one.element->text; }, "As on the command line."},
       {"metric",
        [](const T& one) {
          return harness::MetricsOf(*one.result->plan.workload)[one.element->metric]->name;
        },
        "Name of the metric."},
       {"below_ns", [](const T& one) { return one.element->below_ns; }, "What it must be below."}}};
}

struct SloProbe : PartOf<harness::SloResult, harness::LoadProbe> {};

record::Of<SloProbe> RecordOf(const SloProbe* /*type*/) {
  using T = SloProbe;
  return {"Probe",
          {{"rate", [](const T& one) { return one.element->rate; }, "Operations per second."},
           {"holds", [](const T& one) { return one.element->holds; }, "Whether all limits hold."},
           {"saturated", [](const T& one) { return one.element->saturated; },
            "The rate was not reached."},
           {"backlog_growth", [](const T& one) { return one.element->backlog_growth; },
            "The median over the rounds; null: they are too small to say."},
           {"summary", [](const T& one) { return SummaryOf(one.element->summary); },
            "Each metric over the rounds."},
           {"rounds",
            [](const T& one) { return RoundsOf(*one.result->plan.workload, one.element->rounds); },
            "Measured rounds."}}};
}

// Returns what all searches found together; none if they are not repeatable.
std::optional<harness::LoadBounds> RepeatableBounds(const harness::SloResult& result) {
  return IsRepeatable(result) ? harness::BoundsOf(result) : std::nullopt;
}

}  // namespace

record::Record RecordOf(const harness::SloResult* /*type*/) {
  using T = harness::SloResult;
  using Plan = harness::RunPlan;
  return ResultRecord<"slo", T>(
      {{"complete", &T::complete, kCompleteDoc},
       {"limits", [](const T& result) { return PartsOf<SloLimit>(result, result.limits); },
        "The limits of --slo."},
       {"largest_rate",
        [](const T& result) {
          return Mapped(RepeatableBounds(result), &harness::LoadBounds::holds);
        },
        "The largest rate at which all limits hold: the smallest that one of the searches found; "
        "null if they are not repeatable."},
       {"smallest_failing_rate",
        [](const T& result) {
          return Mapped(RepeatableBounds(result), &harness::LoadBounds::fails);
        },
        "The smallest rate that does not hold: the largest that one of the searches found; null "
        "if they are not repeatable."},
       {"ending",
        [](const T& result) {
          return Mapped(harness::BoundsOf(result), &harness::LoadBounds::ending);
        },
        "How the search ended."},
       {"repeatable",
        [](const T& result) {
          return harness::BoundsOf(result) ? std::optional(IsRepeatable(result)) : std::nullopt;
        },
        "Whether all searches ended in the same way, with limits within a factor of 1.25."},
       {"searches", &T::searches, "What each search found, in the order of the searches."},
       {"range", &T::range, "The rates that were searched."},
       {"scheduler", [](const T& result) { return result.plan.scheduler->name; },
        "Name of the scheduler."},
       {"config", [](const T& result) { return config::ToJson(result.plan.config); },
        "The effective settings of the scheduler, defaults included."},
       {"workload", &T::plan, "The workload."},
       {"seed", &T::plan, &Plan::seed, kSeedDoc},
       {"probes", [](const T& result) { return PartsOf<SloProbe>(result, result.probes); },
        "The rates that were tried, in order."},
       {"warmup", &T::plan, &Plan::warmup, "Warm-up rounds."},
       {"rounds_planned", &T::plan, &Plan::rounds, "Rounds that were requested."},
       {"failure", &T::failure, "Why the result is not complete.", {record::kNull}},
       {"diagnosis", [](const T& result) { return LinesOf(result.diagnosis); },
        "Lines that explain a hang."},
       {"timeout_ns", &T::plan, &Plan::timeout,
        "Time without progress after which a run fails; 0: none."},
       {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}}});
}

}  // namespace schedbench::report
