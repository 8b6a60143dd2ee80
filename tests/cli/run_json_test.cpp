#include "metrics/metric_list.hpp"
#include "platform/memory/memory.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/stress.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::tests::run_json_test {

namespace {

using nlohmann::ordered_json;

// Runs and returns the parsed stdout: a parser that takes all of it proves that nothing else was
// there.
ordered_json ResultOf(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"run", "--format", "json"});
  const Finished run = Schedbench(std::move(flags));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  return ordered_json::parse(run.out);
}

const ordered_json& SmallRun() {
  static const ordered_json result =
      ResultOf({"-c", "fast.json", "--set", "workers=2", "-w", "pingpong:pairs=4,rounds=200", "-n",
                "6", "--seed", "7"});
  return result;
}

TEST(RunJson, ReportsWhatDisturbedTheRunOnPurpose) {
  const Finished run =
      Schedbench({"run", "-w", "yield:fibers=2,yields=3", "-n", "1", "--hog", "1", "--timerslack",
                  "1000", "--pin", "--stall", "5%,100", "--format", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(nlohmann::json::parse(run.out)["perturbed"],
            "1 hog, timer slack 1000 ns, pinned workers, workers stopped 5 % of the time for 100 "
            "us each");
}

TEST(RunJson, HasThePromisedKeysInTheirOrder) {
  const std::vector<std::string> promised{
      "schema_version", "kind", "complete", "scheduler", "config", "effective_config",
      "workload",       "seed", "rounds",   "summary",   "workers"};
  std::vector<std::string> keys;
  for (const auto& [key, value] : SmallRun().items()) {
    keys.push_back(key);
  }
  ASSERT_GE(keys.size(), promised.size());
  keys.resize(promised.size());
  EXPECT_EQ(keys, promised);
}

TEST(RunJson, RecordsWhatWasRun) {
  const ordered_json& result = SmallRun();
  EXPECT_EQ(result["schema_version"], 4);
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["failure"], nullptr);
  EXPECT_EQ(result["scheduler"], "fast");
  EXPECT_EQ(result["seed"], 7);
  EXPECT_EQ(result["warmup"], 3);
  EXPECT_EQ(result["workload"]["name"], "pingpong");
  EXPECT_EQ(result["workload"]["operation"], "round trip");
  EXPECT_EQ(result["workload"]["parameters"],
            ordered_json({{"pairs", 4}, {"rounds", 200}, {"capacity", 0}, {"hint", "none"}}));
  EXPECT_EQ(result["command"][0], "schedbench");
  EXPECT_EQ(result["command"].back(), "7");
}

TEST(RunJson, RecordsTheEffectiveConfigWithAllDefaults) {
  const ordered_json config =
      ResultOf({"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "1"})["config"];
  EXPECT_EQ(config["lifo_limit"], 3);
  EXPECT_GE(config["stacks"]["bytes"].get<double>(), 65536) << "more under a sanitizer";
  EXPECT_GE(config["workers"].get<double>(), 1)
      << "0 stands for the number of CPUs, which is recorded";
}

TEST(RunJson, AppliesSetOverConfig) {
  const ordered_json config =
      ResultOf({"-c", "fast.json", "--set", "lifo_limit=1", "--set", "stacks.guard=none", "--set",
                "lifo_limit=9", "-w", "yield:fibers=1,yields=1", "-n", "1"})["config"];
  EXPECT_EQ(config["lifo_limit"], 9);
  EXPECT_EQ(config["stacks"]["guard"], "none");
}

TEST(RunJson, LaterConfigWins) {
  const ScratchFolder folder;
  folder.Write("more.json", R"({"scheduler": "fast", "lifo_limit": 8})");
  folder.Write("most.json", R"({"scheduler": "fast", "lifo_limit": 9, "steal_batch": 1})");
  const Finished run = Schedbench({"run", "-c", "most.json", "-c", "more.json", "-w",
                                   "yield:fibers=1,yields=1", "-n", "1", "-f", "json"},
                                  {.folder = folder.Path(), .environment = {}});
  const ordered_json config = ordered_json::parse(run.out)["config"];
  EXPECT_EQ(config["lifo_limit"], 8);
  EXPECT_EQ(config["steal_batch"], 1);
}

TEST(RunJson, DrawsAnotherSeedEachTimeAndRecordsIt) {
  const auto seed = [] {
    return ResultOf({"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "1"})["seed"];
  };
  const ordered_json first = seed();
  EXPECT_TRUE(first.is_number_unsigned());
  EXPECT_TRUE(first != seed() || first != seed()) << "three equal seeds: 1 in 2^64";
}

TEST(RunJson, KeepsSeedsOf64BitsExactly) {
  EXPECT_EQ(ResultOf({"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "1", "--seed",
                      "18446744073709551615"})["seed"],
            UINT64_MAX);
}

TEST(RunJson, HasOneObjectPerMeasuredRound) {
  const ordered_json& rounds = SmallRun()["rounds"];
  ASSERT_EQ(rounds.size(), 6);
  for (const ordered_json& round : rounds) {
    EXPECT_GT(round["wall_ns"].get<double>(), 0);
    EXPECT_TRUE(round["cpu_ns"].is_number_unsigned());
    EXPECT_EQ(round["operations"], 4 * 200);
    const double expected = 1e9 * 800 / round["wall_ns"].get<double>();
    EXPECT_NEAR(round["throughput"].get<double>(), expected, expected * 1e-9);
    EXPECT_GE(round["idle_share"].get<double>(), 0);
    EXPECT_LE(round["idle_share"].get<double>(), 1);
  }
}

TEST(RunJson, SummaryHasMedianIntervalUnitAndDirectionOfEachMetric) {
  const ordered_json& summary = SmallRun()["summary"];
  for (const char* name :
       {"throughput", "cpu_per_operation", "cpus_used", "idle_share", "wakeup_p50", "wakeup_p90",
        "wakeup_p99", "wakeup_p99_9", "wakeup_max"}) {
    ASSERT_TRUE(summary.contains(name)) << name;
    const ordered_json& row = summary[name];
    EXPECT_TRUE(row["unit"].is_string());
    EXPECT_TRUE(row["better"] == "higher" || row["better"] == "lower" || row["better"] == "none")
        << row;
    if (row["median"].is_null()) {
      EXPECT_FALSE(row["reason"].get<std::string>().empty());
    } else {
      EXPECT_LE(row["low"].get<double>(), row["median"].get<double>());
      EXPECT_LE(row["median"].get<double>(), row["high"].get<double>());
      EXPECT_EQ(row["interval"], "95%");
    }
  }
  EXPECT_EQ(summary["throughput"]["better"], "higher");
  EXPECT_EQ(summary["throughput"]["unit"], "ops/s");
}

TEST(RunJson, FewerThanSixRoundsHaveARangeAndNoInterval) {
  const ordered_json result =
      ResultOf({"-s", "fast", "-w", "yield:fibers=10,yields=10", "-n", "5"});
  EXPECT_EQ(result["summary"]["throughput"]["interval"], "range");
}

TEST(RunJson, PercentileOfTooFewSamplesIsNullWithAReason) {
  const ordered_json result =
      ResultOf({"-s", "global_fifo", "-w", "yield:fibers=1,yields=1", "-n", "6"});
  const ordered_json& row = result["summary"]["wakeup_p99_9"];
  EXPECT_TRUE(row["median"].is_null());
  EXPECT_TRUE(row["low"].is_null());
  EXPECT_TRUE(row["high"].is_null());
  EXPECT_NE(row["reason"].get<std::string>().find("this percentile needs 2995"), std::string::npos)
      << row;
  EXPECT_TRUE(result["rounds"][0]["wakeup_p99_9"].is_null());
}

TEST(RunJson, HasOneObjectPerWorkerWithEveryMetricTasksRunFirst) {
  const ordered_json& workers = SmallRun()["workers"];
  ASSERT_EQ(workers.size(), 2);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : workers[i].items()) {
      keys.push_back(key);
      EXPECT_TRUE(value.is_number_unsigned()) << key;
    }
    std::vector<std::string> expected{"worker"};
    for (const metrics::MetricInfo& metric : metrics::WorkerMetricList()) {
      expected.emplace_back(metric.name);
    }
    EXPECT_EQ(keys, expected);
    EXPECT_EQ(keys[1], "tasks_run");
    EXPECT_EQ(workers[i]["worker"], i);
  }
}

std::uint64_t SumOf(const ordered_json& workers, const char* metric) {
  std::uint64_t sum = 0;
  for (const ordered_json& worker : workers) {
    sum += worker[metric].get<std::uint64_t>();
  }
  return sum;
}

TEST(RunJson, TasksAddUp) {
  for (const std::string scheduler : {"fast", "global_fifo"}) {
    for (const std::string workload :
         {"pingpong:pairs=8,rounds=50", "yield:fibers=20,yields=30", "spawn_join:tasks=500",
          "yield:fibers=20,yields=30,front_end=task",
          "yield:fibers=20,yields=30,front_end=coroutine", "spawn_join:tasks=500,front_end=task",
          "spawn_join:tasks=500,front_end=coroutine", "spawn_join:tasks=500,front_end=future",
          "pingpong:pairs=2,rounds=50,hint=next"}) {
      const ordered_json result =
          ResultOf({"-s", scheduler, "--set", "workers=2", "-w", workload, "-n", "3"});
      const ordered_json& workers = result["workers"];
      const std::uint64_t run = SumOf(workers, "tasks_run");
      const std::string what = fmt::format("{} {}", scheduler, workload);
      EXPECT_GT(run, 0) << what;
      EXPECT_EQ(run, SumOf(workers, "tasks_submitted") +
                         result["external_submissions"].get<std::uint64_t>())
          << what;
      EXPECT_EQ(run, SumOf(workers, "from_lifo") + SumOf(workers, "from_local") +
                         SumOf(workers, "from_global") + SumOf(workers, "from_stolen") +
                         SumOf(workers, "from_self"))
          << what;
      EXPECT_EQ(run, result["total"]["tasks_run"]) << what;
      EXPECT_GE(result["imbalance"].get<double>(), 1.0) << what;
    }
  }
}

TEST(RunJson, CountsTheMeasuredRoundsAndNotTheWarmUp) {
  for (const std::string scheduler : {"fast", "global_fifo"}) {
    const ordered_json result = ResultOf(
        {"-s", scheduler, "-w", "spawn_join:from=outside,tasks=1000", "-n", "3", "--warmup", "5"});
    EXPECT_EQ(SumOf(result["workers"], "tasks_run"), 3000) << scheduler;
    EXPECT_EQ(result["external_submissions"], 3000) << scheduler;
    EXPECT_EQ(result["rounds"].size(), 3) << scheduler;
  }
}

TEST(RunJson, RecordsMachineAndBuild) {
  const ordered_json& machine = SmallRun()["machine"];
  EXPECT_FALSE(machine["cpu_model"].get<std::string>().empty());
  EXPECT_GE(machine["cpus_allowed"].get<double>(), 1);
  EXPECT_TRUE(machine["kernel"].get<std::string>().starts_with("Linux "));
  EXPECT_TRUE(machine["virtualised"].is_boolean());
  EXPECT_EQ(machine["load_average"].size(), 3);
  EXPECT_GT(machine["memory_bytes"].get<double>(), 0);
  EXPECT_FALSE(machine.contains("hostname"));
  const ordered_json& build = SmallRun()["build"];
  for (const char* key :
       {"version", "revision", "compiler", "build_type", "flags", "sanitizer", "allocator"}) {
    EXPECT_FALSE(build[key].get<std::string>().empty()) << key;
  }
  EXPECT_TRUE(build["modified"].is_boolean());
  EXPECT_GT(SmallRun()["peak_rss_bytes"].get<double>(), 100'000);
}

// The difference of two runs is the memory of the workers, without that of the tool.
TEST(ManyWorkers, NeedAtMost150KilobytesEach) {
  const auto peak_of = [](int workers) -> double {
    const Finished run = Schedbench({"run", "-s", "fast", "--workers", std::to_string(workers),
                                     "-w", "spawn_join:tasks=1", "-n", "1", "-f", "json"});
    EXPECT_EQ(run.code, 0) << run.error;
    return run.code == 0 ? ordered_json::parse(run.out)["peak_rss_bytes"].get<double>() : 1e12;
  };
  const double pages = static_cast<double>(platform::kPageBytes) / 4096;
  EXPECT_LT((peak_of(1002) - peak_of(2)) / 1000, PlainOrSanitized(150e3, 2e6) * pages);
}

TEST(RunJson, IsValidUtf8WhateverTheCommandLine) {
  const ScratchFolder folder;
  folder.Write("\xff.json", R"({"scheduler": "fast"})");
  const Finished run = Schedbench(
      {"run", "-c", "\xff.json", "-w", "yield:fibers=1,yields=1", "-n", "1", "-f", "json"},
      {.folder = folder.Path(), .environment = {}});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(ordered_json::parse(run.out)["command"][3], "\xEF\xBF\xBD.json");
}

}  // namespace

}  // namespace schedbench::tests::run_json_test
