// The tuner with candidates whose speed is made up, so that the right answer is known.
#include "harness/tune/tuner.hpp"

#include "base/random.hpp"
#include "harness/sweep/analysis.hpp"
#include "harness/tune/candidates.hpp"
#include "harness/tune/decision.hpp"
#include "harness/tune/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::harness::tuner_test {

namespace {

constexpr registry::WorkloadEntry WorkloadOf(std::string_view name) {
  return {.name = name, .doc = "", .operation = "task", .schema = nullptr, .make = nullptr};
}
const registry::WorkloadEntry kFirst = WorkloadOf("first");
const registry::WorkloadEntry kSecond = WorkloadOf("second");
const registry::WorkloadEntry kHeldOut = WorkloadOf("held_out");

// What a round of a candidate takes.
struct Cost {
  double ns = 1000;
  double cpu_ns = 1000;
  bool fails = false;
};
using CostOf = std::function<Cost(const TunePlace&, std::string_view workload)>;

Cost Same(const TunePlace& /*place*/, std::string_view /*workload*/) {
  return {};
}

// Fields of ten values each, as a full grid or a sample.
TunePlan PlanOf(std::size_t fields, std::size_t candidates) {
  TunePlan plan;
  for (std::size_t i = 0; i < fields; ++i) {
    TuneField field{.path = "f" + std::to_string(i), .values = {}, .is_ordered = true};
    for (int value = 0; value < 10; ++value) {
      field.values.push_back(std::to_string(value));
    }
    plan.fields.push_back(std::move(field));
  }
  const ChosenPlaces chosen = ChoosePlaces(
      plan.fields, candidates, 1, [](const TunePlace& place) { return std::optional(place); });
  plan.is_full_grid = chosen.is_full_grid;
  for (const TunePlace& place : chosen.places) {
    plan.candidates.push_back(
        {.place = place,
         .alternative = {
             .name = std::to_string(plan.candidates.size()), .command = {}, .scheduler = ""}});
  }
  plan.objectives = {Objective::kThroughput};
  plan.workloads = {{.entry = &kFirst}, {.entry = &kHeldOut}};
  plan.searched = 1;
  plan.seed = 1;
  return plan;
}

// A machine that measures made-up costs. `noise`: the standard deviation of the logarithm of a
// block.
class Machine {
 public:
  Machine(const TunePlan& plan, CostOf cost, double noise, std::uint64_t seed)
      : plan_(plan),
        cost_(std::move(cost)),
        noise_(noise),
        random_(DeriveSeed(seed, 0)) {
  }

  TuneData Tune() {
    return SampleTune(plan_,
                      {.progress = [](const TuneProgress&) {},
                       .cancelled = [this] { return left_ == 0; },
                       .known = known_,
                       .measured = measured_,
                       .measure_block = [this](const BlockPlan& block,
                                               const BlockEvents&) { return Measured(block); }});
  }

  void StopAfter(int samples) {
    left_ = samples;
  }

  void Remember(std::map<std::pair<std::size_t, std::size_t>, Series>& journal) {
    known_ = [&journal](std::size_t cell, std::size_t block, const std::string& /*place*/) {
      const auto found = journal.find({cell, block});
      return found == journal.end() ? std::nullopt : std::optional(found->second);
    };
    measured_ = [&journal](std::size_t cell, std::size_t block, const Series& series) {
      EXPECT_TRUE(journal.emplace(std::pair(cell, block), series).second) << "measured twice";
    };
  }

 private:
  BlockData Measured(const BlockPlan& block) {
    BlockData data;
    if (left_ == 0) {
      data.ending = BlockData::Ending::kCancelled;
      return data;
    }
    left_ -= left_ > 0 ? 1 : 0;
    for (const std::size_t member : block.members) {
      const Cost cost =
          cost_(plan_.candidates[std::stoul(block.group.alternatives[member].name)].place,
                block.group.workload.entry->name);
      Series series;
      if (cost.fails) {
        series.failure = "wrong answer";
      } else {
        const double factor = std::exp(noise_ * std::normal_distribution<double>()(random_));
        series.blocks = {{{.wall_ns = static_cast<std::uint64_t>(1e6 * cost.ns * factor),
                           .cpu_ns = static_cast<std::uint64_t>(1e6 * cost.cpu_ns * factor),
                           .operations = 1'000'000}}};
      }
      data.series.push_back(std::move(series));
    }
    return data;
  }

  const TunePlan& plan_;
  const CostOf cost_;
  const double noise_;
  std::mt19937_64 random_;
  int left_ = -1;  // samples before the interruption; negative: none comes
  decltype(ExperimentEvents::known) known_ = nullptr;
  std::function<void(std::size_t, std::size_t, const Series&)> measured_ = nullptr;
};

TuneData Tuned(const TunePlan& plan, CostOf cost, double noise, std::uint64_t seed = 1) {
  return Machine(plan, std::move(cost), noise, seed).Tune();
}

// A bowl with its bottom at 6 and 3; the default at 0 and 0 takes 2.8 times as long.
Cost Bowl(const TunePlace& place, std::string_view /*workload*/) {
  const double x = static_cast<double>(place[0]) - 6;
  const double y = static_cast<double>(place[1]) - 3;
  return {.ns = 1000 * (1 + (x * x + y * y) / 25)};
}

TEST(Tuner, FindsThePlantedOptimumOfAFullGrid) {
  const TunePlan plan = PlanOf(2, 100);
  ASSERT_TRUE(plan.is_full_grid);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TuneData data = Tuned(plan, Bowl, 0.05, seed);
    ASSERT_EQ(data.winners.size(), 1U);
    EXPECT_LE(Bowl(plan.candidates[data.winners[0]].place, "").ns, 1050) << "seed " << seed;
    const TuneDecision decision = Decide(plan, data);
    EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kBetter});
    EXPECT_EQ(decision.best, 1U);
    EXPECT_NEAR(*decision.ratios.front().point, 2.8, 0.3);
  }
}

TEST(Tuner, FindsTheBestCandidateOfASampleAndWhichFieldsMatter) {
  const TunePlan plan = PlanOf(4, 27);  // the last two fields have no effect
  ASSERT_FALSE(plan.is_full_grid);
  ASSERT_EQ(plan.candidates.size(), 27U);
  double best = 1e9;
  for (const TuneCandidate& candidate : plan.candidates) {
    best = std::min(best, Bowl(candidate.place, "").ns);
  }
  const TuneData data = Tuned(plan, Bowl, 0.01);
  EXPECT_LE(Bowl(plan.candidates[data.winners.at(0)].place, "").ns, 1.05 * best);
  const FieldImportance importance = ImportanceOf(plan, data).front();
  ASSERT_EQ(importance.missing, "");
  ASSERT_EQ(importance.shares.size(), 4U);
  EXPECT_GT(importance.shares[0], 0.3);
  EXPECT_GT(importance.shares[1], 0.1);
  EXPECT_LT(importance.shares[2] + importance.shares[3], 0.1);
  EXPECT_LT(importance.noise, 0.1);
}

TEST(Tuner, OfFieldsWithoutEffectFindsNoBetterSettingIn95PercentOfRuns) {
  const TunePlan plan = PlanOf(2, 9);
  int better = 0;
  constexpr int kRuns = 1000;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const TuneDecision decision = Decide(plan, Tuned(plan, Same, 0.1, seed));
    ASSERT_EQ(decision.outcomes.size(), 1U);
    better += decision.best ? 1 : 0;
  }
  EXPECT_LE(better, kRuns / 20);
}

TEST(Tuner, OfSeveralObjectivesAndWorkloadsKeepsThatRate) {
  TunePlan plan = PlanOf(2, 9);
  plan.objectives = {Objective::kThroughput, Objective::kCpu};
  plan.workloads = {{.entry = &kFirst}, {.entry = &kSecond}, {.entry = &kHeldOut}};
  plan.searched = 2;
  int better = 0;
  constexpr int kRuns = 300;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    better += Decide(plan, Tuned(plan, Same, 0.1, seed)).best ? 1 : 0;
  }
  EXPECT_LE(better, kRuns / 20);
}

TEST(Tuner, ProvesThatNothingIsBetterIfTheNoiseIsLow) {
  const TunePlan plan = PlanOf(1, 9);
  const TuneDecision decision = Decide(plan, Tuned(plan, Same, 0.005));
  EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kNotBetter});
  EXPECT_EQ(decision.answer, TuneAnswer::kNone);
  EXPECT_FALSE(decision.best);
}

TEST(Tuner, OfANoisyObjectiveIsInconclusive) {
  const TunePlan plan = PlanOf(1, 9);
  const TuneData data = Tuned(plan, Same, 0.5);
  const TuneDecision decision = Decide(plan, data);
  EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kInconclusive});
  EXPECT_FALSE(decision.best);
  EXPECT_GT(decision.ratios.front().pairs_to_resolve, plan.blocks);
}

TEST(Tuner, ReportsThatNoiseDominatesTheImportance) {
  const TunePlan plan = PlanOf(2, 27);
  int dominated = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    dominated += ImportanceOf(plan, Tuned(plan, Same, 0.1, seed)).front().noise > kMuchNoise;
  }
  EXPECT_GE(dominated, 14);
}

TEST(Tuner, DropsAndReportsCandidatesThatFail) {
  const TunePlan plan = PlanOf(1, 10);
  const auto cost = [](const TunePlace& place, std::string_view /*workload*/) {
    return Cost{.ns = 1000 - 50.0 * static_cast<double>(place[0]), .fails = place[0] > 7};
  };
  const TuneData data = Tuned(plan, cost, 0.01);
  ASSERT_EQ(data.rungs.front().dropped.size(), 2U);
  EXPECT_EQ(data.rungs.front().dropped.front().reason, "wrong answer");
  EXPECT_EQ(plan.candidates[data.winners.at(0)].place, TunePlace{7});
  EXPECT_EQ(Decide(plan, data).best, 1U);
}

TEST(Tuner, ComparesNothingWithADefaultThatFails) {
  const TunePlan plan = PlanOf(1, 10);
  const auto cost = [](const TunePlace& place, std::string_view /*workload*/) {
    return Cost{.fails = place[0] == 0};
  };
  const TuneData data = Tuned(plan, cost, 0.01);
  EXPECT_TRUE(data.winners.empty());
  EXPECT_TRUE(data.comparison.empty());
  EXPECT_FALSE(Decide(plan, data).best);
}

TEST(Tuner, OfAWinnerThatFailsUnderAHeldOutWorkloadFindsNothing) {
  const TunePlan plan = PlanOf(1, 10);
  const auto cost = [](const TunePlace& place, std::string_view workload) {
    return Cost{.ns = 1000 - 50.0 * static_cast<double>(place[0]),
                .fails = place[0] == 9 && workload == "held_out"};
  };
  const TuneDecision decision = Decide(plan, Tuned(plan, cost, 0.01));
  EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kFailed});
  EXPECT_FALSE(decision.best);
}

TEST(Tuner, MakesALossUnderAHeldOutWorkloadAConditionOfItsAnswer) {
  const TunePlan plan = PlanOf(1, 10);
  const auto cost = [](const TunePlace& place, std::string_view workload) {
    const double change = 50.0 * static_cast<double>(place[0]);
    return Cost{.ns = workload == "held_out" ? 1000 + change : 1000 - change};
  };
  const TuneDecision decision = Decide(plan, Tuned(plan, cost, 0.01));
  EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kConditional});
  EXPECT_EQ(decision.answer, TuneAnswer::kConditional);
  EXPECT_EQ(decision.best, 1U);
}

TEST(Tuner, ComparesAFrontOfSeveralObjectivesAndCallsItATradeOff) {
  TunePlan plan = PlanOf(1, 10);
  plan.objectives = {Objective::kThroughput, Objective::kCpu};
  const auto cost = [](const TunePlace& place, std::string_view /*workload*/) {
    const double change = 50.0 * static_cast<double>(place[0]);
    return Cost{.ns = 1000 - change, .cpu_ns = 1000 + change};
  };
  const TuneData data = Tuned(plan, cost, 0.005);
  EXPECT_EQ(data.winners.size(), kMostWinners);
  const TuneDecision decision = Decide(plan, data);
  for (const TuneOutcome outcome : decision.outcomes) {
    EXPECT_EQ(outcome, TuneOutcome::kTradeOff);
  }
  EXPECT_FALSE(decision.best);
}

TEST(Tuner, ContinuesAfterAnInterruptionAsIfThereHadBeenNone) {
  const TunePlan plan = PlanOf(1, 10);
  // Without noise, so that the order of measuring does not matter.
  const auto cost = [](const TunePlace& place, std::string_view /*workload*/) {
    return Cost{.ns = 1000 - 50.0 * static_cast<double>(place[0])};
  };
  const TuneData whole = Tuned(plan, cost, 0);
  std::map<std::pair<std::size_t, std::size_t>, Series> journal;
  for (const int samples : {1, 20, 40, 60, 90}) {  // in each rung and in the comparison
    Machine interrupted(plan, cost, 0, 1);
    interrupted.StopAfter(samples);
    interrupted.Remember(journal);
    EXPECT_FALSE(interrupted.Tune().complete);
    Machine again(plan, cost, 0, 1);
    again.Remember(journal);
    const TuneData data = again.Tune();
    EXPECT_TRUE(data.complete);
    EXPECT_EQ(data.winners, whole.winners);
    EXPECT_EQ(data.comparison.at(1).at(1).blocks.size(), plan.blocks);
    journal.clear();
  }
}

TEST(Tuner, TakesFreshBlocksForTheComparison) {
  const TunePlan plan = PlanOf(1, 10);
  std::map<std::pair<std::size_t, std::size_t>, Series> journal;
  Machine machine(plan, Same, 0.01, 1);
  machine.Remember(journal);
  const TuneData data = machine.Tune();
  std::size_t fresh = 0;
  for (const auto& [place, series] : journal) {
    fresh += place.second >= kFirstFreshBlock ? 1 : 0;
  }
  EXPECT_EQ(fresh, FinalistsOf(data).size() * plan.workloads.size() * plan.blocks);
}

TEST(Tuner, PrefersFewChangesWhereTheDifferenceDoesNotMatter) {
  TunePlan plan = PlanOf(1, 10);
  for (TuneCandidate& candidate : plan.candidates) {
    candidate.changes.assign(candidate.place[0], "x");
  }
  // The last three differ by less than 2 %.
  const auto cost = [](const TunePlace& place, std::string_view /*workload*/) {
    const auto x = static_cast<double>(place[0]);
    return Cost{.ns = 1000 - 50 * std::min(x, 7.0) - std::max(x - 7, 0.0)};
  };
  const TuneData data = Tuned(plan, cost, 0);
  EXPECT_EQ(plan.candidates[data.rungs.back().kept.front()].place, TunePlace{9});
  EXPECT_EQ(plan.candidates[data.winners.at(0)].place, TunePlace{7});
  EXPECT_EQ(plan.candidates[data.runner_up.value()].place, TunePlace{9});
}

TEST(Tuner, TriplesTheBlocksOfTheThirdThatItKeeps) {
  const TunePlan plan = PlanOf(4, 28);
  const TuneData data = Tuned(plan, Bowl, 0.01);
  const std::vector<PlannedRung> planned = PlannedRungs(plan);
  ASSERT_EQ(data.rungs.size(), 3U);
  ASSERT_EQ(planned.size(), 3U);
  const std::vector<std::pair<std::uint32_t, std::size_t>> expected{{3, 27}, {9, 9}, {27, 3}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(std::pair(data.rungs[i].blocks, data.rungs[i].candidates.size()), expected[i]);
    EXPECT_EQ(std::pair(planned[i].blocks, planned[i].candidates), expected[i]);
  }
  EXPECT_EQ(data.search[kDefaultCandidate].front().blocks.size(), 27U);
  EXPECT_TRUE(data.runner_up);
}

TEST(Tuner, NeedsBlocksForAllIntervalsOfItsDecision) {
  TunePlan plan = PlanOf(1, 10);
  plan.blocks = static_cast<std::uint32_t>(BlocksForDecision(plan, 1, true));
  EXPECT_TRUE(Decide(plan, Tuned(plan, Same, 0.01)).ratios.front().ratio);
  --plan.blocks;
  const TuneDecision decision = Decide(plan, Tuned(plan, Same, 0.01));
  EXPECT_FALSE(decision.ratios.front().ratio);
  EXPECT_EQ(decision.outcomes, std::vector{TuneOutcome::kUnmeasured});
  EXPECT_EQ(decision.answer, TuneAnswer::kUnknown);
}

}  // namespace

}  // namespace schedbench::harness::tuner_test
