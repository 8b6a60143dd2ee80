#include "harness/tune/importance.hpp"

#include "base/vector_of.hpp"
#include "harness/sweep/analysis.hpp"
#include "stats/additive_model.hpp"
#include "stats/grid_variance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::harness {

namespace {

// Returns the candidates in the order of a grid, the last field fastest.
std::vector<std::size_t> GridOrder(const TunePlan& plan) {
  std::vector<std::size_t> order = Indices(plan.candidates.size());
  std::ranges::sort(order, {},
                    [&](std::size_t i) -> const TunePlace& { return plan.candidates[i].place; });
  return order;
}

void FromGrid(const TunePlan& plan, const LogMedians& medians, FieldImportance& importance) {
  const auto levels = VectorOf(plan.fields, [](const auto& field) { return field.values.size(); });
  const stats::GridVariance variance = stats::VarianceOfGrid(levels, medians.values, medians.noise);
  importance.noise = variance.noise;
  importance.rest = variance.higher;
  for (const stats::GridEffect& effect : variance.effects) {
    if (effect.factors.size() == 1) {
      importance.shares.push_back(effect.share);
    } else {
      importance.rest += effect.share;
    }
  }
}

void FromSample(const TunePlan& plan, const std::vector<std::size_t>& candidates,
                const LogMedians& medians, FieldImportance& importance) {
  std::vector<stats::AdditiveFactor> factors;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    factors.push_back({.levels = plan.fields[field].values.size(),
                       .is_ordered = plan.fields[field].is_ordered,
                       .level = VectorOf(candidates, [&](std::size_t candidate) {
                         return plan.candidates[candidate].place[field];
                       })});
  }
  const auto variance = stats::VarianceOfAdditive(factors, medians.values, medians.noise);
  if (!variance) {
    importance.missing = fmt::format("{} candidates are too few for {} fields", candidates.size(),
                                     plan.fields.size());
    return;
  }
  importance.shares = variance->shares;
  importance.rest = variance->rest;
  importance.noise = variance->noise;
  importance.has_curves = variance->has_curves;
}

FieldImportance ImportanceFor(const TunePlan& plan, const TuneData& data, std::size_t objective) {
  FieldImportance importance{.objective = objective};
  std::vector<std::size_t> candidates;
  std::vector<std::vector<double>> logarithms;
  for (const std::size_t candidate : GridOrder(plan)) {
    TunePairs values =
        LogValuesOf(plan, plan.objectives[objective], data.search[candidate], 0, plan.searched);
    if (values.missing.empty() && values.values.size() >= kBlocksForNoise) {
      values.values.resize(kFirstBlocks);
      candidates.push_back(candidate);
      logarithms.push_back(std::move(values.values));
    }
  }
  importance.candidates = candidates.size();
  importance.is_full_grid = plan.is_full_grid && candidates.size() == plan.candidates.size();
  if (candidates.size() < 2) {
    importance.missing = "fewer than 2 candidates have all blocks of the first step";
    return importance;
  }
  const LogMedians medians = LogMediansOf(std::move(logarithms));
  if (importance.is_full_grid) {
    FromGrid(plan, medians, importance);
  } else {
    FromSample(plan, candidates, medians, importance);
  }
  return importance;
}

}  // namespace

std::vector<FieldImportance> ImportanceOf(const TunePlan& plan, const TuneData& data) {
  static_assert(kFirstBlocks >= kBlocksForNoise);
  return VectorOf(Indices(plan.objectives.size()),
                  [&](std::size_t objective) { return ImportanceFor(plan, data, objective); });
}

}  // namespace schedbench::harness
