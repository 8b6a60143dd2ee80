#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"
#include "report/sweep/parts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

std::string_view KindName(SweepResult::Kind kind) {
  switch (kind) {
    case SweepResult::Kind::kSweep:
      return "sweep";
    case SweepResult::Kind::kScale:
      return "scale";
    case SweepResult::Kind::kSuite:
      return "suite";
  }
  return "";
}

ordered_json MedianJson(const std::optional<harness::Spread>& spread) {
  if (!spread) {
    return nullptr;
  }
  return {{"median", JsonNumber(spread->median)},
          {"low", JsonNumber(spread->low)},
          {"high", JsonNumber(spread->high)},
          {"interval", spread->is_interval ? "95%" : "range"}};
}

ordered_json EstimateJson(const std::optional<stats::RatioEstimate>& estimate) {
  if (!estimate) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(estimate->ratio)},
          {"low", JsonNumber(estimate->low)},
          {"high", JsonNumber(estimate->high)},
          {"stops_short", estimate->stops_short}};
}

ordered_json PlaceJson(const harness::SweepPlan& plan, std::size_t cell) {
  ordered_json place = ordered_json::object();
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    place[plan.keys[key].name] = plan.keys[key].values[plan.cells[cell].place[key]];
  }
  return place;
}

bool IsHole(const harness::Series& series) {
  return series.lost != harness::Series::Lost::kNot;
}

bool HasHole(const SweepResult& result) {
  return std::ranges::any_of(result.data.cells, IsHole);
}

ordered_json CellJson(const SweepResult& result, std::size_t index) {
  const harness::SweepCell& cell = result.plan.cells[index];
  const harness::CellResult& analysed = result.analysis.cells[index];
  return {{"place", PlaceJson(result.plan, index)},
          {"status", StatusOf(result, index)},
          {"same_as", analysed.same_as ? ordered_json(*analysed.same_as) : ordered_json(nullptr)},
          {"value", MedianJson(analysed.spread)},
          {"to_best",
           analysed.to_best ? EstimateJson(analysed.to_best->estimate) : ordered_json(nullptr)},
          {"ended_early", result.data.cells[index].settled},
          {"possible", cell.impossible.empty()},
          {"refused", result.data.cells[index].refused},
          {"hole", IsHole(result.data.cells[index])},
          {"scheduler", cell.alternative.scheduler},
          {"config", ordered_json::parse(cell.alternative.config)},
          {"workload", cell.workload.entry->name},
          {"parameters", ordered_json::parse(cell.workload.parameters)},
          {"operation", cell.workload.entry->operation},
          {"repeat", cell.command},
          {"measured", SeriesJson(result.data.cells[index])}};
}

ordered_json KeysJson(const SweepResult& result) {
  ordered_json keys = ordered_json::array();
  for (std::size_t key = 0; key < result.plan.keys.size(); ++key) {
    ordered_json values = ordered_json::array();
    for (std::size_t i = 0; i < result.plan.keys[key].values.size(); ++i) {
      ordered_json value{{"value", result.plan.keys[key].values[i]}};
      if (key < result.analysis.marginals.size()) {
        value["mean"] = MedianJson(result.analysis.marginals[key][i].spread);
        value["cells"] = result.analysis.marginals[key][i].cells;
      }
      values.push_back(std::move(value));
    }
    keys.push_back({{"key", result.plan.keys[key].name}, {"values", std::move(values)}});
  }
  return keys;
}

ordered_json ImportanceJson(const SweepResult& result) {
  const auto& importance = result.analysis.importance;
  if (!importance) {
    return nullptr;
  }
  ordered_json effects = ordered_json::array();
  for (const stats::GridEffect& effect : importance->variance.effects) {
    ordered_json keys = ordered_json::array();
    for (const std::size_t factor : effect.factors) {
      keys.push_back(result.plan.keys[importance->keys[factor]].name);
    }
    effects.push_back({{"keys", std::move(keys)}, {"share", JsonNumber(effect.share)}});
  }
  ordered_json left_out = ordered_json::array();
  for (const auto& [key, value] : importance->left_out) {
    left_out.push_back(
        {{"key", result.plan.keys[key].name}, {"value", result.plan.keys[key].values[value]}});
  }
  return {{"effects", std::move(effects)},
          {"higher_interactions", JsonNumber(importance->variance.higher)},
          {"noise", JsonNumber(importance->variance.noise)},
          {"left_out", std::move(left_out)}};
}

ordered_json TwoWayJson(const SweepResult& result) {
  if (!result.pair || !result.analysis.best) {
    return nullptr;
  }
  const auto [a, b] = *result.pair;
  ordered_json rows = ordered_json::array();
  for (const auto& row : harness::TwoWay(result.plan, result.analysis, a, b)) {
    ordered_json values = ordered_json::array();
    for (const std::optional<double>& value : row) {
      values.push_back(JsonNumber(value));
    }
    rows.push_back(std::move(values));
  }
  return {{"rows", result.plan.keys[a].name},
          {"columns", result.plan.keys[b].name},
          {"values", std::move(rows)}};
}

ordered_json ParameterJson(const stats::FittedParameter& parameter) {
  return {{"value", JsonNumber(parameter.value)},
          {"low", JsonNumber(parameter.low)},
          {"high", JsonNumber(parameter.high)}};
}

ordered_json CurveJson(const SweepResult& result, const harness::ScaleCurve& curve) {
  ordered_json points = ordered_json::array();
  for (const harness::ScalePoint& point : curve.points) {
    points.push_back(
        {{"cell", point.cell},
         {"workers", point.workers},
         {"throughput", MedianJson(result.analysis.cells[point.cell].spread)},
         {"speedup", EstimateJson(point.speedup)},
         {"speedup_of_medians", JsonNumber(point.point)},
         {"slower_than", point.slower_than ? ordered_json(*point.slower_than) : nullptr},
         {"oversubscribed", point.oversubscribed}});
  }
  ordered_json amdahl = nullptr;
  if (curve.fits.amdahl) {
    amdahl = {{"first", JsonNumber(curve.fits.amdahl->first)},
              {"serial_share", ParameterJson(curve.fits.amdahl->serial_share)},
              {"error", JsonNumber(curve.fits.amdahl->error)}};
  }
  ordered_json universal = nullptr;
  if (curve.fits.universal) {
    universal = {{"first", JsonNumber(curve.fits.universal->first)},
                 {"sigma", ParameterJson(curve.fits.universal->sigma)},
                 {"kappa", ParameterJson(curve.fits.universal->kappa)},
                 {"peak", JsonNumber(curve.fits.universal->peak)},
                 {"error", JsonNumber(curve.fits.universal->error)}};
  }
  return {{"points", std::move(points)},
          {"fitted_points", curve.fitted},
          {"amdahl", std::move(amdahl)},
          {"universal_scalability", std::move(universal)}};
}

ordered_json FactorsJson(const SweepResult& result) {
  ordered_json factors = ordered_json::object();
  for (const harness::PlaceShare& place : result.analysis.places) {
    factors[place.name] = JsonNumber(place.factor);
  }
  return factors;
}

void AddCurves(const SweepResult& result, ordered_json& root) {
  root["curves"] = ordered_json::array();
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    ordered_json curve{{"scheduler", result.plan.keys[harness::kSchedulerOfScale].values[i]}};
    curve.update(CurveJson(result, result.curves[i]));
    root["curves"].push_back(std::move(curve));
  }
}

}  // namespace

std::string RenderSweepJson(const SweepResult& result, const TerminalStyle& /*style*/) {
  const harness::SweepPlan& plan = result.plan;
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["kind"] = KindName(result.kind);
  root["complete"] = result.data.complete && !result.data.out_of_budget && !HasHole(result);
  root["metric"] = plan.metric->name;
  root["unit"] = plan.metric->unit;
  root["better"] = registry::ToText(plan.metric->better);
  if (result.kind == SweepResult::Kind::kSweep) {
    root["best"] =
        result.analysis.best ? ordered_json(*result.analysis.best) : ordered_json(nullptr);
    root["indistinguishable"] = result.analysis.indistinguishable;
    root["importance"] = ImportanceJson(result);
    root["two_way"] = TwoWayJson(result);
  }
  if (result.kind == SweepResult::Kind::kScale) {
    AddCurves(result, root);
  }
  root["keys"] = KeysJson(result);
  root["joint_level"] = harness::kJointLevel;
  root["min_effect"] = plan.min_effect;
  root["blocks"] = plan.blocks;
  root["rounds"] = plan.rounds;
  root["warmup"] = plan.warmup;
  root["seed"] = plan.seed;
  root["timeout_ns"] = plan.limit.count();
  root["budget_ns"] = plan.budget ? ordered_json(plan.budget->count()) : ordered_json(nullptr);
  root["perturbed"] = plan.perturbed.empty() ? ordered_json(nullptr) : ordered_json(plan.perturbed);
  root["blocks_repeated"] = result.data.repeated;
  root["blocks_disturbed"] = result.data.disturbed;
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["places"] = PlacesJson(plan.places, result.data.lost);
  root["measured_on"] = result.data.block_places;
  root["machine_factors"] = FactorsJson(result);
  root["cells"] = ordered_json::array();
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    root["cells"].push_back(CellJson(result, cell));
  }
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report
