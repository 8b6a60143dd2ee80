#include "cli/plan_from_flags.hpp"

#include "cli/duration.hpp"
#include "cli/scheduler_choice.hpp"
#include "config/assignment.hpp"
#include "config/input_error.hpp"
#include "config/parse_value.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

using config::Problems;
using registry::WorkloadEntry;

std::optional<std::uint64_t> Number(const Arguments& arguments, const Flag& flag, std::uint64_t min,
                                    std::uint64_t max, Problems& problems) {
  const auto text = arguments.Value(flag.name);
  if (!text) {
    return std::nullopt;
  }
  config::FieldInfo field;
  field.kind = config::Kind::kUnsigned;
  field.min = min;
  field.max = max;
  const config::ParsedValue parsed = config::ParseText(field, *text);
  if (!parsed.value) {
    problems.Add(fmt::format("{} {}", flag.name, config::Escaped(*text)), "", parsed.error);
    return std::nullopt;
  }
  return std::get<std::uint64_t>(*parsed.value);
}

std::uint32_t Rounds(const Arguments& arguments, const Flag& flag, std::uint32_t least,
                     std::uint32_t fallback, Problems& problems) {
  constexpr std::uint32_t kMost = 1'000'000;  // their figures take some hundred MB then
  return static_cast<std::uint32_t>(
      Number(arguments, flag, least, kMost, problems).value_or(fallback));
}

// Long enough for every task that is meant to end; a hang in a script still ends within its patience.
constexpr std::chrono::seconds kDefaultTimeout{60};

std::chrono::nanoseconds Timeout(const Arguments& arguments, Problems& problems) {
  const auto text = arguments.Value(kTimeoutFlag.name);
  if (!text) {
    return kDefaultTimeout;
  }
  const auto time = ParseDuration(*text);
  if (!time) {
    problems.Add(
        fmt::format("{} {}", kTimeoutFlag.name, config::Escaped(*text)), "",
        fmt::format("{} is not a time from 1ms to 1000h, such as 500ms, 10s or 2m; 0 for never",
                    config::Quoted(*text)));
  }
  return time.value_or(kDefaultTimeout);
}

// 32 bits: short to type, and exact in every JSON reader.
std::uint64_t DrawnSeed() {
  return std::random_device{}();
}

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

struct WorkloadChoice {
  const WorkloadEntry* entry;
  config::Settings parameters;
};

std::optional<WorkloadChoice> ChooseWorkload(const Arguments& arguments, Problems& problems) {
  const std::string text = arguments.Value(kWorkloadFlag.name).value_or("pingpong");
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

}  // namespace

harness::RunPlan PlanFromFlags(const Arguments& arguments) {
  Problems problems;
  SchedulerChoice scheduler(arguments, problems);
  const auto config = scheduler.Settings();
  const auto workload = ChooseWorkload(arguments, problems);
  const WorkloadEntry usual = workload ? *workload->entry : WorkloadEntry{};
  const std::uint32_t rounds = Rounds(arguments, kRoundsFlag, 1, usual.rounds, problems);
  const std::uint32_t warmup = Rounds(arguments, kWarmupFlag, 0, usual.warmup, problems);
  const auto seed =
      Number(arguments, kSeedFlag, 0, std::numeric_limits<std::uint64_t>::max(), problems);
  const auto timeout = Timeout(arguments, problems);
  problems.ThrowIfAny();
  return {.scheduler = scheduler.Entry(),
          .config = *config,
          .workload = workload->entry,
          .parameters = workload->parameters,
          .rounds = rounds,
          .warmup = warmup,
          .seed = seed ? *seed : DrawnSeed(),
          .timeout = timeout};
}

}  // namespace schedbench::cli
