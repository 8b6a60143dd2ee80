#include "cli/flags/history_plan.hpp"

#include "cli/flags/metrics.hpp"
#include "config/settings_json.hpp"
#include "harness/compare/analysis.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace schedbench::cli {

harness::ComparisonPlan HistoryPlan(const Arguments& arguments, ConfigForm form,
                                    std::uint32_t blocks, config::Problems& problems) {
  harness::ComparisonPlan plan;
  std::vector<std::string> workloads = arguments.Values(kHistoryWorkloadFlag);
  if (workloads.empty()) {
    workloads.emplace_back("pingpong");
  }
  for (const std::string& text : workloads) {
    if (const auto workload = ChooseWorkload(text, problems)) {
      plan.workloads.push_back({.entry = workload->entry,
                                .name = text,
                                .parameters = form == ConfigForm::kGiven
                                                  ? GivenSettings(workload->parameters)
                                                  : config::ToJson(workload->parameters).dump()});
    }
  }
  // --metric has the same name for all commands.
  plan.metrics = MetricsOf(arguments, plan, problems);
  plan.blocks = arguments.Rounds(kHistoryBlocksFlag, blocks);
  plan.rounds = arguments.Rounds(kRoundsOfCellFlag);
  plan.warmup = arguments.Rounds(kWarmupOfCellFlag);
  plan.seed = SeedFromFlags(arguments);
  plan.limit = arguments.Time(kRoundLimitFlag);
  return plan;
}

}  // namespace schedbench::cli
