#include "tests/support/schedulers.hpp"

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "executors/submit.hpp"
#include "tests/support/tier.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <latch>
#include <stdexcept>
#include <variant>

namespace schedbench::tests {

namespace {

// Each part of `work_stealing` that its default does not have, at least once, each order of
// victims, and the order that is none. Not order=lifo, which promises less: a task that submits
// itself again and again shuts out the others.
constexpr std::array<std::string_view, 7> kOtherParts{
    "work_stealing:local_queue=two_head,global_queue=lock_free,pick_order=s3,victim=round_robin",
    "work_stealing:local_queue=lfab,global_queue=moodycamel,overflow=older_half,global_grab=one,"
    "victim=nearest",
    "work_stealing:local_queue=mutex,global_queue=take_all,global_grab=all,steal=one",
    "work_stealing:pick_order=s0,overflow=one,global_grab=half_capacity,notify=all_under_lock,"
    "victim=last_success",
    "fast:victim=last_success,lifo_steal=wake,global_grab=all",
    "fast:blocking=hand_off,netpoll=auto,preempt=coop,time_slice_ms=1",
    "single_thread:order=random",
};

}  // namespace

std::unique_ptr<registry::IScheduler> MakeScheduler(std::string_view spec, std::uint32_t workers,
                                                    std::initializer_list<Override> overrides) {
  config::Problems problems;
  const auto parts = config::ParseSpec(std::string(spec), "scheduler", problems);
  problems.ThrowIfAny();
  const registry::SchedulerEntry* entry = registry::FindScheduler(parts->name);
  if (entry == nullptr) {
    throw std::runtime_error("no scheduler " + std::string(parts->name));
  }
  config::Settings settings(entry->schema());
  for (const std::string_view field : {"workers", "limit"}) {
    if (settings.GetSchema().FindLeaf(field) != nullptr) {
      settings.Set(field, std::uint64_t{workers}, {});
    }
  }
  // Where threads come as they are needed, one worker is a limit of one, and more are no limit.
  if (workers == 1 && settings.GetSchema().FindLeaf("workers") == nullptr &&
      settings.GetSchema().FindLeaf("max_threads") != nullptr) {
    settings.Set("max_threads", std::uint64_t{1}, {});
  }
  config::ApplySpec(*parts, settings, problems);
  config::CheckRules(settings, problems);
  problems.ThrowIfAny();
  for (const auto& [path, value] : overrides) {
    settings.Set(path, value, {});
  }
  return entry->make(settings, Seed());
}

Parallelism ParallelismOf(std::string_view spec) {
  if (spec.starts_with("single_thread")) {
    return Parallelism::kOne;
  }
  return spec == "thread_per_task" || spec == "cached_pool" ? Parallelism::kAny
                                                            : Parallelism::kAsConfigured;
}

void StartAllThreads(registry::IScheduler& scheduler, std::string_view spec,
                     std::uint32_t workers) {
  const std::uint32_t threads = ParallelismOf(spec) == Parallelism::kOne ? 1 : workers;
  std::latch all_run(threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    executors::Submit(scheduler, [&all_run] { all_run.arrive_and_wait(); });
  }
  scheduler.WaitIdle();
}

bool KeepsOrder(std::string_view spec) {
  return spec.find("order=random") == std::string_view::npos;
}

bool IsPublished(std::string_view spec) {
  return spec.starts_with("WorkStealing_");
}

bool IsVariant(std::string_view spec) {
  return IsPublished(spec) || spec.find(':') != std::string_view::npos;
}

std::vector<std::string> EverySchedulerSpec() {
  std::vector<std::string> specs;
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    specs.emplace_back(entry->name);
  }
  specs.insert(specs.end(), kOtherParts.begin(), kOtherParts.end());
  return specs;
}

std::vector<std::string> SchedulerNames() {
  if (!FullTier()) {
    return {"fast", "global_fifo"};
  }
  std::vector<std::string> names = EverySchedulerSpec();
  std::erase_if(names, [](const std::string& name) {
    return IsVariant(name) || ParallelismOf(name) == Parallelism::kAny;
  });
  return names;
}

config::Settings SmallSettings(const config::Schema& schema) {
  constexpr std::uint64_t kSmall = 16;  // a power of two, for fields that want one
  config::Settings settings(schema);
  for (const config::Leaf& leaf : schema.Leaves()) {
    if (leaf.field->kind == config::Kind::kUnsigned &&
        std::get<std::uint64_t>(leaf.field->default_value) > kSmall) {
      settings.Set(leaf.path, std::max(kSmall, std::get<std::uint64_t>(leaf.field->min)), {});
    }
  }
  return settings;
}

std::string TestNameOf(std::string_view spec) {
  std::string name(spec);
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace schedbench::tests
