#include "base/enum_text.hpp"
#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <algorithm>

namespace schedbench::stats {

static const record::Record& RecordOf(const RankComparison* /*type*/) {
  using T = RankComparison;
  static const record::Of<T> kRecord(
      "Ranks", {{"p", &T::p, "Of the Mann-Whitney test."},
                {"superiority", &T::superiority, "Share of pairs in which this one is larger."},
                {"effect", [](const T& ranks) { return EffectSize(ranks.superiority); },
                 "How large that is, in a word."}});
  return kRecord;
}

}  // namespace schedbench::stats

namespace schedbench::harness {

constexpr std::array<std::string_view, 2> NamesOf(Gate::Kind) {
  return {"fail-if", "require"};
}

const record::Record& RecordOf(const Alternative* /*type*/) {
  using T = Alternative;
  static const record::Of<T> kRecord(
      "Alternative",
      {{"name", &T::name, "In the table."},
       {"agent", &T::command, "The command that starts its agent."},
       {"scheduler", &T::scheduler, "Name of the scheduler."},
       {"config", &T::config, record::kJsonText,
        "The effective settings of the scheduler, defaults included."},
       {"runtime", &T::runtime, "The foreign runtime; null: schedbench.", {record::kNull}},
       {"tasks", &T::tasks, "What its units of work are."}});
  return kRecord;
}

static const record::Record& RecordOf(const Gate* /*type*/) {
  using T = Gate;
  static const record::Of<T> kRecord(
      "Gate", {{"kind", &T::kind, "By --fail-if or --require."},
               {"gate", &T::text, "As on the command line."},
               {"metric", &T::metric, "Name of the metric."},
               {"change", &T::change, "What the ratio less 1 is held against."}});
  return kRecord;
}

}  // namespace schedbench::harness

namespace schedbench::report {

static const record::Record& RecordOf(const WorkAgreement* /*type*/) {
  using T = WorkAgreement;
  static const record::Of<T> kRecord(
      "WorkAgreement", {{"count", &T::count, "Its name."},
                        {"must_agree", &T::must_agree, "The workload alone determines it."},
                        {"same", &T::same, "All alternatives have the same."}});
  return kRecord;
}

namespace {

using harness::ComparedRow;

struct ShownAlternative {
  const harness::Alternative* alternative;
  bool is_saved;
};

const record::Record& RecordOf(const ShownAlternative* /*type*/) {
  using T = ShownAlternative;
  static const record::Of<T> kRecord(
      "ComparedAlternative", {{record::kInline, &T::alternative, ""},
                              {"saved", &T::is_saved, "It is one of the file of --baseline."}});
  return kRecord;
}

struct RatioOfRow {
  stats::RatioEstimate ratio;
  double level;
  std::size_t pairs;
};

const record::Record& RecordOf(const RatioOfRow* /*type*/) {
  using T = RatioOfRow;
  static const record::Of<T> kRecord("RatioOfRow",
                                     {{record::kInline, &T::ratio, ""},
                                      {"level", &T::level, "Confidence level of one interval."},
                                      {"pairs", &T::pairs, "Blocks behind the ratio."}});
  return kRecord;
}

std::optional<RatioOfRow> RatioOf(const ComparedRow& row) {
  return row.ratio ? std::optional(RatioOfRow{*row.ratio, row.level, row.pairs}) : std::nullopt;
}

struct DifferenceOfRow {
  stats::DifferenceEstimate difference;
  double level;
};

const record::Record& RecordOf(const DifferenceOfRow* /*type*/) {
  using T = DifferenceOfRow;
  using Estimate = stats::DifferenceEstimate;
  static const record::Of<T> kRecord(
      "Difference", {{"difference", &T::difference, &Estimate::difference, "The median."},
                     {"low", &T::difference, &Estimate::low, "The lower end of its interval."},
                     {"high", &T::difference, &Estimate::high, "The upper end of its interval."},
                     {"level", &T::level, "Confidence level of one interval."}});
  return kRecord;
}

// What a row has that is compared with another alternative.
struct ComparedWith {
  std::string against;
  const ComparedRow* row;
};

const record::Record& RecordOf(const ComparedWith* /*type*/) {
  using T = ComparedWith;
  static const record::Of<T> kRecord(
      "ComparedWith",
      {{"against", &T::against, "The alternative that this one is compared with."},
       {"ratio", [](const T& one) { return RatioOf(*one.row); },
        "Ratio to the reference with its interval."},
       {"difference",
        [](const T& one) {
          return one.row->difference
                     ? std::optional(DifferenceOfRow{*one.row->difference, one.row->level})
                     : std::nullopt;
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
        {record::kOmitted}}});
  return kRecord;
}

}  // namespace

const record::Record& RecordOf(const ShownRow* /*type*/) {
  using T = ShownRow;
  static const record::Of<T> kRecord(
      "Row",
      {{"workload", [](const T& one) { return one.result->plan.workloads[one.row->workload].name; },
        "The workload."},
       {"metric", [](const T& one) { return one.row->metric->name; }, "Name of the metric."},
       {"unit", [](const T& one) { return one.row->metric->unit; }, "Unit of the values."},
       {"better", [](const T& one) { return one.row->metric->better; }, "Which way is better."},
       {"alternative",
        [](const T& one) { return one.result->plan.alternatives[one.row->alternative].name; },
        "Name of the alternative."},
       {"value", [](const T& one) { return one.row->spread; },
        "Median over the blocks with its spread."},
       {record::kInline,
        [](const T& one) {
          const auto& against = one.row->against;
          return against ? std::optional(
                               ComparedWith{one.result->plan.alternatives[*against].name, one.row})
                         : std::nullopt;
        },
        ""},
       {"reason",
        [](const T& one) { return one.row->missing; },
        "Why there is no value or no ratio.",
        {record::kNull}}});
  return kRecord;
}

namespace {

std::vector<ShownRow> RowsOf(const ComparisonResult& result) {
  std::vector<ShownRow> rows;
  for (const ComparedRow& row : result.comparison.rows) {
    rows.push_back({&result, &row});
  }
  return rows;
}

struct JudgedRow {
  std::string workload;
  std::string alternative;
  std::optional<RatioOfRow> ratio;
  std::string reason;
  harness::GateOutcome outcome;
  bool is_worst;
};

const record::Record& RecordOf(const JudgedRow* /*type*/) {
  using T = JudgedRow;
  static const record::Of<T> kRecord(
      "JudgedRow", {{"workload", &T::workload, "The workload."},
                    {"alternative", &T::alternative, "Name of the alternative."},
                    {"ratio", &T::ratio, "Ratio to the reference with its interval."},
                    {"reason", &T::reason, "Why there is no ratio.", {record::kNull}},
                    {"outcome", &T::outcome, "Of the gate for this row."},
                    {"worst", &T::is_worst, "It decides the outcome of the gate."}});
  return kRecord;
}

struct ShownGate {
  const harness::GateResult* gate;
  std::vector<JudgedRow> rows;
};

const record::Record& RecordOf(const ShownGate* /*type*/) {
  using T = ShownGate;
  static const record::Of<T> kRecord(
      "GateResult",
      {{record::kInline, [](const T& one) -> const harness::Gate& { return one.gate->gate; }, ""},
       {"outcome", [](const T& one) { return one.gate->outcome; },
        "Failed where one row is, otherwise inconclusive where one is."},
       {"left_out", [](const T& one) { return one.gate->left_out; },
        "Rows that can have no ratio."},
       {"rows", &T::rows, "All ratios of its metric."}});
  return kRecord;
}

std::vector<ShownGate> GatesOf(const ComparisonResult& result) {
  std::vector<ShownGate> gates;
  for (const harness::GateResult& gate : result.gates) {
    ShownGate& shown = gates.emplace_back(ShownGate{&gate, {}});
    for (const harness::GateResult::Row& judged : gate.rows) {
      const ComparedRow& row = result.comparison.rows[judged.place];
      shown.rows.push_back({result.plan.workloads[row.workload].name,
                            result.plan.alternatives[row.alternative].name, RatioOf(row),
                            row.missing, judged.outcome, judged.place == gate.worst});
    }
  }
  return gates;
}

template <typename Value>
using ByAlternative = std::vector<std::pair<std::string, Value>>;

struct ShownDisturbance {
  const ComparisonResult* result;
  const harness::DisturbedBlock* block;
};

const record::Record& RecordOf(const ShownDisturbance* /*type*/) {
  using T = ShownDisturbance;
  static const record::Of<T> kRecord(
      "DisturbedBlock",
      {{"workload", [](const T& one) { return one.result->plan.workloads[one.block->group].name; },
        "The workload."},
       {"block", [](const T& one) { return one.block->block; }, "Counted from 0."},
       {"reason", [](const T& one) { return harness::ToText(one.block->by); }, "What ran."},
       {record::kInline, [](const T& one) -> const harness::Disturbance& { return one.block->by; },
        ""},
       {"replaced",
        [](const T& one) {
          ByAlternative<std::vector<harness::RoundReply>> replaced;
          for (std::size_t i = 0; i < one.block->replaced.size(); ++i) {
            // The saved alternatives come first and were not measured now.
            const std::size_t alternative = one.result->plan.saved.count + i;
            replaced.emplace_back(one.result->plan.alternatives[alternative].name,
                                  one.block->replaced[i]);
          }
          return replaced;
        },
        "The rounds that were measured again, by alternative; none where the block counts."}});
  return kRecord;
}

struct ShownWorkload {
  const ComparisonResult* result;
  std::size_t index;
};

const record::Record& RecordOf(const ShownWorkload* /*type*/) {
  using T = ShownWorkload;
  static const record::Of<T> kRecord(
      "Workload",
      {{"name", [](const T& one) { return one.result->plan.workloads[one.index].name; },
        "As it was asked for."},
       {"measured_on",
        [](const T& one) {
          const harness::PlacePtr& place = one.result->plan.workloads[one.index].place;
          return place == nullptr ? std::nullopt : std::optional(place->name);
        },
        "The name of the place; null: this machine."},
       {"workload", [](const T& one) { return one.result->plan.workloads[one.index].entry->name; },
        "The workload."},
       {"parameters",
        [](const T& one) { return Json::parse(one.result->plan.workloads[one.index].parameters); },
        "The effective parameters."},
       {"operation",
        [](const T& one) { return one.result->plan.workloads[one.index].entry->operation; },
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
        "The rounds, by alternative."}});
  return kRecord;
}

}  // namespace

const record::Record& RecordOf(const ComparisonResult* /*type*/) {
  using T = ComparisonResult;
  static const record::Record kRecord = ResultRecord<"comparison", T>(
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
       {"gates", [](const T& result) { return GatesOf(result); },
        "The outcomes of --fail-if and --require."},
       {"baseline",
        [](const T& result) {
          return result.plan.saved.count == 0 ? std::nullopt
                                              : std::optional(result.plan.saved.file);
        },
        "The file of --baseline."},
       {"alternatives",
        [](const T& result) {
          std::vector<ShownAlternative> shown;
          for (const harness::Alternative& alternative : result.plan.alternatives) {
            shown.push_back({&alternative, shown.size() < result.plan.saved.count});
          }
          return shown;
        },
        "What is compared, in order: the first is the reference."},
       {"rows", [](const T& result) { return RowsOf(result); },
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
        [](const T& result) {
          std::vector<ShownDisturbance> shown;
          for (const harness::DisturbedBlock& block : result.data.disturbed) {
            shown.push_back({&result, &block});
          }
          return shown;
        },
        "Blocks in which something else took CPU time."},
       {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}},
       {"places", [](const T& result) { return ShownPlaces(result.plan.places, result.data.lost); },
        "The machines of the agents; none: all were measured here."},
       {"workloads",
        [](const T& result) {
          std::vector<ShownWorkload> shown;
          while (shown.size() < result.plan.workloads.size()) {
            shown.push_back({&result, shown.size()});
          }
          return shown;
        },
        "The workloads with all measured rounds."}});
  return kRecord;
}

}  // namespace schedbench::report
