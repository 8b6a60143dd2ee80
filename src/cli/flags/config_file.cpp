#include "cli/flags/config_file.hpp"

#include "cli/flags/flag.hpp"
#include "cli/flags/names.hpp"
#include "config/apply_json.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "platform/files/input_file.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <string_view>

namespace schedbench::cli {

namespace {

constexpr std::string_view kSchedulerKey = "scheduler";

}  // namespace

std::optional<config::JsonDocument> ReadConfig(const std::string& name,
                                               config::Problems& problems) {
  const bool is_bare =
      name.find('/') == std::string::npos && !name.empty() && name != platform::kStdinName;
  std::error_code ignored;
  if (!is_bare || std::filesystem::exists(name, ignored)) {
    return config::JsonDocument::ReadFile(name, problems);
  }
  const auto shipped = registry::ShippedConfigs();
  if (const auto* const found = FindByName(shipped, name)) {
    return config::JsonDocument::Parse(std::string(found->text), name, problems);
  }
  const std::string file = name + ".json";
  const std::string& nearest = FindByName(shipped, file) != nullptr ? file : name;
  Reject(problems, "",
         "unknown config {}: no file in this folder and no shipped config{}    schedbench list "
         "configs",
         config::Quoted(name), config::DidYouMean(nearest, NamesOf(shipped)));
  return std::nullopt;
}

const registry::SchedulerEntry* FindScheduler(const std::string& name, const config::Origin& origin,
                                              config::Problems& problems) {
  const registry::SchedulerEntry* entry = registry::FindScheduler(name);
  if (entry == nullptr) {
    problems.Add(
        origin.where, origin.path,
        fmt::format("unknown scheduler {}{}    schedbench list schedulers", config::Quoted(name),
                    config::DidYouMean(name, registry::SchedulerNames())));
  }
  return entry;
}

const registry::SchedulerEntry* SchedulerOf(const config::JsonDocument& document,
                                            config::Problems& problems) {
  const config::JsonNode& root = document.Root();
  if (root.kind != config::JsonNode::Kind::kObject) {
    problems.Add(document.Where(root.offset), "",
                 "a config must be an object, such as {\"scheduler\": \"fast\"}");
    return nullptr;
  }
  const config::JsonNode* node = root.Find(kSchedulerKey);
  if (node == nullptr) {
    Reject(problems, document.Where(root.offset),
           "the key \"scheduler\" is missing; it names the scheduler of this config");
    return nullptr;
  }
  const config::Origin origin{document.Where(node->offset), document.PointerTo(*node)};
  if (node->kind != config::JsonNode::Kind::kString) {
    problems.Add(origin.where, origin.path,
                 "the name of the scheduler must be a string    schedbench list schedulers");
    return nullptr;
  }
  return FindScheduler(node->text, origin, problems);
}

const registry::SchedulerEntry& SchedulerOf(const registry::ShippedConfig& config) {
  config::Problems problems;
  const auto document =
      config::JsonDocument::Parse(std::string(config.text), std::string(config.name), problems);
  const auto* const scheduler = document ? SchedulerOf(*document, problems) : nullptr;
  problems.ThrowIfAny();
  return *scheduler;
}

void ApplyConfig(const config::JsonDocument& document, config::Settings& settings,
                 config::Problems& problems) {
  config::ApplyJson(document, document.Root(), settings, problems, {kSchedulerKey});
}

std::optional<ConfiguredScheduler> ReadScheduler(const std::string& name,
                                                 config::Problems& problems) {
  const auto document = ReadConfig(name, problems);
  const registry::SchedulerEntry* const entry =
      document ? SchedulerOf(*document, problems) : nullptr;
  if (entry == nullptr) {
    return std::nullopt;
  }
  ConfiguredScheduler scheduler{.entry = entry, .settings = config::Settings(entry->schema())};
  ApplyConfig(*document, scheduler.settings, problems);
  return scheduler;
}

void Finish(config::Settings& settings, config::Problems& problems) {
  registry::ResolveWorkers(settings);
  config::CheckRules(settings, problems);
}

}  // namespace schedbench::cli
