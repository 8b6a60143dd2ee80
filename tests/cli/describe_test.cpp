#include "metrics/metric_list.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace schedbench::tests::describe_test {

namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string Good(const std::vector<std::string>& arguments) {
  const Finished run = Schedbench(arguments);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  return run.out;
}

void ExpectRefused(const std::vector<std::string>& arguments, const std::string& message) {
  const Finished run = Schedbench(arguments);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.error, "error: " + message + "\n");
}

TEST(List, ShowsSchedulersWorkloadsMetricsAndConfigs) {
  EXPECT_TRUE(Has(Good({"list", "schedulers"}), "one queue under one mutex"));
  EXPECT_TRUE(Has(Good({"list", "workloads"}), "\n  spawn_join  "));
  EXPECT_TRUE(Has(Good({"list", "configs"}), "\n  fast.json "));
  const std::string metrics = Good({"list", "metrics"});
  EXPECT_TRUE(Has(metrics, "\n  throughput "));
  for (const metrics::MetricInfo& metric : metrics::WorkerMetricList()) {
    EXPECT_TRUE(Has(metrics, "\n  " + std::string(metric.name) + " ")) << metric.name;
  }
}

TEST(List, ShowsTheOtherNameOfASchedulerAsARowOfItsOwn) {
  const std::string schedulers = Good({"list", "schedulers"});
  EXPECT_TRUE(Has(schedulers, "\n  GlobalFIFO "));
  EXPECT_TRUE(Has(schedulers, " another name of global_fifo\n"));
  EXPECT_TRUE(Has(schedulers, "\n  global_fifo "));
}

TEST(List, WithoutAWordShowsAll) {
  const std::string all = Good({"list"});
  for (const char* part :
       {"schedulers\n", "workloads\n", "metrics\n", "configs\n", "tasks_run", "fast.json"}) {
    EXPECT_TRUE(Has(all, part)) << part;
  }
}

TEST(List, AsJsonHasAnObjectForEachName) {
  const auto all = nlohmann::json::parse(Good({"list", "--format", "json"}));
  EXPECT_EQ(all["kind"], "list");
  for (const char* kind : {"schedulers", "workloads", "metrics", "configs", "suites"}) {
    ASSERT_FALSE(all[kind].empty()) << kind;
    EXPECT_TRUE(all[kind][0]["name"].is_string()) << kind;
  }
  const auto one = nlohmann::json::parse(Good({"list", "suites", "-f", "json"}));
  EXPECT_EQ(one["suites"], all["suites"]);
  EXPECT_FALSE(one.contains("schedulers"));
}

TEST(List, UnknownKindIsRefusedWithTheNearestOne) {
  ExpectRefused({"list", "metric"},
                "list metric   'metric' is not one of schedulers|workloads|metrics|configs|suites; "
                "did you mean 'metrics'?");
}

TEST(Describe, ShowsFieldsWithDefaultsRangesAndMeaning) {
  const std::string text = Good({"describe", "scheduler", "fast"});
  EXPECT_TRUE(text.starts_with("fast — work stealing")) << text;
  EXPECT_TRUE(Has(text, "\n  lifo_limit            3           0..1000000  ")) << text;
  EXPECT_TRUE(Has(text, "\n  stacks.bytes  ")) << text;
}

TEST(Describe, FindsASchedulerByItsOtherNameAndSaysBoth) {
  const std::string text = Good({"describe", "scheduler", "GlobalFIFO"});
  EXPECT_EQ(text, Good({"describe", "scheduler", "global_fifo"}));
  EXPECT_TRUE(text.starts_with("global_fifo — ")) << text;
  EXPECT_TRUE(Has(text, "\nanother name of it: GlobalFIFO\n")) << text;
  EXPECT_TRUE(Has(text, "{\"scheduler\": \"global_fifo\", ...}")) << text;
  for (const std::string form : {"--markdown", "--schema"}) {
    EXPECT_EQ(Good({"describe", "scheduler", "GlobalFIFO", form}),
              Good({"describe", "scheduler", "global_fifo", form}));
  }
  EXPECT_FALSE(Has(Good({"describe", "scheduler", "fast"}), "another name"));
}

TEST(Describe, ShowsAWorkloadsParametersAndItsOperation) {
  const std::string text = Good({"describe", "workload", "pingpong"});
  EXPECT_TRUE(Has(text, "one operation is one round trip\n")) << text;
  EXPECT_TRUE(Has(text, "\n  hint ")) << text;
}

TEST(Describe, ShowsMetricsOfRoundsAndOfWorkers) {
  EXPECT_EQ(Good({"describe", "metric", "parks"}),
            "parks — Times that this worker parked because it had no work\n"
            "  unit      ops\n  one per   worker\n  total     the sum over the workers\n");
  EXPECT_TRUE(Has(Good({"describe", "metric", "wakeup_p99"}), "one per   round\n"));
}

TEST(Describe, WritesMarkdown) {
  EXPECT_TRUE(Has(Good({"describe", "scheduler", "fast", "--markdown"}),
                  "| `lifo_limit` | `3` | `0..1000000` | "));
  EXPECT_TRUE(Has(Good({"describe", "workload", "yield", "--markdown"}), "| `fibers` | `1000` | "));
  EXPECT_TRUE(
      Has(Good({"describe", "metric", "parks", "--markdown"}), "| `parks` | ops | worker | "));
}

TEST(Describe, WritesAJsonSchemaOfASchedulersConfig) {
  const auto schema = nlohmann::json::parse(Good({"describe", "scheduler", "fast", "--schema"}));
  EXPECT_EQ(schema["properties"]["scheduler"]["const"], "fast");
  EXPECT_EQ(schema["properties"]["lifo_limit"]["maximum"], 1000000);
}

TEST(Describe, RefusesWhatItCannotDescribe) {
  ExpectRefused({"describe"},
                "describe needs an argument    usage: schedbench describe [flags] "
                "scheduler|workload|metric|config|suite|runtime NAME");
  ExpectRefused({"describe", "metric"}, "describe metric needs a NAME    schedbench list metrics");
  ExpectRefused({"describe", "metrics", "parks"},
                "describe metrics   'metrics' is not one of "
                "scheduler|workload|metric|config|suite|runtime; did you mean "
                "'metric'?");
  ExpectRefused({"describe", "scheduler", "fats"},
                "unknown scheduler 'fats'; did you mean 'fast'?    schedbench list schedulers");
  ExpectRefused({"describe", "scheduler", "GlobalFifo"},
                "unknown scheduler 'GlobalFifo'; did you mean 'GlobalFIFO'?    schedbench list "
                "schedulers");
  ExpectRefused({"describe", "workload", "yeild"},
                "unknown workload 'yeild'; did you mean 'yield'?    schedbench list workloads");
  ExpectRefused(
      {"describe", "metric", "noop_wake"},
      "unknown metric 'noop_wake'; did you mean 'noop_wakes'?    schedbench list metrics");
  ExpectRefused({"describe", "metric", "parks", "--schema"},
                "--schema   a metric has no schema; only a scheduler has one");
  ExpectRefused({"describe", "config", "fats.json"},
                "unknown config 'fats.json'; did you mean 'fast.json'?    schedbench list configs");
  ExpectRefused(
      {"describe", "suite", "pear"},
      "unknown suite 'pear'; expected one of peers, schedulers, smoke, small, full    schedbench "
      "list suites");
  ExpectRefused({"describe", "suite", "peers", "--markdown"},
                "--markdown   a suite has no Markdown table");
}

TEST(Describe, ShowsTheTextOfAShippedConfigAndItsScheduler) {
  const std::string text = Good({"describe", "config", "fast.json"});
  EXPECT_TRUE(text.starts_with("fast.json — a config for the scheduler fast; ")) << text;
  EXPECT_TRUE(Has(text, "\"scheduler\": \"fast\"")) << text;
  EXPECT_EQ(text, Good({"describe", "config", "fast"}));
}

TEST(Describe, ShowsTheWorkloadsOfASuite) {
  EXPECT_TRUE(Has(Good({"describe", "suite", "peers"}), "\n  skynet:leaves=30000\n"));
}

}  // namespace

}  // namespace schedbench::tests::describe_test
