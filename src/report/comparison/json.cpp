#include "base/enum_text.hpp"
#include "base/vector_of.hpp"
#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <algorithm>

namespace schedbench::stats {

static record::Of<RankComparison> RecordOf(const RankComparison* /*type*/) {
  using T = RankComparison;
  return {"Ranks",
          {{"p", &T::p, "Of the Mann-Whitney test."},
           {"superiority", &T::superiority, "Share of pairs in which this one is larger."},
           {"effect", [](const T& ranks) { return EffectSize(ranks.superiority); },
            "How large that is, in a word."}}};
}

}  // namespace schedbench::stats

namespace schedbench::harness {

constexpr std::array<std::string_view, 2> NamesOf(Gate::Kind) {
  return {"fail-if", "require"};
}

record::Of<Alternative> RecordOf(const Alternative* /*type*/) {
  using T = Alternative;
  return {"Alternative",
          {{"name", &T::name, "In the table."},
           {"agent", &T::command, "The command that starts its agent."},
           {"scheduler", &T::scheduler, "Name of the scheduler."},
           {"config", &T::config, record::kJsonText,
            "The effective settings of the scheduler, defaults included."},
           {"runtime", &T::runtime, "The foreign runtime; null: schedbench.", {record::kNull}},
           {"tasks", &T::tasks, "What its units of work are."}}};
}

static record::Of<Gate> RecordOf(const Gate* /*type*/) {
  using T = Gate;
  return {"Gate",
          {{"kind", &T::kind, "By --fail-if or --require."},
           {"gate", &T::text, "As on the command line."},
           {"metric", &T::metric, "Name of the metric."},
           {"change", &T::change, "What the ratio less 1 is held against."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

static record::Of<WorkAgreement> RecordOf(const WorkAgreement* /*type*/) {
  using T = WorkAgreement;
  return {"WorkAgreement",
          {{"count", &T::count, "Its name."},
           {"must_agree", &T::must_agree, "The workload alone determines it."},
           {"same", &T::same, "All alternatives have the same."}}};
}

namespace {

using harness::ComparedRow;

struct ShownAlternative : PartOf<ComparisonResult, harness::Alternative> {};

record::Of<ShownAlternative> RecordOf(const ShownAlternative* /*type*/) {
  using T = ShownAlternative;
  return {"ComparedAlternative",
          {{record::kInline, [](const T& one) { return one.element; }, ""},
           {"saved", [](const T& one) { return one.index < one.result->plan.saved.count; },
            "It is one of the file of --baseline."}}};
}

struct RatioOfRow {
  stats::RatioEstimate ratio;
  double level;
  std::size_t pairs;
};

record::Of<RatioOfRow> RecordOf(const RatioOfRow* /*type*/) {
  using T = RatioOfRow;
  return {"RatioOfRow",
          {{record::kInline, &T::ratio, ""},
           {"level", &T::level, "Confidence level of one interval."},
           {"pairs", &T::pairs, "Blocks behind the ratio."}}};
}

std::optional<RatioOfRow> RatioOf(const ComparedRow& row) {
  return row.ratio ? std::optional(RatioOfRow{*row.ratio, row.level, row.pairs}) : std::nullopt;
}

struct DifferenceOfRow {
  stats::DifferenceEstimate difference;
  double level;
};

record::Of<DifferenceOfRow> RecordOf(const DifferenceOfRow* /*type*/) {
  using T = DifferenceOfRow;
  using Estimate = stats::DifferenceEstimate;
  return {"Difference",
          {{"difference", &T::difference, &Estimate::difference, "The median."},
           {"low", &T::difference, &Estimate::low, "The lower end of its interval."},
           {"high", &T::difference, &Estimate::high, "The upper end of its interval."},
           {"level", &T::level, "Confidence level of one interval."}}};
}

// A row and the alternative with which it is compared.
struct ComparedWith {
  std::string against;
  const ComparedRow* row;
};

record::Of<ComparedWith> RecordOf(const ComparedWith* /*type*/) {
  using T = ComparedWith;
  return {
      "ComparedWith",
      {{"against", &T::against, "The alternative that this one is compared with."},
       {"ratio", [](const T& one) { return RatioOf(*one.row); },
        "Ratio to the reference with its interval."},
       {"difference",
        [](const T& one) {
          return Mapped(one.row->difference, [&](const auto& difference) {
            return DifferenceOfRow{difference, one.row->level};
          });
        },
        "Difference to the reference in the unit of the metric, with its interval; where a block "
        "of one of the two is 0, so that there is no ratio."},
       {"point", [](const T& one) { return one.row->point; },
        "Median of the ratios of the blocks, also without an interval."},
       {"verdict", [](const T& one) { return one.row->verdict; },
        "What the ratio means; null without an interval."},
       {"blocks_to_resolve",
        [](const T& one) { return one.row->pairs_to_resolve; },
        "About how many blocks would give a verdict.",
        {record::kNull}},
       {"dependent", [](const T& one) { return one.row->dependent; },
        "Blocks resemble their neighbours; the interval is widened for it."},
       {"ranks",
        [](const T& one) { return one.row->ranks; },
        "Comparison with a saved alternative by ranks.",
        {record::kOmitted}}}};
}

}  // namespace

record::Of<ShownRow> RecordOf(const ShownRow* /*type*/) {
  using T = ShownRow;
  return {
      "Row",
      {{"workload",
        [](const T& one) { return one.result->plan.workloads[one.element->workload].name; },
        "The workload."},
       {"metric", [](const T& one) { return one.element->metric->name; }, "Name of the metric."},
       {"unit", [](const T& one) { return one.element->metric->unit; }, "Unit of the values."},
       {"better", [](const T& one) { return one.element->metric->better; }, "Which way is better."},
       {"alternative",
        [](const T& one) { return one.result->plan.alternatives[one.element->alternative].name; },
        "Name of the alternative."},
       {"value", [](const T& one) { return one.element->spread; },
        "Median over the blocks with its spread."},
       {record::kInline,
        [](const T& one) {
          return Mapped(one.element->against, [&](std::size_t against) {
            return ComparedWith{one.result->plan.alternatives[against].name, one.element};
          });
        },
        ""},
       {"reason",
        [](const T& one) { return one.element->missing; },
        "Why there is no value or no ratio.",
        {record::kNull}}}};
}

namespace {

struct JudgedRow {
  const ComparisonResult* result;
  const harness::GateResult* gate;
  const harness::GateResult::Row* judged;

  const ComparedRow& Row() const {
    return result->comparison.rows[judged->place];
  }
};

record::Of<JudgedRow> RecordOf(const JudgedRow* /*type*/) {
  using T = JudgedRow;
  return {
      "JudgedRow",
      {{"workload",
        [](const T& one) { return one.result->plan.workloads[one.Row().workload].name; },
        "The workload."},
       {"alternative",
        [](const T& one) { return one.result->plan.alternatives[one.Row().alternative].name; },
        "Name of the alternative."},
       {"ratio", [](const T& one) { return RatioOf(one.Row()); },
        "Ratio to the reference with its interval."},
       {"reason",
        [](const T& one) { return one.Row().missing; },
        "Why there is no ratio.",
        {record::kNull}},
       {"outcome", [](const T& one) { return one.judged->outcome; }, "Of the gate for this row."},
       {"worst", [](const T& one) { return one.judged->place == one.gate->worst; },
        "It decides the outcome of the gate."}}};
}

struct ShownGate : PartOf<ComparisonResult, harness::GateResult> {};

record::Of<ShownGate> RecordOf(const ShownGate* /*type*/) {
  using T = ShownGate;
  return {"GateResult",
          {{record::kInline, [](const T& one) { return &one.element->gate; }, ""},
           {"outcome", [](const T& one) { return one.element->outcome; },
            "Failed where one row is, otherwise inconclusive where one is."},
           {"left_out", [](const T& one) { return one.element->left_out; },
            "Rows that can have no ratio."},
           {"rows",
            [](const T& one) {
              return VectorOf(one.element->rows, [&](const auto& judged) {
                return JudgedRow{one.result, one.element, &judged};
              });
            },
            "All ratios of its metric."}}};
}

template <typename Value>
using ByAlternative = std::vector<std::pair<std::string, Value>>;

struct ShownDisturbance : PartOf<ComparisonResult, harness::DisturbedBlock> {};

record::Of<ShownDisturbance> RecordOf(const ShownDisturbance* /*type*/) {
  using T = ShownDisturbance;
  return {"DisturbedBlock",
          {{"workload",
            [](const T& one) { return one.result->plan.workloads[one.element->group].name; },
            "The workload."},
           {"block", [](const T& one) { return one.element->block; }, "Counted from 0."},
           {"reason", [](const T& one) { return harness::ToText(one.element->by); }, "What ran."},
           {record::kInline,
            [](const T& one) -> const harness::Disturbance& { return one.element->by; }, ""},
           {"replaced",
            [](const T& one) {
              ByAlternative<std::vector<harness::RoundReply>> replaced;
              for (std::size_t i = 0; i < one.element->replaced.size(); ++i) {
                // The saved alternatives come first and were not measured now.
                const std::size_t alternative = one.result->plan.saved.count + i;
                replaced.emplace_back(one.result->plan.alternatives[alternative].name,
                                      one.element->replaced[i]);
              }
              return replaced;
            },
            "The rounds that were measured again, by alternative; none where the block counts."}}};
}

struct ShownWorkload : PartOf<ComparisonResult, harness::ComparedWorkload> {};

record::Of<ShownWorkload> RecordOf(const ShownWorkload* /*type*/) {
  using T = ShownWorkload;
  return {"Workload",
          {{"name", [](const T& one) { return one.element->name; }, "As it was asked for."},
           {"measured_on",
            [](const T& one) {
              const harness::PlacePtr& place = one.element->place;
              return place == nullptr ? std::nullopt : std::optional(place->name);
            },
            "The name of the machine; null: this machine."},
           {"workload", [](const T& one) { return one.element->entry->name; }, "The workload."},
           {"parameters", [](const T& one) { return Json::parse(one.element->parameters); },
            "The effective parameters."},
           {"operation", [](const T& one) { return one.element->entry->operation; },
            "What is counted."},
           {"work", [](const T& one) { return AgreementsOf(*one.result, one.index); },
            "Whether all alternatives did the same work."},
           {"measured",
            [](const T& one) {
              std::vector<std::pair<std::string_view, const harness::Series*>> measured;
              for (const harness::Series& series : one.result->data.series[one.index]) {
                measured.emplace_back(one.result->plan.alternatives[measured.size()].name, &series);
              }
              return measured;
            },
            "The rounds, by alternative."}}};
}

}  // namespace

record::Record RecordOf(const ComparisonResult* /*type*/) {
  using T = ComparisonResult;
  return ResultRecord<"comparison", T>(
      {{"complete",
        [](const T& result) {
          return result.data.complete && !result.data.unfinished_block &&
                 std::ranges::all_of(result.data.lost, &std::string::empty);
        },
        "false: interrupted, failed, or ended by --budget before its first block; the finished "
        "part is here."},
       {"verdict",
        [](const T& result) {
          return result.gates.empty() ? std::nullopt
                                      : std::optional(harness::OutcomeOfAll(result.gates));
        },
        "All gates together; null: there are none."},
       {"gates", [](const T& result) { return PartsOf<ShownGate>(result, result.gates); },
        "The outcomes of --fail-if and --require."},
       {"baseline",
        [](const T& result) {
          return result.plan.saved.count == 0 ? std::nullopt
                                              : std::optional(result.plan.saved.file);
        },
        "The file of --baseline."},
       {"alternatives",
        [](const T& result) { return PartsOf<ShownAlternative>(result, result.plan.alternatives); },
        "What is compared, in order: the first is the reference."},
       {"rows", [](const T& result) { return PartsOf<ShownRow>(result, result.comparison.rows); },
        "A metric of an alternative under a workload."},
       {"comparisons", &T::comparison, &harness::Comparison::comparisons,
        "Number of ratios that share the joint level."},
       {"level", &T::comparison, &harness::Comparison::level, "Confidence level of one interval."},
       {"joint_level", [](const T& /*result*/) { return harness::kJointLevel; },
        "Probability with which all intervals hold at once."},
       {"min_effect", &T::min_effect, "Smallest difference that matters."},
       {"throughput_floor", &T::throughput_floor,
        "Smallest difference of throughput that this machine can resolve, by --doctor."},
       {record::kInline, &T::plan, ""},
       {"disturbed",
        [](const T& result) { return PartsOf<ShownDisturbance>(result, result.data.disturbed); },
        "Blocks in which something else took CPU time."},
       {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}},
       {"places", [](const T& result) { return ShownPlaces(result.plan.places, result.data.lost); },
        "The machines of the agents; none: all were measured here."},
       {"workloads",
        [](const T& result) { return PartsOf<ShownWorkload>(result, result.plan.workloads); },
        "The workloads with all measured rounds."}});
}

}  // namespace schedbench::report
