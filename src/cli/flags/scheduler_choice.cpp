#include "cli/flags/scheduler_choice.hpp"

#include "cli/flags/config_file.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "config/assignment.hpp"

#include <fmt/core.h>

#include <utility>

namespace schedbench::cli {

namespace {

constexpr std::string_view kDefaultScheduler = "fast";

}  // namespace

SchedulerChoice::SchedulerChoice(const Arguments& arguments, config::Problems& problems,
                                 const config::JsonDocument* otherwise, bool takes_workers)
    : arguments_(arguments),
      problems_(problems),
      otherwise_(otherwise),
      takes_workers_(takes_workers) {
}

std::optional<config::Settings> SchedulerChoice::Settings() {
  if (const auto name = arguments_[kSchedulerFlag]) {
    Choose(FindScheduler(*name, {}, problems_), {});
  }
  for (const std::string& name : arguments_[kConfigFlag]) {
    Read(ReadConfig(name, problems_));
  }
  if (otherwise_ != nullptr && entry_ == nullptr && problems_.empty()) {
    Read(*otherwise_);
  }
  if (entry_ == nullptr && problems_.empty()) {
    entry_ = registry::FindScheduler(kDefaultScheduler);
  }
  if (entry_ == nullptr) {
    return std::nullopt;
  }
  config::Settings settings(entry_->schema());
  Apply(settings);
  return settings;
}

void SchedulerChoice::Read(std::optional<config::JsonDocument> document) {
  const registry::SchedulerEntry* entry = document ? SchedulerOf(*document, problems_) : nullptr;
  if (entry == nullptr) {
    return;
  }
  const config::JsonNode& node = *document->Root().Find("scheduler");
  if (Choose(entry, {document->Where(node.offset), document->PointerTo(node)})) {
    documents_.push_back(std::move(*document));
  }
}

bool SchedulerChoice::Choose(const registry::SchedulerEntry* entry, const config::Origin& origin) {
  if (entry == nullptr) {
    return false;
  }
  if (entry_ == nullptr) {
    entry_ = entry;
    chosen_by_ = origin.where.empty() ? std::string(kSchedulerFlag.name) : origin.where;
  }
  if (entry_ == entry) {
    return true;
  }
  problems_.Add(origin.where, origin.path,
                fmt::format("this config is for '{}', but {} names '{}'", entry->name, chosen_by_,
                            entry_->name));
  return false;
}

void SchedulerChoice::Apply(config::Settings& settings) {
  for (const config::JsonDocument& document : documents_) {
    ApplyConfig(document, settings, problems_);
  }
  for (const std::string& assignment : arguments_[kSetFlag]) {
    config::ApplySet(assignment, settings, problems_);
  }
  if (const auto workers = takes_workers_ ? arguments_[kWorkersFlag] : std::nullopt) {
    const std::string where = PlaceOf(kWorkersFlag, *workers);
    if (settings.GetSchema().FindLeaf("workers") == nullptr) {
      Reject(problems_, where,
             "scheduler {} has no field 'workers'    schedbench describe scheduler {}",
             entry_->name, entry_->name);
      return;
    }
    config::Assign(settings, "workers", *workers == "auto" ? "0" : *workers, {where, ""},
                   problems_);
  }
  if (problems_.empty()) {
    Finish(settings, problems_);
  }
}

}  // namespace schedbench::cli
