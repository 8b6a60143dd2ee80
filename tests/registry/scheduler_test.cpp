#include "registry/scheduler.hpp"

#include "platform/threads/thread.hpp"
#include "registry/workload.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::registry::scheduler_test {

namespace {

template <typename Entries>
std::vector<std::string> Names(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto* entry : entries) {
    names.emplace_back(entry->name);
  }
  return names;
}

TEST(Registry, ListsSchedulersAndWorkloadsByNameAndVariantsLast) {
  std::vector<const SchedulerEntry*> schedulers = Schedulers();
  const auto variants = std::ranges::find_if(schedulers, &SchedulerEntry::is_variant);
  EXPECT_TRUE(std::all_of(variants, schedulers.end(),
                          [](const SchedulerEntry* entry) { return entry->is_variant; }));
  const std::vector<const SchedulerEntry*> last(variants, schedulers.end());
  schedulers.erase(variants, schedulers.end());
  for (const auto& names : {Names(schedulers), Names(last), Names(Workloads())}) {
    EXPECT_FALSE(names.empty());
    EXPECT_TRUE(std::ranges::is_sorted(names));
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << "two of the same name";
  }
}

TEST(Registry, KnowsWhatIsLinkedIn) {
  const auto schedulers = Names(Schedulers());
  EXPECT_TRUE(std::ranges::count(schedulers, "fast") == 1);
  EXPECT_TRUE(std::ranges::count(schedulers, "global_fifo") == 1);
  const auto workloads = Names(Workloads());
  for (const char* name : {"pingpong", "spawn_join", "yield"}) {
    EXPECT_TRUE(std::ranges::count(workloads, name) == 1) << name;
  }
}

TEST(Registry, FindsEachEntryByItsNameAndNoOther) {
  for (const SchedulerEntry* entry : Schedulers()) {
    EXPECT_EQ(FindScheduler(entry->name), entry);
  }
  for (const WorkloadEntry* entry : Workloads()) {
    EXPECT_EQ(FindWorkload(entry->name), entry);
  }
  EXPECT_EQ(FindScheduler("fats"), nullptr);
  EXPECT_EQ(FindScheduler(""), nullptr);
  EXPECT_EQ(FindWorkload("fast"), nullptr);
}

TEST(Registry, SaysInOneLineWhatEachEntryIs) {
  for (const SchedulerEntry* entry : Schedulers()) {
    EXPECT_FALSE(entry->doc.empty()) << entry->name;
    EXPECT_EQ(entry->doc.find('\n'), std::string_view::npos) << entry->name;
  }
  for (const WorkloadEntry* entry : Workloads()) {
    EXPECT_FALSE(entry->doc.empty()) << entry->name;
    EXPECT_EQ(entry->doc.find('\n'), std::string_view::npos) << entry->name;
    EXPECT_FALSE(entry->operation.empty()) << entry->name;
  }
}

TEST(Registry, HasOnlyPresetsThatFitTheirWorkload) {
  for (const WorkloadEntry* entry : Workloads()) {
    EXPECT_EQ(entry->schema().FindLeaf(kPresetKey), nullptr) << entry->name;
    for (const Preset& preset : entry->presets) {
      config::Settings settings(entry->schema());
      EXPECT_TRUE(ApplyPreset(*entry, preset.name, settings)) << entry->name << preset.name;
    }
    config::Settings settings(entry->schema());
    EXPECT_FALSE(ApplyPreset(*entry, "smok", settings)) << entry->name;
  }
}

TEST(RegistryDeathTest, RefusesASecondSchedulerOfTheSameName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SchedulerRegistration again(*FindScheduler("fast")), "'fast' is registered twice");
}

TEST(ResolveWorkers, PutsTheNumberOfCpusForZero) {
  for (const SchedulerEntry* entry : Schedulers()) {
    config::Settings settings(entry->schema());
    if (settings.GetSchema().FindLeaf("workers") == nullptr) {
      continue;
    }
    settings.Set("workers", std::uint64_t{0}, {.where = "here", .path = "/workers"});
    ResolveWorkers(settings);
    EXPECT_EQ(settings.Get("workers"), config::Value{std::uint64_t{platform::AvailableCpus()}});
    EXPECT_EQ(settings.OriginOf("workers").where, "here");
  }
}

TEST(ResolveWorkers, LeavesANumberThatWasGiven) {
  config::Settings settings(FindScheduler("fast")->schema());
  settings.Set("workers", std::uint64_t{7}, {});
  ResolveWorkers(settings);
  EXPECT_EQ(settings.Get("workers"), config::Value{std::uint64_t{7}});
}

TEST(ResolveWorkers, LeavesAConfigWithoutWorkersAlone) {
  config::Settings settings(FindWorkload("yield")->schema());
  const config::Settings before = settings;
  ResolveWorkers(settings);
  EXPECT_EQ(settings, before);
}

// What a workload's answer is, is for the workload: it verifies it itself.
void ExpectThatItComesOutRight(IScheduler& scheduler, const WorkloadEntry& entry,
                               const config::Settings& settings, const std::string& what) {
  const auto workload = entry.make(settings, tests::Seed());
  for (int round = 0; round < tests::QuickOrFull(2, 3); ++round) {
    workload->Prepare();
    EXPECT_GT(workload->Run(scheduler), 0U) << what;
    scheduler.WaitIdle();
    EXPECT_EQ(workload->Verify(), "") << what;
  }
}

// In the quick tier the schedulers of SchedulerNames() run all workloads. Every other scheduler
// runs a third of them, and each workload runs on a third of these schedulers.
TEST(Registry, HasWorkloadsThatComeOutRightOnEveryScheduler) {
  const std::vector<const WorkloadEntry*> workloads = Workloads();
  const std::vector<std::string> with_all = tests::SchedulerNames();
  const auto parts = tests::QuickOrFull<std::size_t>(3, 1);
  std::size_t scheduler_number = 0;
  for (const std::string& spec : tests::EverySchedulerSpec()) {
    const bool runs_all = std::ranges::count(with_all, spec) > 0;
    const auto scheduler = tests::MakeScheduler(spec, 2);
    ++scheduler_number;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      if (!runs_all && (i + scheduler_number) % parts != 0) {
        continue;
      }
      const WorkloadEntry* const entry = workloads[i];
      config::Settings settings = tests::SmallSettings(entry->schema());
      if (entry->name == "greedy") {
        settings.Set("loop", std::string("yields"), {});  // by default it ends only with preemption
      }
      ExpectThatItComesOutRight(*scheduler, *entry, settings,
                                std::string(entry->name) + " on " + spec);
    }
  }
}

// Pools see only tasks: fibers, coroutines and futures are ways to write them.
TEST(Registry, HasWorkloadsThatGiveTheSameAnswerThroughEachFrontEndOnEveryScheduler) {
  std::size_t front_ends = 0;
  for (const WorkloadEntry* entry : Workloads()) {
    const config::Leaf* const leaf = entry->schema().FindLeaf("front_end");
    if (leaf == nullptr) {
      continue;
    }
    for (const std::string& spec : tests::EverySchedulerSpec()) {
      const auto scheduler = tests::MakeScheduler(spec, 2);
      std::set<std::uint64_t> operations;
      for (const std::string_view front_end : leaf->field->choices) {
        config::Settings settings = tests::SmallSettings(entry->schema());
        settings.Set("front_end", std::string(front_end), {});
        const std::string what =
            std::string(entry->name) + " by " + std::string(front_end) + " on " + spec;
        ExpectThatItComesOutRight(*scheduler, *entry, settings, what);
        const auto workload = entry->make(settings, tests::Seed());
        workload->Prepare();
        operations.insert(workload->Run(*scheduler));
        ++front_ends;
      }
      EXPECT_EQ(operations.size(), 1U) << entry->name << " on " << spec;
    }
  }
  EXPECT_GT(front_ends, 0U);
}

}  // namespace

}  // namespace schedbench::registry::scheduler_test
