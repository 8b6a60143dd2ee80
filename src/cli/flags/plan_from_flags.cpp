#include "cli/flags/plan_from_flags.hpp"

#include "cli/flags/flag_values.hpp"
#include "cli/flags/scheduler_choice.hpp"
#include "config/assignment.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

using config::Problems;
using registry::WorkloadEntry;

const WorkloadEntry* FindWorkload(const std::string& name, Problems& problems) {
  const WorkloadEntry* entry = registry::FindWorkload(name);
  if (entry == nullptr) {
    std::vector<std::string_view> names;
    for (const WorkloadEntry* known : registry::Workloads()) {
      names.push_back(known->name);
    }
    problems.Add("", "",
                 fmt::format("unknown workload {}{}    schedbench list workloads",
                             config::Quoted(name), config::DidYouMean(name, names)));
  }
  return entry;
}

}  // namespace

std::optional<WorkloadChoice> ChooseWorkload(const std::string& text, Problems& problems) {
  const auto spec = config::ParseSpec(text, kWorkloadFlag.name, problems);
  const WorkloadEntry* entry = spec ? FindWorkload(spec->name, problems) : nullptr;
  if (entry == nullptr) {
    return std::nullopt;
  }
  config::Settings parameters(entry->schema());
  config::ApplySpec(*spec, parameters, problems);
  config::CheckRules(parameters, problems);
  return WorkloadChoice{.entry = entry, .parameters = std::move(parameters)};
}

harness::RunPlan PlanFromFlags(const Arguments& arguments, std::string_view usual_scheduler) {
  Problems problems;
  SchedulerChoice scheduler(arguments, problems, usual_scheduler);
  const auto config = scheduler.Settings();
  const auto workload =
      ChooseWorkload(arguments.Value(kWorkloadFlag.name).value_or("pingpong"), problems);
  const WorkloadEntry usual = workload ? *workload->entry : WorkloadEntry{};
  const std::uint32_t rounds = Rounds(arguments, kRoundsFlag, 1, usual.rounds, problems);
  const std::uint32_t warmup = Rounds(arguments, kWarmupFlag, 0, usual.warmup, problems);
  const std::uint64_t seed = Seed(arguments, kSeedFlag, problems);
  const auto timeout = TimeLimit(arguments, kTimeoutFlag, problems);
  problems.ThrowIfAny();
  return {.scheduler = scheduler.Entry(),
          .config = *config,
          .workload = workload->entry,
          .parameters = workload->parameters,
          .rounds = rounds,
          .warmup = warmup,
          .seed = seed,
          .timeout = timeout};
}

}  // namespace schedbench::cli
