// The open loop and the search for its largest rate, by the tool. Nothing below depends on how fast
// the machine is: limits are such that every latency is below them, or none.
#include "tests/cli/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests::open_loop_test {

namespace {

using nlohmann::ordered_json;

// 50 requests in half a millisecond: too few to be saturated.
const std::string kSmall = "open_loop:requests=50,rate=100000,service_ns=0";

std::vector<std::string> SearchOf(const std::string& workload, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"run", "-c", "fast.json", "--workers", "1", "-w", workload, "-n",
                               "1", "--warmup", "0"});
  return flags;
}

ordered_json ResultOf(const std::string& slo) {
  const Finished run = Schedbench(SearchOf(kSmall, {"--slo", slo, "-q", "-f", "json"}));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "") << "-q";
  return ordered_json::parse(run.out);
}

void ExpectRefused(const std::string& workload, const std::string& slo,
                   const std::string& message) {
  const Finished run = Schedbench(SearchOf(workload, {"--slo", slo}));
  EXPECT_EQ(run.code, 2) << slo;
  EXPECT_EQ(run.out, "") << slo;
  EXPECT_EQ(run.error, "error: " + message + "\n") << slo;
}

TEST(OpenLoop, LeavesOutMetricsThatItsRequestsAreTooFewForAndSaysWhy) {
  const Finished run = Schedbench(SearchOf(kSmall, {"-f", "json"}));
  ASSERT_EQ(run.code, 0) << run.error;
  const auto summary = ordered_json::parse(run.out)["summary"];
  EXPECT_GT(summary["latency_mean"]["median"].get<double>(), 0.0);
  EXPECT_GT(summary["latency_p50"]["median"].get<double>(), 0.0);
  for (const char* metric :
       {"latency_p99", "latency_p99_9", "uncorrected_p99_9", "backlog_growth"}) {
    EXPECT_EQ(summary[metric]["median"], nullptr) << metric;
  }
  EXPECT_EQ(summary["latency_p99_9"]["reason"],
            "too few requests in 1 of 1 rounds: 50 in the smallest, this metric needs 2995");
}

TEST(OpenLoop, SameSeedOffersTheSameOnEveryScheduler) {
  std::vector<double> offered;
  for (const char* scheduler : {"fast", "global_fifo", "thread_per_task"}) {
    const Finished run =
        Schedbench({"run", "-s", scheduler, "-w", kSmall, "-n", "3", "--seed", "7", "-f", "json"});
    ASSERT_EQ(run.code, 0) << run.error;
    offered.push_back(ordered_json::parse(run.out)["summary"]["offered"]["median"]);
  }
  EXPECT_GT(offered[0], 0);
  EXPECT_EQ(offered[0], offered[1]);
  EXPECT_EQ(offered[0], offered[2]);
}

TEST(Slo, ReportsWhatDisturbedItOnPurpose) {
  const Finished run = Schedbench(
      SearchOf(kSmall, {"--slo", "mean<60s", "--timerslack", "1000", "-q", "-f", "json"}));
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(ordered_json::parse(run.out)["perturbed"], "timer slack 1000 ns");
}

TEST(Slo, ThatAlwaysHoldsIsReportedToHoldUpToTheHighestRate) {
  const ordered_json result = ResultOf("mean<60s");
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["ending"], "always holds");
  EXPECT_EQ(result["largest_rate"], 1e8);
  EXPECT_EQ(result["smallest_failing_rate"], nullptr);
  EXPECT_EQ(result["probes"].size(), 11U) << "from 100,000 on, doubled each time";
  for (const auto& probe : result["probes"]) {
    EXPECT_EQ(probe["holds"], true);
    EXPECT_EQ(probe["saturated"], false);
    EXPECT_EQ(probe["backlog_growth"], nullptr) << "too few requests";
    EXPECT_EQ(probe["rounds"].size(), 1U);
    EXPECT_GT(probe["summary"]["latency_mean"]["median"].get<double>(), 0.0);
  }
}

TEST(Slo, ThatNeverHoldsIsReportedToFailDownToTheLowestRate) {
  const ordered_json result = ResultOf("p50<1ns");
  EXPECT_EQ(result["ending"], "never holds");
  EXPECT_EQ(result["largest_rate"], nullptr);
  EXPECT_EQ(result["smallest_failing_rate"], 6250);
  std::vector<double> rates;
  for (const auto& probe : result["probes"]) {
    rates.push_back(probe["rate"]);
  }
  EXPECT_EQ(rates, (std::vector<double>{100'000, 50'000, 25'000, 12'500, 6250}));
}

TEST(Slo, LimitsAndRangeAreRecorded) {
  const Finished run =
      Schedbench(SearchOf(kSmall, {"--slo", "mean<1.5ms", "--slo", "p50<1ns", "-q", "-f", "json"}));
  ASSERT_EQ(run.code, 0) << run.error;
  const auto result = ordered_json::parse(run.out);
  EXPECT_EQ(result["limits"], ordered_json::parse(R"([
              {"slo": "mean<1.5ms", "metric": "latency_mean", "below_ns": 1500000.0},
              {"slo": "p50<1ns", "metric": "latency_p50", "below_ns": 1.0}])"));
  EXPECT_EQ(result["ending"], "never holds") << "all limits must hold";
  EXPECT_EQ(result["range"]["first"], 100'000);
  EXPECT_EQ(result["range"]["resolution"], 1.02);
  EXPECT_EQ(result["workload"]["name"], "open_loop");
  EXPECT_EQ(result["rounds_planned"], 1);
}

TEST(Slo, ReportsEachRateOnStderrAndTheAnswerOnStdout) {
  const Finished run = Schedbench(SearchOf(kSmall, {"--slo", "mean<60s"}));
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(std::ranges::count(run.error, '\n'), 11);
  EXPECT_NE(run.error.find("100000 requests/s   mean "), std::string::npos) << run.error;
  EXPECT_NE(run.out.find("every rate holds, up to 100000000 requests/s"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("too few requests to see whether the load was kept"), std::string::npos);

  const Finished never = Schedbench(SearchOf(kSmall, {"--slo", "mean<1ns", "-q"}));
  EXPECT_EQ(never.code, 0);
  EXPECT_EQ(never.error, "");
  EXPECT_NE(never.out.find("no rate holds, down to 6250 requests/s"), std::string::npos);
  EXPECT_NE(never.out.find("try --workload open_loop:rate=1562.5"), std::string::npos);
}

TEST(Slo, TakesFiveRoundsByDefault) {
  const Finished run = Schedbench({"run", "-c", "fast.json", "--workers", "1", "-w", kSmall,
                                   "--slo", "mean<1ns", "-q", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const auto result = ordered_json::parse(run.out);
  EXPECT_EQ(result["rounds_planned"], 5);
  EXPECT_EQ(result["warmup"], 1);
  EXPECT_EQ(result["probes"][0]["rounds"].size(), 5U);
}

TEST(Slo, ThatIsNotALimitOfALatencyIsRefused) {
  ExpectRefused(
      kSmall, "p50",
      "--slo p50   'p50' is not a limit: expected LATENCY<TIME, such as p99<200us or mean<1.5ms");
  ExpectRefused(kSmall, "<200us",
                "--slo <200us   '<200us' is not a limit: expected LATENCY<TIME, such as p99<200us "
                "or mean<1.5ms");
  ExpectRefused(
      kSmall, "",
      "--slo    '' is not a limit: expected LATENCY<TIME, such as p99<200us or mean<1.5ms");
  ExpectRefused(kSmall, "p98<1us", "--slo p98<1us   unknown latency 'p98'; did you mean 'p99'?");
  ExpectRefused(kSmall, "worst<1us",
                "--slo worst<1us   unknown latency 'worst'; expected one of mean, p50, p99, p99.9");
}

TEST(Slo, WithoutATimeAndItsUnitIsRefused) {
  for (const std::string time : {"", "us", "0", "0us", "-1us", "1d", "1 us", "1e999s", "<1us"}) {
    ExpectRefused(kSmall, "mean<" + time,
                  fmt::format("--slo mean<{0}   '{0}' is not a time above 0; write a number and "
                              "ns, us, ms, s, m or h",
                              time));
  }
  ExpectRefused(kSmall, "mean<200",
                "--slo mean<200   '200' has no unit; write 200us, 200ms or 200s");
}

TEST(Slo, OfAPercentileThatNeedsMoreRequestsIsRefused) {
  ExpectRefused(
      kSmall, "p99.9<1s",
      "--slo p99.9<1s   p99.9 needs 2995 requests in a round; there are 50    try --workload "
      "open_loop:requests=2995");
}

TEST(Slo, OfAWorkloadWithoutAnOpenLoadIsRefused) {
  ExpectRefused(
      "yield:fibers=1,yields=1", "p99<1s",
      "--slo   workload yield has no rate; --slo needs an open load; expected one of echo_open, "
      "microservice_dag, open_loop, request_mix");
}

TEST(Slo, InterruptedReportsTheRatesSoFar) {
  // Seconds, most of them after the first rate.
  Process run(SchedbenchCommand(SearchOf("open_loop:requests=20000,rate=100000,service_ns=0",
                                         {"--slo", "mean<1ns", "-f", "json"})));
  ASSERT_TRUE(run.WaitForError("does not hold"));
  run.Signal(SIGINT);
  EXPECT_EQ(run.Finish(), 130);
  const auto result = ordered_json::parse(run.Out());
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["ending"], nullptr);
  EXPECT_EQ(result["failure"], "interrupted");
  EXPECT_GE(result["probes"].size(), 1U);
  EXPECT_NE(run.Error().find("rate finished"), std::string::npos) << run.Error();
}

}  // namespace

}  // namespace schedbench::tests::open_loop_test
