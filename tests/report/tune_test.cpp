#include "report/format.hpp"
#include "report/tune/tune_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report::tune_test {

namespace {

const registry::WorkloadEntry kSearched{
    .name = "searched", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};
const registry::WorkloadEntry kHeldOut{
    .name = "held_out", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Rounds that take so many nanoseconds.
harness::Series SeriesOf(std::vector<std::uint64_t> wall_ns) {
  harness::Series series;
  for (const std::uint64_t ns : wall_ns) {
    series.blocks.push_back({{.wall_ns = ns, .cpu_ns = ns, .operations = 1000}});
  }
  return series;
}

harness::Series Steady(std::uint64_t ns, std::size_t blocks) {
  return SeriesOf(std::vector<std::uint64_t>(blocks, ns));
}

// A default of 1000 ns and a candidate of 500 ns; `held_out`: of the candidate there.
TuneResult ResultOf(std::uint64_t held_out) {
  TuneResult result;
  result.plan.fields = {
      {.path = "x", .values = {"1", "2", "3"}, .default_value = 0, .is_ordered = true}};
  for (std::size_t value = 0; value < 3; ++value) {
    harness::TuneCandidate candidate{
        .place = {value}, .alternative = {.name = "pool", .command = {}, .scheduler = "pool"}};
    if (value > 0) {
      candidate.changes = {"x=" + result.plan.fields[0].values[value]};
    }
    candidate.command = {"schedbench", "run"};
    result.plan.candidates.push_back(std::move(candidate));
  }
  result.plan.is_full_grid = true;
  result.plan.objectives = {harness::Objective::kThroughput};
  result.plan.workloads = {{.entry = &kSearched, .name = "searched"},
                           {.entry = &kHeldOut, .name = "held_out:n=2"}};
  result.plan.searched = 1;
  result.data.search = {{Steady(1000, 3)}, {Steady(500, 3)}, {Steady(800, 3)}};
  result.data.rungs = {{.blocks = 3, .candidates = {1, 2}, .kept = {1, 2}}};
  result.data.winners = {1};
  result.data.runner_up = 2;
  result.data.comparison = {{Steady(1000, 20), Steady(1000, 20)},
                            {Steady(500, 20), Steady(held_out, 20)},
                            {Steady(500, 20), Steady(1000, 20)}};
  result.data.complete = true;
  result.decision = harness::Decide(result.plan, result.data);
  result.importance = harness::ImportanceOf(result.plan, result.data);
  result.command = {"schedbench", "tune"};
  return result;
}

TEST(TuneReport, NamesTheAnswerItsEvidenceAndItsLimits) {
  const std::string text = TerminalText(DocumentOf(ResultOf(1000), {}), {});
  EXPECT_TRUE(Has(text,
                  "\nBetter than the default: x=2\n"
                  "  may be as good: the runner-up, x=3, by throughput\n"
                  "  its command:    schedbench run --workload searched --seed 0\n"))
      << text;
  EXPECT_TRUE(Has(text, "the winner  the default    searched                 2 (2 to 2)  better\n"))
      << text;
  EXPECT_TRUE(Has(text, "held_out:n=2 (held out)  1 (1 to 1)  same\n")) << text;
}

TEST(TuneReport, NamesAHeldOutLossNextToTheGain) {
  const TuneResult result = ResultOf(2000);
  const std::string text = TerminalText(DocumentOf(result, {}), {});
  EXPECT_TRUE(Has(text,
                  "\nBetter than the default on the searched workloads, but not on all: x=2\n"
                  "  worse: throughput of held_out:n=2 (held out), ratio 0.5 (0.5 to 0.5)\n"))
      << text;
  const auto evidence = TuneEvidence(result);
  EXPECT_EQ(evidence["ratios"][1]["verdict"], "worse");
  EXPECT_EQ(nlohmann::json::parse(RenderJson(result))["answer"], "conditional");
}

TEST(TuneReport, HasARowForEachRatioAndCandidateInCsv) {
  const std::string csv = CsvText(DocumentOf(ResultOf(1000), {}));
  EXPECT_TRUE(
      Has(csv,
          "row,candidate,against,objective,scope,workload,ratio,ratio_low,ratio_high,blocks,"
          "verdict,reason\ncomparison,x=2,the default,throughput,searched,,2"))
      << csv;
  EXPECT_TRUE(Has(csv, "\ncomparison,x=2,x=3,throughput,searched,,1,1,1,20,same,\n")) << csv;
  EXPECT_TRUE(Has(csv, "\nsearch,x=3,the default,throughput,searched,,1.2")) << csv;
}

TEST(TuneReport, HasNoAnswerForADefaultWithoutAValue) {
  TuneResult result = ResultOf(1000);
  result.data.winners.clear();
  result.data.comparison.clear();
  result.data.unusable_default = "searched: too few samples for wakeup_p99";
  result.decision = harness::Decide(result.plan, result.data);
  const std::string text = TerminalText(DocumentOf(result, {}), {});
  EXPECT_TRUE(Has(text,
                  "\nNo answer\n  the default has no value: searched: too few samples for "
                  "wakeup_p99\n    a larger workload, or another --objective\n"))
      << text;
}

}  // namespace

}  // namespace schedbench::report::tune_test
