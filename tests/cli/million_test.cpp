#include "platform/memory/memory.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::tests::million_test {

namespace {

using nlohmann::json;

Finished Million(const std::string& parameters, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"run", "-s", "fast", "-w", "million:" + parameters};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Schedbench(std::move(arguments));
}

TEST(Million, ReportsItsOwnMetricsInJson) {
  const Finished run = Million("fibers=5000", {"-f", "json", "-n", "3", "--warmup", "1"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  ASSERT_EQ(result["rounds"].size(), 3);
  for (const json& round : result["rounds"]) {
    EXPECT_EQ(round["operations"], 5000);
    EXPECT_GT(round["create_time"].get<double>(), 0);
    EXPECT_GT(round["wake_time"].get<double>(), 0);
    EXPECT_GT(round["bytes_per_fiber"].get<double>(), 4096);  // a page of stack at least
  }
  EXPECT_EQ(result["summary"]["bytes_per_fiber"]["unit"], "B");
  EXPECT_EQ(result["summary"]["wake_time"]["better"], "lower");
}

TEST(Million, ReportsItsOwnMetricsInTheTable) {
  const Finished run = Million("fibers=2000");
  ASSERT_EQ(run.code, 0) << run.error;
  for (const char* label : {"\n  create time ", "\n  wake time ", "\n  bytes per fiber "}) {
    EXPECT_NE(run.out.find(label), std::string::npos) << label << run.out;
  }
}

TEST(Million, SuspendsItsFibersAlsoWhereTheyKeepTheSchedulerBusy) {
  const Finished run = Schedbench({"run", "--config", "fast.json", "--set", "wait_idle=fibers",
                                   "--workload", "million:fibers=1000", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.error;
}

TEST(Million, IsMeasuredOnceUnlessTheUserSaysOtherwise) {
  const json result = json::parse(Million("fibers=100", {"-f", "json"}).out);
  EXPECT_EQ(result["rounds"].size(), 1);
  EXPECT_EQ(result["warmup"], 0);
}

TEST(Million, RefusesMoreFibersThanFitIntoMemoryAndSaysHowManyDo) {
  const Finished run = Million("fibers=4000000000");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.error.find("4000000000 suspended fibers need about "), std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("the most that fit: million:fibers="), std::string::npos) << run.error;
}

TEST(Million, EndsWithALimitOfTheMachineWhereThereAreNoMoreGuardPages) {
  constexpr std::size_t kFibers = 300000;
  const Finished run =
      Million("fibers=" + std::to_string(kFibers), {"--set", "stacks.guard=mprotect"});
  // Two a stack. Hosts that were set up for it have a limit of millions.
  if (platform::MaxMappings() >= 2 * kFibers) {
    EXPECT_EQ(run.code, 0) << run.error;
    return;
  }
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_NE(run.error.find("raise the limit (sysctl vm.max_map_count)"), std::string::npos)
      << run.error;
}

TEST(Million, IsDescribedWithItsMetrics) {
  const std::string out = Schedbench({"describe", "workload", "million"}).out;
  EXPECT_NE(out.find("  bytes_per_fiber (B)  "), std::string::npos) << out;
  EXPECT_NE(Schedbench({"list", "metrics"}).out.find("\n  bytes_per_fiber "), std::string::npos);
  EXPECT_EQ(Schedbench({"describe", "metric", "bytes_per_fiber"}).code, 0);
}

}  // namespace

}  // namespace schedbench::tests::million_test
