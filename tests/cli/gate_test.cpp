#include "tests/cli/process.hpp"
#include "tests/cli/script_agent.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::tests::gate_test {

namespace {

using nlohmann::json;

// Beside `slow`, which says that 200 yields take it a second: thousands of times as long as they
// take fast.
Finished FarApart(const std::vector<std::string>& gates, const std::string& blocks = "9",
                  const std::string& format = "table") {
  const ScratchFolder folder;
  const std::string slow =
      WriteScriptAgent(folder, "slow", {.operations = "200", .wall_ns = "1000000000"});
  std::vector<std::string> arguments{
      "compare", "fast", "--with",   "slow=" + slow, "-w", "yield:fibers=10,yields=20",
      "-b",      blocks, "--metric", "throughput",   "-f", format};
  arguments.insert(arguments.end(), gates.begin(), gates.end());
  return Schedbench(arguments);
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Gate, FailsWithCode1WhereARegressionIsProven) {
  const Finished run = FarApart({"--fail-if", "throughput<-50%"});
  EXPECT_EQ(run.code, 1) << run.out << run.error;
  EXPECT_TRUE(Has(run.out, "fail if throughput<-50%  failed   1 of 1  slow   -")) << run.out;
}

TEST(Gate, FailsWithCode1WhereTheContraryOfARequirementIsProven) {
  EXPECT_EQ(
      FarApart({"--require", "throughput>=-99.999999%", "--require", "throughput>=-50%"}).code, 1);
}

TEST(Gate, PassesWithCode0) {
  const Finished run = FarApart({"--require", "throughput>=-99.999999%", "--fail-if",
                                 "throughput > +10%", "--require", "throughput<0%"},
                                "9", "json");
  EXPECT_EQ(run.code, 0) << run.out << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["verdict"], "passed");
  ASSERT_EQ(result["gates"].size(), 3U);
  EXPECT_EQ(result["gates"][0]["kind"], "fail-if");
  EXPECT_EQ(result["gates"][0]["gate"], "throughput > +10%");
  EXPECT_EQ(result["gates"][1]["kind"], "require");
  EXPECT_EQ(result["gates"][1]["metric"], "throughput");
  ASSERT_EQ(result["gates"][1]["rows"].size(), 1U);
  EXPECT_EQ(result["gates"][1]["rows"][0]["outcome"], "passed");
  EXPECT_EQ(result["gates"][1]["rows"][0]["alternative"], "slow");
  EXPECT_EQ(result["gates"][1]["rows"][0]["worst"], true);
  EXPECT_LT(result["gates"][1]["rows"][0]["ratio"]["high"].get<double>(), 0.5);
}

TEST(Gate, RequirementWithoutAnIntervalIsInconclusiveWithCode3) {
  const Finished run = FarApart({"--require", "throughput>=-50%"}, "2");
  EXPECT_EQ(run.code, 3) << run.out << run.error;
  EXPECT_TRUE(Has(run.out, "inconclusive  1 of 1  slow   2 blocks, an interval needs 6"))
      << run.out;
  const Finished proof = FarApart({"--fail-if", "throughput<-50%"}, "2", "json");
  EXPECT_EQ(proof.code, 0) << proof.error;
  EXPECT_EQ(json::parse(proof.out)["verdict"], "inconclusive");
  EXPECT_EQ(FarApart({}, "2", "json").code, 0);
}

TEST(Gate, WhatDidNotFinishKeepsItsOwnCode) {
  const Finished run =
      Execute({HANG_TOOL, "compare", "fast", "never_idle", "global_fifo", "-w", "harmless", "-b",
               "2", "-n", "1", "--timeout", "3s", "-f", "json", "--require", "throughput>=-99%"});
  EXPECT_EQ(run.code, 4) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["verdict"], "inconclusive");
  EXPECT_EQ(result["gates"][0]["rows"][0]["reason"], "DNF");
}

TEST(Gate, SaysWhatIsWrongWithIt) {
  const Finished run = Schedbench(
      {"compare", "fast", "global_fifo", "--metric", "throughput", "--fail-if", "throughput",
       "--fail-if", "throughput<-3", "--fail-if", "throughput<3%", "--fail-if", "troughput<-3%",
       "--require", "throughput>=-100%", "--require", "wakeup_p99<=+10%", "--require", "<-1%"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  for (const std::string part :
       {"error: 7 problems\n",
        // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one string on three lines
        "--fail-if throughput          'throughput' is not a metric, one of < <= > >=, and a "
        "change, such as "
        "--fail-if 'throughput<-3%'\n",
        "'-3' is not a change: a percentage above -100% with a sign, such as -3%, +10% or 0%",
        "'3%' is not a change",
        "this comparison has no metric 'troughput'; did you mean 'throughput'?",
        "'-100%' is not a change", "such as -3%, +10% or 0%    --require 'throughput>=-3%'",
        "--metric leaves out this metric    add --metric wakeup_p99", "'<-1%' is not a metric"}) {
    EXPECT_TRUE(Has(run.error, part)) << part << "\n" << run.error;
  }
}

}  // namespace

}  // namespace schedbench::tests::gate_test
