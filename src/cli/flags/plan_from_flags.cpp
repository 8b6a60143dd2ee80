#include "cli/flags/plan_from_flags.hpp"

#include "cli/flags/names.hpp"
#include "config/assignment.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

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

std::optional<ConfiguredScheduler> ChooseScheduler(const Arguments& arguments, Problems& problems,
                                                   const config::JsonDocument* otherwise,
                                                   bool takes_workers) {
  const registry::SchedulerEntry* chosen = nullptr;
  std::string chosen_by;  // where the scheduler was named first
  // Returns whether `entry`, named at `origin`, is the scheduler of this run.
  const auto choose = [&](const registry::SchedulerEntry* entry, const config::Origin& origin) {
    if (entry != nullptr && chosen == nullptr) {
      chosen = entry;
      chosen_by = origin.where.empty() ? std::string(kSchedulerFlag.name) : origin.where;
    } else if (entry != nullptr && chosen != entry) {
      problems.Add(origin.where, origin.path,
                   fmt::format("this config is for '{}', but {} names '{}'", entry->name, chosen_by,
                               chosen->name));
    }
    return entry != nullptr && chosen == entry;
  };
  std::vector<config::JsonDocument> documents;
  const auto read = [&](std::optional<config::JsonDocument> document) {
    if (const auto* const entry = document ? SchedulerOf(*document, problems) : nullptr) {
      const config::JsonNode& node = *document->Root().Find("scheduler");
      if (choose(entry, {document->Where(node.offset), document->PointerTo(node)})) {
        documents.push_back(std::move(*document));
      }
    }
  };
  if (const auto name = arguments[kSchedulerFlag]) {
    choose(FindScheduler(*name, {}, problems), {});
  }
  for (const std::string& name : arguments[kConfigFlag]) {
    read(ReadConfig(name, problems));
  }
  if (otherwise != nullptr && chosen == nullptr && problems.empty()) {
    read(*otherwise);
  }
  if (chosen == nullptr && problems.empty()) {
    chosen = registry::FindScheduler("fast");
  }
  if (chosen == nullptr) {
    return std::nullopt;
  }
  ConfiguredScheduler scheduler{.entry = chosen, .settings = config::Settings(chosen->schema())};
  for (const config::JsonDocument& document : documents) {
    ApplyConfig(document, scheduler.settings, problems);
  }
  for (const std::string& assignment : arguments[kSetFlag]) {
    config::ApplySet(assignment, scheduler.settings, problems);
  }
  if (const auto workers = takes_workers ? arguments[kWorkersFlag] : std::nullopt) {
    const std::string where = PlaceOf(kWorkersFlag, *workers);
    if (chosen->schema().FindLeaf("workers") == nullptr) {
      Reject(problems, where,
             "scheduler {} has no field 'workers'    schedbench describe scheduler {}",
             chosen->name, chosen->name);
    } else {
      config::Assign(scheduler.settings, "workers", *workers == "auto" ? "0" : *workers,
                     {where, ""}, problems);
    }
  }
  if (problems.empty()) {
    Finish(scheduler.settings, problems);
  }
  return scheduler;
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

harness::RunPlan PlanOf(const Arguments& arguments, ConfiguredScheduler scheduler,
                        WorkloadChoice workload) {
  return {.scheduler = scheduler.entry,
          .config = std::move(scheduler.settings),
          .workload = workload.entry,
          .parameters = std::move(workload.parameters),
          .rounds = arguments[kRoundsFlag].value_or(workload.entry->rounds),
          .warmup = arguments[kWarmupFlag].value_or(workload.entry->warmup),
          .seed = SeedFromFlags(arguments),
          .timeout = arguments[kTimeoutFlag]};
}

harness::RunPlan PlanFromFlags(const Arguments& arguments) {
  Problems problems;
  auto scheduler = ChooseScheduler(arguments, problems);
  auto workload = ChooseWorkload(arguments[kWorkloadFlag], problems);
  problems.ThrowIfAny();
  return PlanOf(arguments, std::move(*scheduler), std::move(*workload));
}

}  // namespace schedbench::cli
