#include "harness/whatif/whatif.hpp"

#include "harness/whatif/simulator.hpp"
#include "platform/files/file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness::whatif_test {

namespace {

using sim_scaling::Costs;
using sim_scaling::GraphPrediction;
using sim_scaling::GraphRun;

// A model of a program: a million steps, which the workers share, and a wake-up of each worker.
double ModelNs(const Costs& costs, unsigned workers) {
  return 1e6 * (costs.resume.front() + costs.step) / workers + workers * costs.wake_latency;
}

WhatIfSources SourcesOf(const Costs& planted, const std::function<double(unsigned)>& measured) {
  return {
      .calibrate = [planted] { return planted; },
      .simulate =
          [](const Costs& costs, const GraphRun& run) {
            const double ns = ModelNs(costs, run.workers);
            return GraphPrediction{.makespans_ns = {0.99 * ns, ns, 1.01 * ns},
                                   .ready_p99_ns = {{1000, 900, 1100}}};
          },
      .measure = [measured](unsigned workers, const std::string&) -> std::optional<MeasuredCell> {
        if (workers > 2) {
          return std::nullopt;
        }
        const double ready = workers == 1 ? 1000 : 2000;
        return MeasuredCell{.makespan = TimeRange::Of({measured(workers)}),
                            .ready_p99 = TimeRange::Of({ready})};
      }};
}

Costs Planted(double resume, double wake_latency) {
  Costs costs;
  costs.resume.fill(resume);
  costs.wake_latency = wake_latency;
  return costs;
}

TEST(PredictWhatIf, FitsOneWorkerAndIsCheckedWithMore) {
  const WhatIfPlan plan{.graph = "", .workers = {1, 2, 8}, .schedulers = {"fast"}};
  // The program has 30 ns more a step than the probes show.
  const WhatIfResult result = PredictWhatIf(plan, SourcesOf(Planted(20, 0), [](unsigned workers) {
                                              return 50e6 / workers * (workers == 2 ? 1.1 : 1);
                                            }));
  EXPECT_NEAR(result.costs.step, 30, 0.5);
  ASSERT_EQ(result.cells.size(), 3u);
  EXPECT_NEAR(result.cells[0].makespan.median, 50e6, 0.5e6);
  EXPECT_EQ(result.checked_cells, 1u) << "the cell of one worker is fitted, not checked";
  EXPECT_NEAR(result.model_error, 0.1, 0.01);
  EXPECT_FALSE(result.cells[2].measured.has_value()) << "extrapolated";
  EXPECT_NEAR(result.cells[2].makespan.median, 50e6 / 8, 0.1e6);
  EXPECT_LT(result.cells[2].makespan.low, 0.92 * result.cells[2].makespan.median)
      << "the range has the error of the model";
  EXPECT_GE(result.cells[1].makespan.high, result.cells[1].measured->makespan.median);
}

TEST(PredictWhatIf, ComparesReadyTimesWithMeasuredOnesAndWidensTheirRanges) {
  const WhatIfPlan plan{.graph = "", .workers = {1, 2, 8}, .schedulers = {"fast"}};
  const WhatIfResult result = PredictWhatIf(
      plan, SourcesOf(Planted(20, 0), [](unsigned workers) { return 20e6 / workers; }));
  ASSERT_TRUE(result.ready_factor.has_value());
  EXPECT_NEAR(*result.ready_factor, 2, 1e-9) << "half of what two workers took";
  ASSERT_TRUE(result.cells[2].ready_p99.has_value());
  EXPECT_NEAR(result.cells[2].ready_p99->median, 1000, 1e-9);
  EXPECT_NEAR(result.cells[2].ready_p99->low, 450, 1e-9);
  EXPECT_NEAR(result.cells[2].ready_p99->high, 2200, 1e-9);
}

TEST(PredictWhatIf, NamesThePlantedLever) {
  const auto best_of = [](double resume, double wake_latency) {
    const WhatIfPlan plan{
        .graph = "", .workers = {1, 4}, .schedulers = {"fast"}, .lever_workers = 4};
    const Costs planted = Planted(resume, wake_latency);
    return std::string(
        PredictWhatIf(
            plan, SourcesOf(planted, [&](unsigned workers) { return ModelNs(planted, workers); }))
            .levers.front()
            .lever->name);
  };
  EXPECT_EQ(best_of(20, 0), "switch");
  EXPECT_EQ(best_of(0, 1000), "park");
}

TEST(PredictWhatIf, PredictsEachCombinationOfWorkersAndSettings) {
  const WhatIfPlan plan{
      .graph = "", .workers = {1, 2}, .schedulers = {"fast", "fast:lifo_limit=0"}};
  const WhatIfResult result = PredictWhatIf(
      plan, SourcesOf(Planted(20, 0), [](unsigned workers) { return 20e6 / workers; }));
  EXPECT_EQ(result.cells.size(), 4u);
  EXPECT_EQ(result.checked_cells, 2u);
}

TEST(Simulator, ReportsHowItsProgramEnded) {
  platform::IgnoreWriteSignals();
  Simulator simulator("/bin/false", [] { return false; });
  try {
    simulator.Calibrate();
    FAIL();
  } catch (const SimulatorError& error) {
    EXPECT_EQ(std::string(error.what()), "the simulator ended with exit code 1: ");
  }
  EXPECT_THROW(Simulator("/no/such/program", [] { return false; }), SimulatorError);
}

TEST(Simulator, RefusesAnAnswerThatIsNone) {
  platform::IgnoreWriteSignals();
  Simulator echo("/bin/cat", [] { return false; });
  EXPECT_THROW(echo.Calibrate(), SimulatorError);
}

}  // namespace

}  // namespace schedbench::harness::whatif_test
