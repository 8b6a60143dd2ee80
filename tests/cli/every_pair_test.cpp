// The tool itself runs every workload, small, on `fast` and `global_fifo`, and each other scheduler
// with one workload. In the full tier, registry/scheduler_test.cpp runs every pair, without the
// tool.
#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace schedbench::tests::every_pair_test {

namespace {

// "pingpong:preset=smoke,pairs=16,rounds=16", with each field that is not at its default. The
// preset: what no number makes short, such as a loop that never yields.
std::string SmallSpec(const registry::WorkloadEntry& entry) {
  const config::Settings small = SmallSettings(entry.schema());
  std::string spec = std::string(entry.name) + ":preset=smoke";
  for (const config::Leaf& leaf : entry.schema().Leaves()) {
    const config::Value value = small.Get(leaf.path);
    if (value != leaf.field->default_value) {
      spec += ',' + leaf.path + "=" + config::ToText(value);
    }
  }
  return spec;
}

std::vector<std::string> EveryScheduler() {
  std::vector<std::string> names;
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    names.emplace_back(entry->name);
  }
  return names;
}

// A different one for each scheduler in turn.
std::vector<const registry::WorkloadEntry*> WorkloadsFor(const std::string& scheduler) {
  std::vector<const registry::WorkloadEntry*> all = registry::Workloads();
  if (scheduler == "fast" || scheduler == "global_fifo") {
    return all;
  }
  const std::vector<std::string> schedulers = EveryScheduler();
  const auto place = std::ranges::find(schedulers, scheduler) - schedulers.begin();
  return {all[static_cast<std::size_t>(place) % all.size()]};
}

class EveryPair : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schedulers, EveryPair, testing::ValuesIn(EveryScheduler()),
                         SchedulerNameOf);

TEST_P(EveryPair, IsRunWithARightAnswerAndMetricsOfSpeedAndOfItsPrice) {
  ASSERT_FALSE(registry::Workloads().empty());
  for (const registry::WorkloadEntry* workload : WorkloadsFor(GetParam())) {
    const std::string spec = SmallSpec(*workload);
    // A wrong answer would be code 4.
    const Finished run = Schedbench({"run", "--scheduler", GetParam(), "--workload", spec,
                                     "--rounds", "2", "--warmup", "1", "--format", "json"});
    ASSERT_EQ(run.code, 0) << spec << "\n" << run.error;
    EXPECT_EQ(run.error, "") << spec;
    const auto result = nlohmann::json::parse(run.out);
    EXPECT_TRUE(result["complete"]) << spec;
    EXPECT_EQ(result["rounds"].size(), 2U) << spec;
    // What is won on one axis is paid for on another: no result shows one alone.
    for (const char* metric : {"throughput", "cpu_per_operation", "cpus_used"}) {
      EXPECT_GT(result["summary"][metric]["median"].get<double>(), 0.0) << spec << " " << metric;
    }
    EXPECT_GT(result["peak_rss_bytes"].get<double>(), 0) << spec;
  }
}

}  // namespace

}  // namespace schedbench::tests::every_pair_test
