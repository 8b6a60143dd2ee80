#include "cli/flags/plan_from_flags.hpp"

#include "cli/flags/names.hpp"
#include "cli/flags/scheduler_choice.hpp"
#include "config/assignment.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace schedbench::cli {

namespace {

using config::Problems;
using registry::WorkloadEntry;

const WorkloadEntry* FindWorkload(const std::string& name, Problems& problems) {
  const WorkloadEntry* entry = registry::FindWorkload(name);
  if (entry == nullptr) {
    Reject(problems, "", "unknown workload {}{}    schedbench list workloads", config::Quoted(name),
           config::DidYouMean(name, NamesOf(registry::Workloads())));
  }
  return entry;
}

// Applies the preset that the spec names, and removes it from the spec: other settings of the spec
// override the preset, wherever it is.
void ApplyPreset(config::Spec& spec, const WorkloadEntry& entry, config::Settings& parameters,
                 Problems& problems) {
  const auto given =
      std::ranges::find(spec.parameters, registry::kPresetKey, &config::SpecParameter::key);
  if (given == spec.parameters.end()) {
    return;
  }
  const std::string name = given->value;
  spec.parameters.erase(given);
  if (registry::ApplyPreset(entry, name, parameters)) {
    return;
  }
  const auto names = NamesOf(entry.presets);
  if (names.empty()) {
    problems.Add(spec.where, std::string(registry::kPresetKey),
                 fmt::format("{} has no presets", entry.name));
    return;
  }
  problems.Add(spec.where, std::string(registry::kPresetKey),
               fmt::format("unknown preset {}{}", config::Quoted(name),
                           config::DidYouMean(name, names, names.size())));
}

}  // namespace

std::optional<WorkloadChoice> ChooseWorkload(const std::string& text, Problems& problems,
                                             std::string_view flag) {
  if (text.starts_with("suite:")) {
    Reject(problems, fmt::format("{}{}{}", flag, flag.empty() ? "" : " ", config::Escaped(text)),
           "a suite has several workloads    schedbench run and compare take suites");
    return std::nullopt;
  }
  auto spec = config::ParseSpec(text, flag, problems);
  const WorkloadEntry* entry = spec ? FindWorkload(spec->name, problems) : nullptr;
  if (entry == nullptr) {
    return std::nullopt;
  }
  config::Settings parameters(entry->schema());
  ApplyPreset(*spec, *entry, parameters, problems);
  config::ApplySpec(*spec, parameters, problems);
  config::CheckRules(parameters, problems);
  return WorkloadChoice{.entry = entry, .parameters = std::move(parameters)};
}

bool SpecSets(const std::string& text, std::string_view parameter) {
  Problems ignored;
  const auto spec = config::ParseSpec(text, "", ignored);
  return spec && std::ranges::find(spec->parameters, parameter, &config::SpecParameter::key) !=
                     spec->parameters.end();
}

std::uint64_t SeedFromFlags(const Arguments& arguments) {
  // A drawn seed has 32 bits: short to type, and exact in every JSON reader.
  const auto seed = arguments[kSeedFlag];
  return seed ? *seed : std::random_device{}();
}

harness::RunPlan PlanFromFlags(const Arguments& arguments) {
  Problems problems;
  SchedulerChoice scheduler(arguments, problems);
  const auto config = scheduler.Settings();
  const auto workload = ChooseWorkload(arguments[kWorkloadFlag], problems);
  problems.ThrowIfAny();
  return {.scheduler = scheduler.Entry(),
          .config = *config,
          .workload = workload->entry,
          .parameters = workload->parameters,
          .rounds = arguments[kRoundsFlag].value_or(workload->entry->rounds),
          .warmup = arguments[kWarmupFlag].value_or(workload->entry->warmup),
          .seed = SeedFromFlags(arguments),
          .timeout = arguments[kTimeoutFlag]};
}

}  // namespace schedbench::cli
