#include "base/assert.hpp"
#include "base/stable_sort.hpp"
#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "platform/threads/thread.hpp"
#include "registry/build_info.hpp"
#include "registry/runtime.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::registry {

namespace {

// The list is function-local, because registrations run before main in an unspecified order. It and
// its entries, to which others keep pointers, are never destroyed.
template <typename Entry>
std::vector<const Entry*>& Entries() {
  static auto* const entries = new std::vector<const Entry*>;
  return *entries;
}

template <typename Entry>
const Entry* Find(std::string_view name) {
  const auto& entries = Entries<Entry>();
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : *found;
}

// The list is sorted, so that the order of linking does not matter.
template <typename Entry>
void Register(Entry entry, bool is_optimized) {
  entry.is_optimized = is_optimized;
  auto& entries = Entries<Entry>();
  const auto place = std::ranges::lower_bound(entries, entry.name, {}, &Entry::name);
  const bool is_new = place == entries.end() || (*place)->name != entry.name;
  const std::string message = "'" + std::string(entry.name) + "' is registered twice";
  SB_ASSERT(is_new, message.c_str());
  entries.insert(place, new Entry(std::move(entry)));
}

}  // namespace

std::vector<const SchedulerEntry*> Schedulers() {
  std::vector<const SchedulerEntry*> entries = Entries<SchedulerEntry>();
  StableSort(entries, {}, &SchedulerEntry::is_variant);
  return entries;
}

std::vector<std::string_view> SchedulerNames() {
  std::vector<std::string_view> names;
  for (const SchedulerEntry* const entry : Schedulers()) {
    names.push_back(entry->name);
    if (!entry->alias.empty()) {
      names.push_back(entry->alias);
    }
  }
  return names;
}

const SchedulerEntry* FindScheduler(std::string_view name) {
  const SchedulerEntry* const entry = Find<SchedulerEntry>(name);
  if (entry != nullptr || name.empty()) {
    return entry;
  }
  const auto& entries = Entries<SchedulerEntry>();
  const auto found = std::ranges::find(entries, name, &SchedulerEntry::alias);
  return found == entries.end() ? nullptr : *found;
}

void ResolveWorkers(config::Settings& settings) {
  constexpr std::string_view kWorkers = "workers";
  const config::Leaf* leaf = settings.GetSchema().FindLeaf(kWorkers);
  if (leaf == nullptr || settings.Get(kWorkers) != config::Value{std::uint64_t{0}}) {
    return;
  }
  const std::uint64_t most = std::get<std::uint64_t>(leaf->field->max);
  settings.Set(kWorkers, std::min<std::uint64_t>(platform::AvailableCpus(), most),
               settings.OriginOf(kWorkers));
}

SchedulerRegistration::SchedulerRegistration(const SchedulerEntry& entry, bool is_optimized) {
  Register(entry, is_optimized);
}

std::vector<const WorkloadEntry*> Workloads() {
  return Entries<WorkloadEntry>();
}

const WorkloadEntry* FindWorkload(std::string_view name) {
  return Find<WorkloadEntry>(name);
}

bool ApplyPreset(const WorkloadEntry& workload, std::string_view name,
                 config::Settings& parameters) {
  const auto preset = std::ranges::find(workload.presets, name, &Preset::name);
  if (preset == workload.presets.end()) {
    return false;
  }
  config::Problems problems;
  const std::string separator = preset->parameters.empty() ? "" : ":";
  const std::string text = std::string(workload.name) + separator + std::string(preset->parameters);
  if (const auto spec = config::ParseSpec(text, "preset", problems)) {
    config::ApplySpec(*spec, parameters, problems);
    config::CheckRules(parameters, problems);
  }
  SB_ASSERT(problems.empty(), "a preset does not fit the parameters of its workload");
  return true;
}

WorkloadRegistration::WorkloadRegistration(const WorkloadEntry& entry, bool is_optimized) {
  Register(entry, is_optimized);
}

namespace {

// Like Entries(), it is set before main and never destroyed. Null: none was registered.
const RuntimeInfo*& ForeignRuntime() {
  static const RuntimeInfo* runtime = nullptr;
  return runtime;
}

}  // namespace

const RuntimeInfo& Runtime() {
  static const RuntimeInfo own{
      .name = "schedbench", .version = ThisBuild().version, .tasks = "fibers"};
  return ForeignRuntime() != nullptr ? *ForeignRuntime() : own;
}

RuntimeRegistration::RuntimeRegistration(const RuntimeInfo& runtime) {
  SB_ASSERT(ForeignRuntime() == nullptr, "a program is of one runtime");
  ForeignRuntime() = new RuntimeInfo(runtime);
}

}  // namespace schedbench::registry
