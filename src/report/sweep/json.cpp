#include "base/vector_of.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"
#include "report/sweep/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace schedbench::stats {

static constexpr const char* kErrorDoc = "Root of the mean square of the relative deviations.";

static record::Of<FittedParameter> RecordOf(const FittedParameter* /*type*/) {
  using T = FittedParameter;
  return {"FittedParameter",
          {{"value", &T::value, "The fitted one."},
           {"low", &T::low, "The lower end of its 95 % interval."},
           {"high", &T::high, "The upper end."}}};
}

static record::Of<AmdahlFit> RecordOf(const AmdahlFit* /*type*/) {
  using T = AmdahlFit;
  return {"AmdahlFit",
          {{"first", &T::first, "Throughput of one worker."},
           {"serial_share", &T::serial_share, "Share of the work that is serial."},
           {"error", &T::error, kErrorDoc}}};
}

static record::Of<UniversalFit> RecordOf(const UniversalFit* /*type*/) {
  using T = UniversalFit;
  return {"UniversalFit",
          {{"first", &T::first, "Throughput of one worker."},
           {"sigma", &T::sigma, "Contention."},
           {"kappa", &T::kappa, "Coherence."},
           {"peak", &T::peak, "Workers with the highest throughput."},
           {"error", &T::error, kErrorDoc}}};
}

}  // namespace schedbench::stats

namespace schedbench::report {

namespace {

bool IsHole(const harness::Series& series) {
  return series.lost != harness::Series::Lost::kNot;
}

struct ShownCell : PartOf<SweepResult, harness::SweepCell> {};

record::Of<ShownCell> RecordOf(const ShownCell* /*type*/) {
  using T = ShownCell;
  static constexpr auto kAnalysed = [](const T& one) -> const harness::CellResult& {
    return one.result->analysis.cells[one.index];
  };
  static constexpr auto kSeries = [](const T& one) -> const harness::Series& {
    return one.result->data.Cell(one.index);
  };
  return {
      "Cell",
      {{"place",
        [](const T& one) {
          std::vector<std::pair<std::string, std::string>> place;
          for (const harness::SweepKey& key : one.result->plan.keys) {
            place.emplace_back(key.name, key.values[one.element->place[place.size()]]);
          }
          return place;
        },
        "The value of each key."},
       {"status", [](const T& one) { return StatusOf(*one.result, one.index); },
        "best, same, worse, ... by the interval of the ratio to the best; failed, refused, not "
        "possible or not measured. Of a hole with blocks also how many."},
       {"same_as", [](const T& one) { return kAnalysed(one).same_as; },
        "The index of the cell that has the same settings in effect; then this one has no value."},
       {"value", [](const T& one) { return kAnalysed(one).spread; }, "The metric over the blocks."},
       {"reason", [](const T& one) { return kAnalysed(one).missing; }, kReasonDoc, {record::kNull}},
       {"to_best",
        [](const T& one) { return Mapped(kAnalysed(one).to_best, &harness::CellRatio::estimate); },
        "The ratio to the best cell."},
       {"ended_early", [](const T& one) { return kSeries(one).settled; },
        "It was proven worse than the best before the last block."},
       {"possible", [](const T& one) { return one.element->impossible.empty(); },
        "false: a config forbids this combination."},
       {"refused", [](const T& one) { return kSeries(one).refused; },
        "The machine or the scheduler refused it."},
       {"hole", [](const T& one) { return IsHole(kSeries(one)); },
        "Its machine was lost before its last block: the same command with --journal continues."},
       {"scheduler", [](const T& one) { return one.element->alternative.scheduler; },
        "Name of the scheduler."},
       {"config", [](const T& one) { return Json::parse(one.element->alternative.config); },
        "The effective settings of the scheduler, defaults included."},
       {"workload", [](const T& one) { return one.element->workload.entry->name; },
        "The workload."},
       {"parameters", [](const T& one) { return Json::parse(one.element->workload.parameters); },
        "The effective parameters."},
       {"operation", [](const T& one) { return one.element->workload.entry->operation; },
        "What is counted."},
       {"repeat", [](const T& one) { return one.element->command; },
        "The command that runs this cell alone, without the seed."},
       {"measured", [](const T& one) { return &kSeries(one); }, "The rounds."}}};
}

struct ShownKeyValue {
  std::string_view value;
  std::optional<harness::Marginal> cells;
};

record::Of<ShownKeyValue> RecordOf(const ShownKeyValue* /*type*/) {
  using T = ShownKeyValue;
  return {
      "KeyValue",
      {{"value", &T::value, "As it is shown."},
       {"mean", [](const T& one) { return Mapped(one.cells, &harness::Marginal::spread); },
        "The geometric mean of the cells with this value, over the blocks that all cells have."},
       {"cells", [](const T& one) { return Mapped(one.cells, &harness::Marginal::cells); },
        "The number of cells with this value that have a result."}}};
}

struct ShownSweepKey : PartOf<SweepResult, harness::SweepKey> {};

record::Of<ShownSweepKey> RecordOf(const ShownSweepKey* /*type*/) {
  using T = ShownSweepKey;
  return {"Key",
          {{"key", [](const T& one) { return one.element->name; }, "Its name."},
           {"values",
            [](const T& one) {
              const auto& marginals = one.result->analysis.marginals;
              std::vector<ShownKeyValue> values;
              for (const std::string& value : one.element->values) {
                values.push_back({value, one.index < marginals.size()
                                             ? std::optional(marginals[one.index][values.size()])
                                             : std::nullopt});
              }
              return values;
            },
            "In the order of the command line."}}};
}

struct ShownKeyEffect : PartOf<SweepResult, stats::GridEffect> {};

record::Of<ShownKeyEffect> RecordOf(const ShownKeyEffect* /*type*/) {
  using T = ShownKeyEffect;
  return {"Effect",
          {{"keys",
            [](const T& one) {
              std::vector<std::string> keys;
              for (const std::size_t factor : one.element->factors) {
                const std::size_t key = one.result->analysis.importance->keys[factor];
                keys.push_back(one.result->plan.keys[key].name);
              }
              return keys;
            },
            "One or two."},
           {"share", [](const T& one) { return one.element->share; },
            "Of the variance that is not noise."}}};
}

struct LeftOut {
  std::string_view key;
  std::string_view value;
};

record::Of<LeftOut> RecordOf(const LeftOut* /*type*/) {
  using T = LeftOut;
  return {"LeftOut", {{"key", &T::key, "Its name."}, {"value", &T::value, "One of its values."}}};
}

struct ShownImportance {
  const SweepResult* result;
};

record::Of<ShownImportance> RecordOf(const ShownImportance* /*type*/) {
  using T = ShownImportance;
  static constexpr auto kOf = [](const T& one) -> const harness::Importance& {
    return *one.result->analysis.importance;
  };
  return {"Importance",
          {{"effects",
            [](const T& one) {
              return PartsOf<ShownKeyEffect>(*one.result, kOf(one).variance.effects);
            },
            "What each key, and each pair of keys beyond that, explains."},
           {"higher_interactions", [](const T& one) { return kOf(one).variance.higher; },
            "The share of interactions of three or more keys."},
           {"noise", [](const T& one) { return kOf(one).variance.noise; },
            "The share of all variance that noise explains."},
           {"left_out",
            [](const T& one) {
              std::vector<LeftOut> left_out;
              for (const auto& [key, value] : kOf(one).left_out) {
                const harness::SweepKey& of_plan = one.result->plan.keys[key];
                left_out.push_back({of_plan.name, of_plan.values[value]});
              }
              return left_out;
            },
            "Values that were left out because cells with them have no result."}}};
}

struct ShownTwoWay {
  const SweepResult* result;
};

record::Of<ShownTwoWay> RecordOf(const ShownTwoWay* /*type*/) {
  using T = ShownTwoWay;
  return {
      "TwoWay",
      {{"rows", [](const T& one) { return one.result->plan.keys[one.result->pair->first].name; },
        "A key."},
       {"columns",
        [](const T& one) { return one.result->plan.keys[one.result->pair->second].name; },
        "A key."},
       {"values",
        [](const T& one) {
          const auto [a, b] = *one.result->pair;
          return harness::TwoWay(one.result->plan, one.result->analysis, a, b);
        },
        "Geometric means."}}};
}

struct ShownPoint {
  harness::ScalePoint point;
  std::optional<harness::Spread> throughput;
};

record::Of<ShownPoint> RecordOf(const ShownPoint* /*type*/) {
  using T = ShownPoint;
  using harness::ScalePoint;
  return {"Point",
          {{"cell", &T::point, &ScalePoint::cell, "Its index in cells."},
           {"workers", &T::point, &ScalePoint::workers, "How many."},
           {"throughput", &T::throughput, "Operations per second."},
           {"speedup", &T::point, &ScalePoint::speedup,
            "The ratio to the point with the fewest workers."},
           {"speedup_of_medians", &T::point, &ScalePoint::point,
            "The ratio of the medians, also without an interval."},
           {"slower_than", &T::point, &ScalePoint::slower_than,
            "The cell with fewer workers that is proven faster."},
           {"oversubscribed", &T::point, &ScalePoint::oversubscribed, "More workers than CPUs."}}};
}

struct ShownCurve : PartOf<SweepResult, harness::ScaleCurve> {};

record::Of<ShownCurve> RecordOf(const ShownCurve* /*type*/) {
  using T = ShownCurve;
  return {"Curve",
          {{"scheduler",
            [](const T& one) {
              return one.result->plan.keys[harness::kSchedulerOfScale].values[one.index];
            },
            "Name of the scheduler, with its settings."},
           {"points",
            [](const T& one) {
              return VectorOf(one.element->points, [&](const auto& point) {
                return ShownPoint{point, one.result->analysis.cells[point.cell].spread};
              });
            },
            "By the number of workers."},
           {"fitted_points", [](const T& one) { return one.element->fitted; },
            "Points up to the number of CPUs with a result."},
           {"amdahl", [](const T& one) { return one.element->fits.amdahl; },
            "Amdahl's law; null below 2 points."},
           {"universal_scalability", [](const T& one) { return one.element->fits.universal; },
            "The universal scalability law; null below 3 points."}}};
}

// The shared part of the three kinds of results.
struct SharedPart {
  const SweepResult* result;
};

record::Of<SharedPart> RecordOf(const SharedPart* /*type*/) {
  using T = SharedPart;
  return {
      "Cells",
      {{"metric", [](const T& one) { return one.result->plan.metric->name; },
        "By which cells are compared."},
       {"unit", [](const T& one) { return one.result->plan.metric->unit; }, "Unit of the values."},
       {"better", [](const T& one) { return one.result->plan.metric->better; },
        "Which way is better."},
       {"keys",
        [](const T& one) { return PartsOf<ShownSweepKey>(*one.result, one.result->plan.keys); },
        "What differs between the cells."},
       {record::kInline,
        [](const T& one) {
          const harness::SweepPlan& plan = one.result->plan;
          return BlockFacts{plan, plan.min_effect, one.result->data.Counts(), plan.perturbed};
        },
        ""},
       {"places",
        [](const T& one) { return ShownPlaces(one.result->plan.places, one.result->data.lost); },
        "The machines of the agents; none: all were measured here."},
       {"measured_on", [](const T& one) { return one.result->data.block_places; },
        "The name of the machine that measured all cells of a block, by its index in "
        "`measured.blocks` of the cells; empty where blocks are not distributed."},
       {"machine_factors",
        [](const T& one) {
          return VectorOf(one.result->analysis.places, [](const auto& place) {
            return std::pair<std::string, double>(place.name, place.factor);
          });
        },
        "By the name of the machine: what its blocks have in common, by the geometric mean of all "
        "blocks. `value` and `mean` are without it."},
       {"cells",
        [](const T& one) { return PartsOf<ShownCell>(*one.result, one.result->plan.cells); },
        "All combinations of the values, the last key fastest."}}};
}

bool IsComplete(const SweepResult& result) {
  return result.data.complete && !result.data.out_of_budget &&
         std::ranges::none_of(result.data.series,
                              [](const auto& cell) { return IsHole(cell.front()); });
}

}  // namespace

const record::Record& RecordOf(const SweepResult* result) {
  using T = SweepResult;
  static const record::Key<T> kComplete(
      "complete", [](const T& result) { return IsComplete(result); }, kCutByBudgetDoc);
  static const record::Key<T> kShared(
      record::kInline, [](const T& result) { return SharedPart{&result}; }, "");
  static const record::Record kSweep = ResultRecord<"sweep", T>(
      {kComplete,
       {"best", &T::analysis, &harness::SweepAnalysis::best,
        "The index of the best cell in cells."},
       {"indistinguishable", &T::analysis, &harness::SweepAnalysis::indistinguishable,
        "The cells that may be as good as the best."},
       {"importance",
        [](const T& result) {
          return result.analysis.importance ? std::optional(ShownImportance{&result})
                                            : std::nullopt;
        },
        "What explains the variance of the logarithms of the medians."},
       {"two_way",
        [](const T& result) {
          return result.pair && result.analysis.best ? std::optional(ShownTwoWay{&result})
                                                     : std::nullopt;
        },
        "The table of a pair of keys."},
       kShared});
  static const record::Record kScale = ResultRecord<"scale", T>(
      {kComplete,
       {"curves", [](const T& result) { return PartsOf<ShownCurve>(result, result.curves); },
        "A curve for each scheduler."},
       kShared});
  static const record::Record kSuite = ResultRecord<"suite", T>({kComplete, kShared});
  switch (result->kind) {
    case T::Kind::kSweep:
      return kSweep;
    case T::Kind::kScale:
      return kScale;
    case T::Kind::kSuite:
      break;
  }
  return kSuite;
}

}  // namespace schedbench::report
