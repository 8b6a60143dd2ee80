#include "cli/plan_from_flags.hpp"

#include "cli/config_file.hpp"
#include "config/assignment.hpp"
#include "config/input_error.hpp"
#include "config/parse_value.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

using config::Problems;
using registry::SchedulerEntry;
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

// 32 bits: short to type, and exact in every JSON reader.
std::uint64_t DrawnSeed() {
  return std::random_device{}();
}

// The scheduler that --scheduler and the configs agree on, with the settings that the configs and --set make.
class SchedulerChoice {
 public:
  SchedulerChoice(const Arguments& arguments, Problems& problems)
      : arguments_(arguments),
        problems_(problems) {
  }

  std::optional<config::Settings> Settings() {
    if (const auto name = arguments_.Value(kSchedulerFlag.name)) {
      const config::Origin origin{"", ""};
      Choose(FindScheduler(*name, origin, problems_), origin);
    }
    for (const std::string& name : arguments_.Values(kConfigFlag.name)) {
      Read(name);
    }
    if (entry_ == nullptr) {
      AskForOne();
      return std::nullopt;
    }
    config::Settings settings(entry_->schema());
    for (const config::JsonDocument& document : documents_) {
      ApplyConfig(document, settings, problems_);
    }
    for (const std::string& assignment : arguments_.Values(kSetFlag.name)) {
      config::ApplySet(assignment, settings, problems_);
    }
    if (problems_.empty()) {
      Finish(settings, problems_);
    }
    return settings;
  }

  const SchedulerEntry* Entry() const {
    return entry_;
  }

 private:
  void Read(const std::string& name) {
    std::optional<config::JsonDocument> document = ReadConfig(name, problems_);
    if (!document) {
      return;
    }
    const SchedulerEntry* entry = SchedulerOf(*document, problems_);
    if (entry == nullptr) {
      return;
    }
    const config::JsonNode& node = *document->root().Find("scheduler");
    if (Choose(entry, {document->Where(node.offset), document->PointerTo(node)})) {
      documents_.push_back(std::move(*document));
    }
  }

  bool Choose(const SchedulerEntry* entry, const config::Origin& origin) {
    if (entry == nullptr || (entry_ != nullptr && entry_ != entry)) {
      if (entry != nullptr) {
        problems_.Add(origin.where, origin.path,
                      fmt::format("this config is for '{}', but {} names '{}'", entry->name,
                                  chosen_by_, entry_->name));
      }
      return false;
    }
    if (entry_ == nullptr) {
      entry_ = entry;
      chosen_by_ = origin.where.empty() ? std::string(kSchedulerFlag.name) : origin.where;
    }
    return true;
  }

  void AskForOne() {
    if (problems_.empty()) {
      problems_.Add(
          "", "",
          "which scheduler? --config FILE or --scheduler NAME, as in --config fast.json    "
          "schedbench list");
    }
  }

  const Arguments& arguments_;
  Problems& problems_;
  const SchedulerEntry* entry_ = nullptr;
  std::string chosen_by_;
  std::vector<config::JsonDocument> documents_;
};

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
  const std::uint32_t rounds = Rounds(arguments, kRoundsFlag, 1, 20, problems);
  const std::uint32_t warmup = Rounds(arguments, kWarmupFlag, 0, 3, problems);
  const auto seed =
      Number(arguments, kSeedFlag, 0, std::numeric_limits<std::uint64_t>::max(), problems);
  problems.ThrowIfAny();
  return {.scheduler = scheduler.Entry(),
          .config = *config,
          .workload = workload->entry,
          .parameters = workload->parameters,
          .rounds = rounds,
          .warmup = warmup,
          .seed = seed ? *seed : DrawnSeed()};
}

}  // namespace schedbench::cli
