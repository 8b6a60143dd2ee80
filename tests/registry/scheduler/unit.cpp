#include "platform/thread.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::registry {

namespace {

template <typename Entries>
std::vector<std::string> Names(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto* entry : entries) {
    names.emplace_back(entry->name);
  }
  return names;
}

TEST(Registry, ListsSchedulersAndWorkloadsByName) {
  for (const auto& names : {Names(Schedulers()), Names(Workloads())}) {
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

TEST(RegistryDeathTest, RefusesASecondSchedulerOfTheSameName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SchedulerRegistration again(*FindScheduler("fast")), "the name is taken");
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

// A workload verifies its own answer: on every scheduler it is right, round after round.
TEST(Registry, HasWorkloadsThatComeOutRightOnEveryScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    for (const WorkloadEntry* entry : Workloads()) {
      config::Settings settings(entry->schema());
      // Small, whatever the workload calls its sizes.
      for (const char* size : {"pairs", "rounds", "fibers", "yields", "tasks"}) {
        if (settings.GetSchema().FindLeaf(size) != nullptr) {
          settings.Set(size, std::uint64_t{20}, {});
        }
      }
      const auto workload = entry->make(settings, tests::Seed());
      for (int round = 0; round < 3; ++round) {
        workload->Prepare();
        EXPECT_GT(workload->Run(*scheduler), 0U);
        scheduler->WaitIdle();
        EXPECT_EQ(workload->Verify(), "") << entry->name << " on " << name;
      }
    }
  }
}

}  // namespace

}  // namespace schedbench::registry
