#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::harness {

constexpr std::array<std::string_view, 2> NamesOf(Way) {
  return {"rises", "falls"};
}

static record::Of<Hypothesis> RecordOf(const Hypothesis* /*type*/) {
  using T = Hypothesis;
  return {"Hypothesis",
          {{"name", &T::name, "Such as 'H1'."},
           {"source", &T::source, "Where it was published."},
           {"statement", &T::statement, "One sentence."},
           {"before", &T::before, "The first scheduler."},
           {"after", &T::after, "The second one."},
           {"counters", &T::counters, "Summed: counts, or a metric."},
           {"mechanism_claimed", &T::counters_go, "What the claim says."},
           {"throughput_claimed", &T::throughput_goes, "What the claim says."}}};
}

static record::Of<JudgedHypothesis> RecordOf(const JudgedHypothesis* /*type*/) {
  using T = JudgedHypothesis;
  return {"JudgedHypothesis",
          {{record::kInline, [](const T& judged) { return *judged.hypothesis; }, ""},
           {"verdict", &T::judgement, "Of the measurement."},
           {"reason", &T::reason, "One sentence."},
           {"workload", [](const T& judged) { return judged.plan.workloads[0].name; },
            "With its parameters."},
           {"mechanism", &T::mechanism,
            "Of the second scheduler to the first, per operation; null: there are "
            "too few blocks, or it "
            "failed."},
           {"throughput", &T::throughput, "The same of throughput."},
           {"blocks", &T::plan, &ComparisonPlan::blocks, "Blocks planned."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

record::Record RecordOf(const HypothesesResult* /*type*/) {
  using T = HypothesesResult;
  return ResultRecord<"hypotheses", T>(
      {{"complete", &T::complete, kCompleteDoc},
       {"hypotheses", &T::judged, "Those that were measured."},
       {"min_effect", &T::min_effect, "Throughput that differs by less is the same."},
       {"level", &T::level, "Of each interval; all of them hold together with 0.95."},
       {"seed", &T::seed, kSeedDoc}});
}

}  // namespace schedbench::report
