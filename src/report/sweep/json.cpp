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

static const record::Record& RecordOf(const FittedParameter* /*type*/) {
  using T = FittedParameter;
  static const record::Of<T> kRecord("FittedParameter",
                                     {{"value", &T::value, "The fitted one."},
                                      {"low", &T::low, "The lower end of its 95 % interval."},
                                      {"high", &T::high, "The upper end."}});
  return kRecord;
}

static const record::Record& RecordOf(const AmdahlFit* /*type*/) {
  using T = AmdahlFit;
  static const record::Of<T> kRecord(
      "AmdahlFit", {{"first", &T::first, "Throughput of one worker."},
                    {"serial_share", &T::serial_share, "Share of the work that is serial."},
                    {"error", &T::error, kErrorDoc}});
  return kRecord;
}

static const record::Record& RecordOf(const UniversalFit* /*type*/) {
  using T = UniversalFit;
  static const record::Of<T> kRecord("UniversalFit",
                                     {{"first", &T::first, "Throughput of one worker."},
                                      {"sigma", &T::sigma, "Contention."},
                                      {"kappa", &T::kappa, "Coherence."},
                                      {"peak", &T::peak, "Workers with the highest throughput."},
                                      {"error", &T::error, kErrorDoc}});
  return kRecord;
}

}  // namespace schedbench::stats

namespace schedbench::report {

namespace {

bool IsHole(const harness::Series& series) {
  return series.lost != harness::Series::Lost::kNot;
}

struct ShownCell {
  const SweepResult* result;
  std::size_t index;

  const harness::SweepCell& Cell() const {
    return result->plan.cells[index];
  }
  const harness::CellResult& Analysed() const {
    return result->analysis.cells[index];
  }
  const harness::Series& Measured() const {
    return result->data.Cell(index);
  }
};

const record::Record& RecordOf(const ShownCell* /*type*/) {
  using T = ShownCell;
  static const record::Of<T> kRecord(
      "Cell",
      {{"place",
        [](const T& one) {
          std::vector<std::pair<std::string, std::string>> place;
          for (const harness::SweepKey& key : one.result->plan.keys) {
            place.emplace_back(key.name, key.values[one.Cell().place[place.size()]]);
          }
          return place;
        },
        "The value of each key."},
       {"status", [](const T& one) { return StatusOf(*one.result, one.index); },
        "best, same, worse, ... by the interval of the ratio to the best; failed, refused, not "
        "possible or not measured. Of a hole with blocks also how many."},
       {"same_as", [](const T& one) { return one.Analysed().same_as; },
        "The index of the cell that has the same settings in effect; then this one has no value."},
       {"value", [](const T& one) { return one.Analysed().spread; }, "The metric over the blocks."},
       {"reason", [](const T& one) { return one.Analysed().missing; }, kReasonDoc, {record::kNull}},
       {"to_best",
        [](const T& one) {
          const auto& to_best = one.Analysed().to_best;
          return to_best ? std::optional(to_best->estimate) : std::nullopt;
        },
        "The ratio to the best cell."},
       {"ended_early", [](const T& one) { return one.Measured().settled; },
        "It was proven worse than the best before the last block."},
       {"possible", [](const T& one) { return one.Cell().impossible.empty(); },
        "false: a config forbids this combination."},
       {"refused", [](const T& one) { return one.Measured().refused; },
        "The machine or the scheduler refused it."},
       {"hole", [](const T& one) { return IsHole(one.Measured()); },
        "Its machine was lost before its last block: the same command with --journal continues."},
       {"scheduler", [](const T& one) { return one.Cell().alternative.scheduler; },
        "Name of the scheduler."},
       {"config", [](const T& one) { return Json::parse(one.Cell().alternative.config); },
        "The effective settings of the scheduler, defaults included."},
       {"workload", [](const T& one) { return one.Cell().workload.entry->name; }, "The workload."},
       {"parameters", [](const T& one) { return Json::parse(one.Cell().workload.parameters); },
        "The effective parameters."},
       {"operation", [](const T& one) { return one.Cell().workload.entry->operation; },
        "What is counted."},
       {"repeat", [](const T& one) { return one.Cell().command; },
        "The command that runs this cell alone, without the seed."},
       {"measured", [](const T& one) { return &one.Measured(); }, "The rounds."}});
  return kRecord;
}

struct ShownKeyValue {
  std::string_view value;
  std::optional<harness::Spread> mean;
  std::optional<std::size_t> cells;
};

const record::Record& RecordOf(const ShownKeyValue* /*type*/) {
  using T = ShownKeyValue;
  static const record::Of<T> kRecord(
      "KeyValue",
      {{"value", &T::value, "As it is shown."},
       {"mean", &T::mean,
        "The geometric mean of the cells with this value, over the blocks that all cells have."},
       {"cells", &T::cells, "The number of cells with this value that have a result."}});
  return kRecord;
}

struct ShownSweepKey {
  std::string_view key;
  std::vector<ShownKeyValue> values;
};

const record::Record& RecordOf(const ShownSweepKey* /*type*/) {
  using T = ShownSweepKey;
  static const record::Of<T> kRecord(
      "Key",
      {{"key", &T::key, "Its name."}, {"values", &T::values, "In the order of the command line."}});
  return kRecord;
}

std::vector<ShownSweepKey> KeysOf(const SweepResult& result) {
  const auto& marginals = result.analysis.marginals;
  std::vector<ShownSweepKey> keys;
  for (const harness::SweepKey& key : result.plan.keys) {
    ShownSweepKey shown{key.name, {}};
    for (const std::string& value : key.values) {
      ShownKeyValue& one =
          shown.values.emplace_back(ShownKeyValue{value, std::nullopt, std::nullopt});
      if (keys.size() < marginals.size()) {
        const harness::Marginal& marginal = marginals[keys.size()][shown.values.size() - 1];
        one.mean = marginal.spread;
        one.cells = marginal.cells;
      }
    }
    keys.push_back(std::move(shown));
  }
  return keys;
}

struct ShownKeyEffect {
  std::vector<std::string_view> keys;
  double share;
};

const record::Record& RecordOf(const ShownKeyEffect* /*type*/) {
  using T = ShownKeyEffect;
  static const record::Of<T> kRecord("Effect",
                                     {{"keys", &T::keys, "One or two."},
                                      {"share", &T::share, "Of the variance that is not noise."}});
  return kRecord;
}

struct LeftOut {
  std::string_view key;
  std::string_view value;
};

const record::Record& RecordOf(const LeftOut* /*type*/) {
  using T = LeftOut;
  static const record::Of<T> kRecord(
      "LeftOut", {{"key", &T::key, "Its name."}, {"value", &T::value, "One of its values."}});
  return kRecord;
}

struct ShownImportance {
  std::vector<ShownKeyEffect> effects;
  double higher;
  double noise;
  std::vector<LeftOut> left_out;
};

const record::Record& RecordOf(const ShownImportance* /*type*/) {
  using T = ShownImportance;
  static const record::Of<T> kRecord(
      "Importance",
      {{"effects", &T::effects, "What each key, and each pair of keys beyond that, explains."},
       {"higher_interactions", &T::higher, "The share of interactions of three or more keys."},
       {"noise", &T::noise, "The share of all variance that noise explains."},
       {"left_out", &T::left_out,
        "Values that were left out because cells with them have no result."}});
  return kRecord;
}

std::optional<ShownImportance> ImportanceOf(const SweepResult& result) {
  const auto& importance = result.analysis.importance;
  if (!importance) {
    return std::nullopt;
  }
  const auto& keys = result.plan.keys;
  ShownImportance shown{{}, importance->variance.higher, importance->variance.noise, {}};
  for (const stats::GridEffect& effect : importance->variance.effects) {
    ShownKeyEffect& one = shown.effects.emplace_back(ShownKeyEffect{{}, effect.share});
    for (const std::size_t factor : effect.factors) {
      one.keys.emplace_back(keys[importance->keys[factor]].name);
    }
  }
  for (const auto& [key, value] : importance->left_out) {
    shown.left_out.push_back({keys[key].name, keys[key].values[value]});
  }
  return shown;
}

struct ShownTwoWay {
  std::string_view rows;
  std::string_view columns;
  std::vector<std::vector<std::optional<double>>> values;
};

const record::Record& RecordOf(const ShownTwoWay* /*type*/) {
  using T = ShownTwoWay;
  static const record::Of<T> kRecord("TwoWay", {{"rows", &T::rows, "A key."},
                                                {"columns", &T::columns, "A key."},
                                                {"values", &T::values, "Geometric means."}});
  return kRecord;
}

std::optional<ShownTwoWay> TwoWayOf(const SweepResult& result) {
  if (!result.pair || !result.analysis.best) {
    return std::nullopt;
  }
  const auto [a, b] = *result.pair;
  return ShownTwoWay{result.plan.keys[a].name, result.plan.keys[b].name,
                     harness::TwoWay(result.plan, result.analysis, a, b)};
}

struct ShownPoint {
  harness::ScalePoint point;
  std::optional<harness::Spread> throughput;
};

const record::Record& RecordOf(const ShownPoint* /*type*/) {
  using T = ShownPoint;
  using harness::ScalePoint;
  static const record::Of<T> kRecord(
      "Point",
      {{"cell", &T::point, &ScalePoint::cell, "Its index in cells."},
       {"workers", &T::point, &ScalePoint::workers, "How many."},
       {"throughput", &T::throughput, "Operations per second."},
       {"speedup", &T::point, &ScalePoint::speedup,
        "The ratio to the point with the fewest workers."},
       {"speedup_of_medians", &T::point, &ScalePoint::point,
        "The ratio of the medians, also without an interval."},
       {"slower_than", &T::point, &ScalePoint::slower_than,
        "The cell with fewer workers that is proven faster."},
       {"oversubscribed", &T::point, &ScalePoint::oversubscribed, "More workers than CPUs."}});
  return kRecord;
}

struct ShownCurve {
  std::string_view scheduler;
  std::vector<ShownPoint> points;
  const harness::ScaleCurve* curve;
};

const record::Record& RecordOf(const ShownCurve* /*type*/) {
  using T = ShownCurve;
  static const record::Of<T> kRecord(
      "Curve", {{"scheduler", &T::scheduler, "Name of the scheduler, with its settings."},
                {"points", &T::points, "By the number of workers."},
                {"fitted_points", [](const T& one) { return one.curve->fitted; },
                 "Points up to the number of CPUs with a result."},
                {"amdahl", [](const T& one) { return one.curve->fits.amdahl; },
                 "Amdahl's law; null below 2 points."},
                {"universal_scalability", [](const T& one) { return one.curve->fits.universal; },
                 "The universal scalability law; null below 3 points."}});
  return kRecord;
}

std::vector<ShownCurve> CurvesOf(const SweepResult& result) {
  std::vector<ShownCurve> curves;
  for (const harness::ScaleCurve& curve : result.curves) {
    const harness::SweepKey& schedulers = result.plan.keys[harness::kSchedulerOfScale];
    ShownCurve shown{schedulers.values[curves.size()], {}, &curve};
    for (const harness::ScalePoint& point : curve.points) {
      shown.points.push_back({point, result.analysis.cells[point.cell].spread});
    }
    curves.push_back(std::move(shown));
  }
  return curves;
}

// What the three kinds of results have in common.
struct SharedPart {
  const SweepResult* result;
};

const record::Record& RecordOf(const SharedPart* /*type*/) {
  using T = SharedPart;
  static const record::Of<T> kRecord(
      "Cells",
      {{"metric", [](const T& one) { return one.result->plan.metric->name; },
        "By which cells are compared."},
       {"unit", [](const T& one) { return one.result->plan.metric->unit; }, "Unit of the values."},
       {"better", [](const T& one) { return one.result->plan.metric->better; },
        "Which way is better."},
       {"keys", [](const T& one) { return KeysOf(*one.result); },
        "What differs between the cells."},
       {record::kInline,
        [](const T& one) {
          const harness::SweepPlan& plan = one.result->plan;
          return BlockFactsOf(plan, one.result->data.Counts(), plan.perturbed);
        },
        ""},
       {"places",
        [](const T& one) { return ShownPlaces(one.result->plan.places, one.result->data.lost); },
        "The machines of the agents; none: all were measured here."},
       {"measured_on", [](const T& one) { return one.result->data.block_places; },
        "The name of the place that measured all cells of a block, by its index in "
        "`measured.blocks` of the cells; empty where blocks are not distributed."},
       {"machine_factors",
        [](const T& one) {
          std::vector<std::pair<std::string, double>> factors;
          for (const harness::PlaceShare& place : one.result->analysis.places) {
            factors.emplace_back(place.name, place.factor);
          }
          return factors;
        },
        "By the name of the place: what its blocks have in common, by the geometric mean of all "
        "blocks. `value` and `mean` are without it."},
       {"cells",
        [](const T& one) {
          std::vector<ShownCell> cells;
          while (cells.size() < one.result->plan.cells.size()) {
            cells.push_back({one.result, cells.size()});
          }
          return cells;
        },
        "All combinations of the values, the last key fastest."}});
  return kRecord;
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
       {"importance", [](const T& result) { return ImportanceOf(result); },
        "What explains the variance of the logarithms of the medians."},
       {"two_way", [](const T& result) { return TwoWayOf(result); },
        "The table of a pair of keys."},
       kShared});
  static const record::Record kScale = ResultRecord<"scale", T>(
      {kComplete,
       {"curves", [](const T& result) { return CurvesOf(result); }, "A curve for each scheduler."},
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
