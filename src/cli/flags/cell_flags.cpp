#include "cli/flags/cell_flags.hpp"

#include "cli/flags/names.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/sweep/analysis.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::cli {

void SetExtent(const Arguments& arguments, std::uint32_t blocks, harness::Extent& extent) {
  extent.blocks = arguments[kBlocksFlag].value_or(blocks);
  extent.rounds = arguments[kRoundsOfCellFlag];
  extent.warmup = arguments[kWarmupOfCellFlag];
  extent.seed = SeedFromFlags(arguments);
  extent.limit = arguments[kRoundLimitFlag];
}

void SetExtentOfCells(const Arguments& arguments, harness::SweepPlan& plan) {
  constexpr std::uint32_t kBlocks = 20;
  const auto needed = static_cast<std::uint32_t>(harness::LooksOf(plan).SizeOf(0));
  SetExtent(arguments, std::max(kBlocks, needed), plan);
  plan.budget = arguments[kBudgetFlag];
  plan.min_effect = arguments[kMinEffectFlag];
}

const registry::Metric* MetricOf(const std::string& name, const registry::WorkloadEntry& workload,
                                 const Flag& flag, config::Problems& problems) {
  if (const auto named = harness::ComparedMetrics(workload, {name}); !named.empty()) {
    return named.front();
  }
  const auto metrics = harness::ComparedMetrics(workload, {});
  Reject(problems, PlaceOf(flag, name), "{} has no metric {} to compare by{}", workload.name,
         config::Quoted(name), config::DidYouMean(name, NamesOf(metrics)));
  return nullptr;
}

}  // namespace schedbench::cli
