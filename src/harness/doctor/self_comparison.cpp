#include "harness/doctor/self_comparison.hpp"

#include "base/assert.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::harness {

namespace {

constexpr double kCoarse = 0.05;  // most changes to a scheduler have effects below it
constexpr const char* kTopic = "A/A";

// The judgement needs a band; its verdict is not used here.
constexpr double kAnyEffect = 0.02;

}  // namespace

SelfComparison Conclude(const ComparisonPlan& plan, const ExperimentData& data) {
  SelfComparison self{.scheduler = plan.alternatives.front().scheduler,
                      .workload = plan.workloads.front().name};
  const Comparison comparison = Analyse(plan, data, {.of_all = kAnyEffect});
  const auto row = std::ranges::find_if(comparison.rows, [](const ComparedRow& one) {
    return one.alternative == 1 && one.metric->name == "throughput";
  });
  SB_ASSERT(row != comparison.rows.end(), "the plan compares no throughput");
  const std::vector<Series>& both = data.series.front();
  self.blocks = std::min(both[0].blocks.size(), both[1].blocks.size());
  self.ratio = row->ratio;
  self.level = comparison.level;
  self.dependent = row->dependent;
  self.missing = row->missing;
  for (const Series& series : both) {
    self.missing = series.failure.empty() ? self.missing : series.failure;
  }
  return self;
}

double Resolution(const stats::RatioEstimate& ratio) {
  return std::max(ratio.high, 1 / ratio.low) - 1;
}

Finding Judge(const SelfComparison& self) {
  if (!self.ratio) {
    return Concern(Severity::kFail, kTopic,
                   fmt::format("{} against itself: {}", self.scheduler, self.missing),
                   fmt::format("schedbench compare --workload {} {} {}", self.workload,
                               self.scheduler, self.scheduler));
  }
  const stats::RatioEstimate& ratio = *self.ratio;
  const std::string found =
      fmt::format("{} blocks of {} against itself: {:.3f} to {:.3f} times as fast ({:.0f} %)",
                  self.blocks, self.scheduler, ratio.low, ratio.high, 100 * self.level);
  const double resolution = Resolution(ratio);
  const std::string limit =
      fmt::format("; differences under {:.1f} % cannot be resolved here", 100 * resolution);
  if (ratio.low > 1 || ratio.high < 1) {
    return Concern(Severity::kFail, kTopic,
                   found + fmt::format(", without 1: something favours one of two equals, or "
                                       "chance, which does so 1 time in {:.0f}",
                                       1 / (1 - self.level)),
                   fmt::format("schedbench doctor --blocks {}", 2 * self.blocks));
  }
  const std::string dependence = self.dependent ? " (the speed drifts from block to block)" : "";
  if (resolution > kCoarse) {
    return Concern(Severity::kWarn, kTopic, found + limit + dependence,
                   fmt::format("schedbench doctor --blocks {}", 4 * self.blocks));
  }
  return Ok(kTopic, found + limit + dependence);
}

}  // namespace schedbench::harness
