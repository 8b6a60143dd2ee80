#include "base/enum_text.hpp"
#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"
#include "report/sweep/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::report {

namespace {

std::string_view KindName(SweepResult::Kind kind) {
  return EnumText(kind, {"sweep", "scale", "suite"});
}

Json PlaceJson(const harness::SweepPlan& plan, std::size_t cell) {
  Json place = Json::object();
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    place[plan.keys[key].name] = plan.keys[key].values[plan.cells[cell].place[key]];
  }
  return place;
}

bool IsHole(const harness::Series& series) {
  return series.lost != harness::Series::Lost::kNot;
}

bool HasHole(const SweepResult& result) {
  return std::ranges::any_of(result.data.series,
                             [](const auto& cell) { return IsHole(cell.front()); });
}

Json CellJson(const SweepResult& result, std::size_t index) {
  const harness::SweepCell& cell = result.plan.cells[index];
  const harness::CellResult& analysed = result.analysis.cells[index];
  return {{"place", PlaceJson(result.plan, index)},
          {"status", StatusOf(result, index)},
          {"same_as", OrNull(analysed.same_as)},
          {"value", SpreadJson(analysed.spread)},
          {"to_best", analysed.to_best ? RatioJson(analysed.to_best->estimate) : Json(nullptr)},
          {"ended_early", result.data.Cell(index).settled},
          {"possible", cell.impossible.empty()},
          {"refused", result.data.Cell(index).refused},
          {"hole", IsHole(result.data.Cell(index))},
          {"scheduler", cell.alternative.scheduler},
          {"config", Json::parse(cell.alternative.config)},
          {"workload", cell.workload.entry->name},
          {"parameters", Json::parse(cell.workload.parameters)},
          {"operation", cell.workload.entry->operation},
          {"repeat", cell.command},
          {"measured", record::ToJson(result.data.Cell(index))}};
}

Json KeysJson(const SweepResult& result) {
  return ArrayOf(result.plan.keys.size(), [&result](std::size_t key) -> Json {
    const Json values = ArrayOf(result.plan.keys[key].values.size(), [&](std::size_t i) {
      Json value{{"value", result.plan.keys[key].values[i]}};
      if (key < result.analysis.marginals.size()) {
        value["mean"] = SpreadJson(result.analysis.marginals[key][i].spread);
        value["cells"] = result.analysis.marginals[key][i].cells;
      }
      return value;
    });
    return {{"key", result.plan.keys[key].name}, {"values", values}};
  });
}

Json ImportanceJson(const SweepResult& result) {
  const auto& importance = result.analysis.importance;
  if (!importance) {
    return nullptr;
  }
  const auto& keys = result.plan.keys;
  const Json effects =
      ArrayOf(importance->variance.effects, [&](const stats::GridEffect& effect) -> Json {
        const Json names = ArrayOf(effect.factors, [&](std::size_t factor) {
          return keys[importance->keys[factor]].name;
        });
        return {{"keys", names}, {"share", JsonNumber(effect.share)}};
      });
  const Json left_out = ArrayOf(importance->left_out, [&keys](const auto& one) -> Json {
    return {{"key", keys[one.first].name}, {"value", keys[one.first].values[one.second]}};
  });
  return {{"effects", effects},
          {"higher_interactions", JsonNumber(importance->variance.higher)},
          {"noise", JsonNumber(importance->variance.noise)},
          {"left_out", left_out}};
}

Json TwoWayJson(const SweepResult& result) {
  if (!result.pair || !result.analysis.best) {
    return nullptr;
  }
  const auto [a, b] = *result.pair;
  const Json rows =
      ArrayOf(harness::TwoWay(result.plan, result.analysis, a, b), [](const auto& row) {
        return ArrayOf(row, [](const std::optional<double>& value) { return JsonNumber(value); });
      });
  return {
      {"rows", result.plan.keys[a].name}, {"columns", result.plan.keys[b].name}, {"values", rows}};
}

Json ParameterJson(const stats::FittedParameter& parameter) {
  return {{"value", JsonNumber(parameter.value)},
          {"low", JsonNumber(parameter.low)},
          {"high", JsonNumber(parameter.high)}};
}

Json CurveJson(const SweepResult& result, const harness::ScaleCurve& curve) {
  const Json points = ArrayOf(curve.points, [&result](const harness::ScalePoint& point) -> Json {
    return {{"cell", point.cell},
            {"workers", point.workers},
            {"throughput", SpreadJson(result.analysis.cells[point.cell].spread)},
            {"speedup", RatioJson(point.speedup)},
            {"speedup_of_medians", JsonNumber(point.point)},
            {"slower_than", OrNull(point.slower_than)},
            {"oversubscribed", point.oversubscribed}};
  });
  const auto amdahl_json = [](const stats::AmdahlFit& fit) -> Json {
    return {{"first", JsonNumber(fit.first)},
            {"serial_share", ParameterJson(fit.serial_share)},
            {"error", JsonNumber(fit.error)}};
  };
  const auto universal_json = [](const stats::UniversalFit& fit) -> Json {
    return {{"first", JsonNumber(fit.first)},
            {"sigma", ParameterJson(fit.sigma)},
            {"kappa", ParameterJson(fit.kappa)},
            {"peak", JsonNumber(fit.peak)},
            {"error", JsonNumber(fit.error)}};
  };
  return {{"points", points},
          {"fitted_points", curve.fitted},
          {"amdahl", OrNull(curve.fits.amdahl, amdahl_json)},
          {"universal_scalability", OrNull(curve.fits.universal, universal_json)}};
}

Json FactorsJson(const SweepResult& result) {
  Json factors = Json::object();
  for (const harness::PlaceShare& place : result.analysis.places) {
    factors[place.name] = JsonNumber(place.factor);
  }
  return factors;
}

Json CurvesJson(const SweepResult& result) {
  return ArrayOf(result.curves.size(), [&result](std::size_t i) {
    Json curve{{"scheduler", result.plan.keys[harness::kSchedulerOfScale].values[i]}};
    curve.update(CurveJson(result, result.curves[i]));
    return curve;
  });
}

}  // namespace

std::string RenderJson(const SweepResult& result) {
  const harness::SweepPlan& plan = result.plan;
  Json root = ResultHead(KindName(result.kind),
                         result.data.complete && !result.data.out_of_budget && !HasHole(result));
  root["metric"] = plan.metric->name;
  root["unit"] = plan.metric->unit;
  root["better"] = registry::ToText(plan.metric->better);
  if (result.kind == SweepResult::Kind::kSweep) {
    root["best"] = OrNull(result.analysis.best);
    root["indistinguishable"] = result.analysis.indistinguishable;
    root["importance"] = ImportanceJson(result);
    root["two_way"] = TwoWayJson(result);
  }
  if (result.kind == SweepResult::Kind::kScale) {
    root["curves"] = CurvesJson(result);
  }
  root["keys"] = KeysJson(result);
  root.update(record::ToJson(BlockFactsOf(plan, result.data.Counts(), plan.perturbed)));
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["places"] = record::ToJson(ShownPlaces(plan.places, result.data.lost));
  root["measured_on"] = result.data.block_places;
  root["machine_factors"] = FactorsJson(result);
  root["cells"] =
      ArrayOf(plan.cells.size(), [&result](std::size_t cell) { return CellJson(result, cell); });
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report
