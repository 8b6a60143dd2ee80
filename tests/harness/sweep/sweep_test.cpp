// Sweeps whose rounds are made up, so that the right answer is known.
#include "base/random.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/sweep/analysis.hpp"
#include "harness/sweep/measure.hpp"
#include "harness/sweep/scale.hpp"
#include "platform/threads/mutex.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace schedbench::harness::sweep_test {

namespace {

const registry::WorkloadEntry kWorkload{
    .name = "work", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};

// Keys a and b with values 0, 1, ...; the alternative of a cell has the number of the cell as its
// name.
SweepPlan GridOf(std::size_t a, std::size_t b, std::uint32_t blocks) {
  SweepPlan plan;
  plan.keys = {{.name = "a", .values = {}}, {.name = "b", .values = {}}};
  for (std::size_t i = 0; i < a; ++i) {
    plan.keys[0].values.push_back(std::to_string(i));
  }
  for (std::size_t j = 0; j < b; ++j) {
    plan.keys[1].values.push_back(std::to_string(j));
  }
  for (std::size_t i = 0; i < a; ++i) {
    for (std::size_t j = 0; j < b; ++j) {
      plan.cells.push_back({.place = {i, j},
                            .alternative = {.name = std::to_string(plan.cells.size()),
                                            .command = {},
                                            .scheduler = ""},
                            .workload = {.entry = &kWorkload},
                            .workers = static_cast<std::uint32_t>(j + 1)});
    }
  }
  plan.metric = ComparedMetrics(kWorkload, {"throughput"}).front();
  plan.blocks = blocks;
  plan.seed = 1;
  return plan;
}

// Measures by `wall_ns(cell, block)`; a negative time is a wrong answer.
using WallNs = std::function<double(std::size_t cell, std::size_t block)>;

ExperimentEvents EventsWith(const WallNs& wall_ns) {
  return {.progress = [](const ExperimentProgress&) {},
          .cancelled = [] { return false; },
          .measure_block =
              [wall_ns](const BlockPlan& plan, const BlockEvents& events) {
                BlockData data;
                if (events.cancelled()) {
                  data.ending = BlockData::Ending::kCancelled;
                  return data;
                }
                const double time =
                    wall_ns(std::stoul(plan.group.alternatives.front().name), plan.number);
                Series& series = data.series.emplace_back();
                if (time < 0) {
                  series.failure = "wrong answer";
                } else {
                  series.blocks.push_back(
                      {{.wall_ns = static_cast<std::uint64_t>(time), .operations = 1000}});
                }
                return data;
              }};
}

// Noise that is the same for the same cell and block, whatever was measured before.
double Noise(std::size_t cell, std::size_t block, double size, std::uint64_t seed = 1) {
  std::mt19937_64 random(DeriveSeed(seed, 1000 * cell + block));
  return std::exp(size * std::normal_distribution<double>()(random));
}

// The least time is at a = 3; b does not matter.
double Planted(std::size_t cell, std::size_t block) {
  const std::size_t a = cell / 2;
  const double distance = static_cast<double>(a) - 3;
  return 1e6 * (1 + 0.1 * distance * distance) * Noise(cell, block, 0.01);
}

TEST(Sweep, FindsAPlantedOptimumAndEndsCellsThatAreProvenWorse) {
  const SweepPlan plan = GridOf(6, 2, 24);
  const ExperimentData data = MeasureSweep(plan, EventsWith(Planted));
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  ASSERT_TRUE(data.complete);
  ASSERT_TRUE(analysis.best);
  EXPECT_EQ(plan.cells[*analysis.best].place[0], 3U);
  // The other value of b is as good.
  ASSERT_EQ(analysis.indistinguishable.size(), 1U);
  EXPECT_EQ(plan.cells[analysis.indistinguishable[0]].place[0], 3U);
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    const bool is_best = plan.cells[cell].place[0] == 3;
    EXPECT_EQ(data.Cell(cell).settled, !is_best) << cell;
    EXPECT_EQ(data.Cell(cell).blocks.size() == 24, is_best) << cell;
  }
  ASSERT_TRUE(analysis.importance);
  EXPECT_GT(analysis.importance->variance.effects[0].share, 0.99);
  EXPECT_GT(analysis.marginals[0][3].spread->median, analysis.marginals[0][2].spread->median);
}

TEST(Sweep, LeavesOutACellWhoseMetricIsZeroBecauseItHasNoRatio) {
  SweepPlan plan = GridOf(3, 1, 10);
  plan.blocks = static_cast<std::uint32_t>(LooksOf(plan).SizeOf(0));
  ExperimentData zero = MeasureSweep(plan, EventsWith([](std::size_t cell, std::size_t block) {
                                       return 1e6 * Noise(cell, block, 0.01);
                                     }));
  for (auto& block : zero.Cell(1).blocks) {
    block.front().operations = 0;
  }
  const SweepAnalysis analysis = AnalyseSweep(plan, zero);
  ASSERT_TRUE(analysis.best);
  EXPECT_NE(analysis.best, 1U);
  EXPECT_EQ(analysis.cells[1].missing,
            fmt::format("throughput is 0 in {0} of {0} blocks, which has no ratio", plan.blocks));
  EXPECT_EQ(analysis.marginals[0][1].cells, 0U);
  EXPECT_FALSE(SettledCells(plan, zero)[1]);
}

TEST(Sweep, ComparesOnlyTheFirstOfCellsThatEndedUpWithTheSameSettings) {
  SweepPlan plan = GridOf(3, 1, 20);
  plan.settles = false;
  for (SweepCell& cell : plan.cells) {
    cell.alternative.config = fmt::format(R"({{"setting":{}}})", cell.place[0]);
  }
  ExperimentData data = MeasureSweep(plan, EventsWith([](std::size_t cell, std::size_t) {
                                       return 1e6 - 1e5 * static_cast<double>(cell);
                                     }));
  data.Cell(0).config = data.Cell(2).config = R"({"setting":0})";
  data.Cell(1).config = R"({"setting":1})";
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  EXPECT_EQ(analysis.best, 1U);
  EXPECT_EQ(analysis.cells[2].same_as, 0U);
  EXPECT_FALSE(analysis.cells[2].spread);
  EXPECT_FALSE(analysis.cells[0].same_as || analysis.cells[1].same_as);
  for (std::vector<Series>& group : data.series) {
    group.front().config = "{}";  // An agent that reports no settings.
  }
  EXPECT_EQ(AnalyseSweep(plan, data).best, 2U);
}

TEST(Sweep, ProvesNothingByAnIntervalThatMayBeTooNarrow) {
  SweepPlan plan = GridOf(2, 1, 12);
  plan.settles = false;
  // The second cell is always slower, in each block by about as much as in the one before.
  const ExperimentData data =
      MeasureSweep(plan, EventsWith([](std::size_t cell, std::size_t block) {
                     return cell == 0 ? 1e6 : 1.3e6 + 5e4 * static_cast<double>(block);
                   }));
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  ASSERT_TRUE(analysis.cells[1].to_best);
  EXPECT_TRUE(analysis.cells[1].to_best->estimate.stops_short);
  EXPECT_EQ(analysis.indistinguishable, std::vector<std::size_t>{1});
}

TEST(Sweep, RarelyProvesADifferenceOfEqualCells) {
  SweepPlan plan = GridOf(3, 2, 20);
  int wrong = 0;
  constexpr int kSweeps = 100;
  for (int seed = 1; seed <= kSweeps; ++seed) {
    const ExperimentData data =
        MeasureSweep(plan, EventsWith([seed](std::size_t cell, std::size_t block) {
                       return 1e6 * Noise(cell, block, 0.1, seed);
                     }));
    wrong += AnalyseSweep(plan, data).indistinguishable.size() < 5 ? 1 : 0;
  }
  EXPECT_LE(wrong, kSweeps / 20);
}

TEST(Sweep, ContinuesFromKnownBlocksAsIfItHadNotBeenInterrupted) {
  const SweepPlan plan = GridOf(6, 2, 24);
  const ExperimentData whole = MeasureSweep(plan, EventsWith(Planted));
  std::map<std::pair<std::size_t, std::size_t>, Series> journal;
  std::size_t measured = 0;
  ExperimentEvents events = EventsWith(Planted);
  events.known = [&](std::size_t cell, std::size_t block, const std::string& /*place*/) {
    const auto found = journal.find({cell, block});
    return found == journal.end() ? std::nullopt : std::optional(found->second);
  };
  events.measured = [&](std::size_t cell, std::size_t block, const Series& series) {
    EXPECT_TRUE(journal.insert({{cell, block}, series}).second) << "measured twice";
    ++measured;
  };
  events.cancelled = [&] { return measured >= 7; };
  ExperimentData data;
  for (int part = 0; part < 100 && !data.complete; ++part) {
    measured = 0;
    data = MeasureSweep(plan, events);
  }
  ASSERT_TRUE(data.complete);
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    EXPECT_EQ(data.Cell(cell).settled, whole.Cell(cell).settled);
    ASSERT_EQ(data.Cell(cell).blocks.size(), whole.Cell(cell).blocks.size());
    EXPECT_EQ(data.Cell(cell).blocks.back()[0].wall_ns, whole.Cell(cell).blocks.back()[0].wall_ns);
  }
}

// A plan whose blocks are distributed over hosts of these names.
SweepPlan PlacedGrid(const std::vector<std::string>& names) {
  SweepPlan plan = GridOf(3, 2, 12);
  plan.settles = false;
  for (const std::string& name : names) {
    plan.places.push_back(
        std::make_shared<const Place>(Place{.name = name, .prefix = {}, .tool = ""}));
  }
  return plan;
}

// Samples by Planted; the place `lost` is lost after so many blocks, and `seen` counts blocks by
// cell and place.
ExperimentEvents EventsOf(
    const std::string& lost, int after, std::map<std::pair<std::string, std::string>, int>& seen,
    std::map<std::tuple<std::size_t, std::size_t, std::string>, Series>& journal) {
  ExperimentEvents events = EventsWith(Planted);
  events.known = [&journal](std::size_t cell, std::size_t block, const std::string& place) {
    const auto found = journal.find({cell, block, place});
    return found == journal.end() ? std::nullopt : std::optional(found->second);
  };
  events.known_at = [&journal](std::size_t block) {
    std::set<std::string> places;
    for (const auto& [key, series] : journal) {
      if (std::get<1>(key) == block) {
        places.insert(std::get<2>(key));
      }
    }
    return std::vector<std::string>(places.begin(), places.end());
  };
  events.measured = [&journal](std::size_t cell, std::size_t block, const Series& series) {
    EXPECT_TRUE(journal.insert({{cell, block, series.place}, series}).second) << "measured twice";
  };
  events.measure_block =
      [lost, &seen, sample = events.measure_block, mutex = std::make_shared<platform::Mutex>(),
       left = std::make_shared<int>(after)](const BlockPlan& plan, const BlockEvents& inner) {
        const platform::MutexLock lock(*mutex);
        BlockData data = sample(plan, inner);
        const std::string& place = plan.place->name;
        if (place == lost && (*left)-- <= 0) {
          Series& series = data.series.front();
          series = {};
          series.failure = "the host is gone";
          series.refused = true;
          series.lost = Series::Lost::kPlace;
          return data;
        }
        ++seen[{plan.group.alternatives.front().name, place}];
        return data;
      };
  return events;
}

using Journaled = std::map<std::tuple<std::size_t, std::size_t, std::string>, Series>;

void ExpectTheSame(const ExperimentData& data, const ExperimentData& other) {
  ASSERT_EQ(data.series.size(), other.series.size());
  for (std::size_t cell = 0; cell < data.series.size(); ++cell) {
    EXPECT_EQ(data.Cell(cell).settled, other.Cell(cell).settled) << cell;
    EXPECT_EQ(data.Cell(cell).failure, other.Cell(cell).failure) << cell;
    ASSERT_EQ(data.Cell(cell).blocks.size(), other.Cell(cell).blocks.size()) << cell;
    for (std::size_t block = 0; block < data.Cell(cell).blocks.size(); ++block) {
      EXPECT_EQ(data.Cell(cell).blocks[block][0].wall_ns,
                other.Cell(cell).blocks[block][0].wall_ns);
    }
  }
}

TEST(SweepAtPlaces, MeasuresAllCellsOfABlockAtOnePlaceAndGivesTheSameValuesAsHere) {
  SweepPlan plan = PlacedGrid({"a", "b", "c"});
  plan.blocks = 24;
  for (const bool settles : {false, true}) {
    plan.settles = settles;
    std::map<std::pair<std::string, std::string>, int> seen;
    Journaled journal;
    const ExperimentData data = MeasureSweep(plan, EventsOf("", 0, seen, journal));
    for (const auto& [key, series] : journal) {
      EXPECT_EQ(series.place, plan.places[std::get<1>(key) % 3]->name);
    }
    ASSERT_EQ(data.block_places.size(), 24U);
    EXPECT_EQ(data.block_places[4], "b");
    SweepPlan here = plan;
    here.places.clear();
    ExpectTheSame(data, MeasureSweep(here, EventsWith(Planted)));
  }
}

TEST(SweepAtPlaces, APlaceThatIsLostLosesItsBlockWhichAnotherPlaceMeasures) {
  SweepPlan plan = PlacedGrid({"a", "b"});
  SweepPlan here = plan;
  here.places.clear();
  const ExperimentData expected = MeasureSweep(here, EventsWith(Planted));
  for (int after = 0; after < 36; after += 5) {
    std::map<std::pair<std::string, std::string>, int> seen;
    Journaled journal;
    const ExperimentData lost = MeasureSweep(plan, EventsOf("b", after, seen, journal));
    EXPECT_TRUE(lost.complete);
    EXPECT_EQ(lost.lost, (std::vector<std::string>{"", "the host is gone"}));
    EXPECT_EQ(std::ranges::count(lost.block_places, "b"), after / 6) << after;
    ExpectTheSame(lost, expected);
    // The cells of the lost block are in the journal twice, at two places; no block counts twice.
    EXPECT_EQ(journal.size(), static_cast<std::size_t>(72 + after % 6)) << after;
    const std::size_t lines = journal.size();
    const ExperimentData again = MeasureSweep(plan, EventsOf("", 0, seen, journal));
    EXPECT_EQ(again.block_places, lost.block_places);
    EXPECT_EQ(journal.size(), lines);
  }
}

TEST(SweepAtPlaces, HolesRemainWhenNoPlaceIsLeftAndTheNextSweepFillsThem) {
  const SweepPlan plan = PlacedGrid({"a"});
  for (int after = 0; after < 72; after += 11) {
    std::map<std::pair<std::string, std::string>, int> seen;
    Journaled journal;
    const ExperimentData lost = MeasureSweep(plan, EventsOf("a", after, seen, journal));
    const SweepAnalysis analysis = AnalyseSweep(plan, lost);
    for (std::size_t cell = 0; cell < lost.series.size(); ++cell) {
      EXPECT_EQ(lost.Cell(cell).lost, Series::Lost::kPlace);
      EXPECT_EQ(lost.Cell(cell).blocks.size(), static_cast<std::size_t>(after / 6));
      EXPECT_EQ(lost.Cell(cell).failure, after < 6 ? "the host is gone" : "");
      EXPECT_EQ(analysis.cells[cell].missing, after < 6 ? "not measured" : "");
    }
    EXPECT_EQ(analysis.best.has_value(), after >= 6);
    // The block that was begun continues at its place, and is measured anew at another one.
    for (const char* const next : {"a", "c"}) {
      Journaled copy = journal;
      const ExperimentData whole =
          MeasureSweep(PlacedGrid({next, "d"}), EventsOf("", 0, seen, copy));
      EXPECT_EQ(copy.size(), static_cast<std::size_t>(72 + (*next == 'c' ? after % 6 : 0)));
      for (const std::vector<Series>& group : whole.series) {
        const Series& cell = group.front();
        EXPECT_EQ(cell.blocks.size(), 12U);
        EXPECT_EQ(cell.failure, "");
      }
    }
  }
}

TEST(SweepAtPlaces, ACellOfALostPlaceKeepsItsBlocksAndDoesNotCutTheOthersShort) {
  SweepPlan plan = PlacedGrid({"a", "b"});
  for (SweepCell& cell : plan.cells) {
    cell.measured_at = cell.place[1];
  }
  std::map<std::pair<std::string, std::string>, int> seen;
  Journaled journal;
  const ExperimentData data = MeasureSweep(plan, EventsOf("b", 8, seen, journal));
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    const bool is_lost = plan.cells[cell].measured_at == 1U;
    EXPECT_EQ(data.Cell(cell).lost == Series::Lost::kPlace, is_lost);
    EXPECT_TRUE(analysis.cells[cell].spread);
    EXPECT_EQ(data.Cell(cell).blocks.size() < 12, is_lost) << cell;
  }
  EXPECT_EQ(plan.cells[*analysis.best].measured_at, 0U);
  EXPECT_EQ(analysis.blocks, 12U);
  EXPECT_EQ(analysis.marginals[1][1].cells, 0U) << "of b";
}

TEST(SweepAtPlaces, AnInterruptedSweepContinuesWithAnotherNumberOfPlaces) {
  SweepPlan plan = GridOf(6, 2, 24);
  const ExperimentData whole = MeasureSweep(plan, EventsWith(Planted));
  std::map<std::pair<std::string, std::string>, int> seen;
  Journaled journal;
  ExperimentData data;
  const std::vector<std::vector<std::string>> hosts{{"a", "b"}, {"c"}, {"a", "d", "e"}};
  for (std::size_t part = 0; part < 100 && !data.complete; ++part) {
    plan.places.clear();
    for (const std::string& name : hosts[part % hosts.size()]) {
      plan.places.push_back(
          std::make_shared<const Place>(Place{.name = name, .prefix = {}, .tool = ""}));
    }
    ExperimentEvents events = EventsOf("", 0, seen, journal);
    events.cancelled = [&, begin = journal.size()] { return journal.size() >= begin + 40; };
    data = MeasureSweep(plan, events);
  }
  ASSERT_TRUE(data.complete);
  ExpectTheSame(data, whole);
}

TEST(SweepAtPlaces, KeepsTheFailuresOfABlockThatTheBudgetEnds) {
  SweepPlan plan = PlacedGrid({"a"});
  plan.budget = std::chrono::seconds(1);
  constexpr std::size_t kWhole = 6;  // cells of the first block
  for (const std::size_t before : {std::size_t{0}, std::size_t{2}}) {
    std::map<std::pair<std::string, std::string>, int> seen;
    Journaled journal;
    std::size_t measured = 0;
    ExperimentEvents events = EventsOf("", 0, seen, journal);
    events.now = [] { return std::uint64_t{0}; };
    events.measure_block = [&, sample = events.measure_block](const BlockPlan& of_cell,
                                                              const BlockEvents& inner) {
      BlockData data = sample(of_cell, inner);
      const std::size_t end = kWhole + before;
      if (measured == kWhole || measured == end) {
        data.series.front() = {};
        data.series.front().failure = measured == kWhole ? "wrong answer" : "";
      }
      data.ending = measured == end ? BlockData::Ending::kOutOfTime : BlockData::Ending::kDone;
      ++measured;
      return data;
    };
    const ExperimentData data = MeasureSweep(plan, events);
    EXPECT_TRUE(data.out_of_budget);
    EXPECT_EQ(measured, kWhole + before + 1);
    EXPECT_EQ(data.block_places, std::vector<std::string>{"a"});
    std::size_t failures = 0;
    for (const std::vector<Series>& group : data.series) {
      failures += group.front().failure == "wrong answer" ? 1 : 0;
      EXPECT_EQ(group.front().blocks.size(), 1U) << "without the rounds of the second block";
    }
    EXPECT_EQ(failures, 1U) << before;
  }
}

// Equal cells; host b takes 20 times as long as host a.
ExperimentData EqualCellsOnUnequalHosts(const SweepPlan& plan, std::uint64_t seed,
                                        double of_last_cell = 1) {
  std::map<std::pair<std::string, std::string>, int> seen;
  Journaled journal;
  ExperimentEvents events = EventsOf("", 0, seen, journal);
  const std::size_t last = plan.cells.size() - 1;
  events.measure_block = [&, sample = EventsWith([=](std::size_t cell, std::size_t block) {
                                        return 1e6 * Noise(cell, block, 0.01, seed) *
                                               (cell == last ? of_last_cell : 1);
                                      }).measure_block](const BlockPlan& of_cell,
                                                        const BlockEvents& inner) {
    BlockData data = sample(of_cell, inner);
    if (of_cell.place->name == "b") {
      data.series.front().blocks.front().front().wall_ns *= 20;
    }
    return data;
  };
  return MeasureSweep(plan, events);
}

TEST(SweepAtPlaces, UnequalHostsExplainNoDifferenceBetweenEqualCells) {
  SweepPlan plan = PlacedGrid({"a", "b"});
  plan.blocks = 24;
  plan.settles = true;
  constexpr int kSweeps = 40;
  int proven = 0;
  int explained = 0;
  for (int seed = 1; seed <= kSweeps; ++seed) {
    const ExperimentData data = EqualCellsOnUnequalHosts(plan, seed);
    const SweepAnalysis analysis = AnalyseSweep(plan, data);
    proven += analysis.indistinguishable.size() < 5 ? 1 : 0;
    ASSERT_TRUE(analysis.importance);
    explained += analysis.importance->variance.noise < kMuchNoise ? 1 : 0;
    ASSERT_EQ(analysis.places.size(), 2U);
    EXPECT_NEAR(analysis.places[0].factor / analysis.places[1].factor, 20, 1);
    for (const Marginal& marginal : analysis.marginals[0]) {
      EXPECT_LT(marginal.spread->high / marginal.spread->low, 1.05);
    }
  }
  EXPECT_LE(proven, kSweeps / 20);
  EXPECT_LE(explained, kSweeps / 4);
}

TEST(SweepAtPlaces, UnequalHostsHideNoDifference) {
  SweepPlan plan = PlacedGrid({"a", "b"});
  plan.blocks = 24;
  const SweepAnalysis analysis = AnalyseSweep(plan, EqualCellsOnUnequalHosts(plan, 1, 0.9));
  EXPECT_EQ(analysis.best, 5U);
  EXPECT_TRUE(analysis.indistinguishable.empty());
}

TEST(Scale, TheLawsAreThoseOfOneMachineAlthoughTheHostsAreUnequal) {
  SweepPlan plan = GridOf(1, 4, 20);
  plan.settles = false;
  plan.places = PlacedGrid({"a", "b"}).places;
  std::map<std::pair<std::string, std::string>, int> seen;
  Journaled journal;
  ExperimentEvents events = EventsOf("", 0, seen, journal);
  events.measure_block =
      [sample = EventsWith([](std::size_t cell, std::size_t block) {
                  return 1e6 / static_cast<double>(cell + 1) * Noise(cell, block, 0.01);
                }).measure_block](const BlockPlan& of_cell, const BlockEvents& inner) {
        BlockData data = sample(of_cell, inner);
        if (of_cell.place->name == "b") {
          data.series.front().blocks.front().front().wall_ns *= 20;
        }
        return data;
      };
  const ExperimentData data = MeasureSweep(plan, events);
  const auto curves = ScaleCurves(plan, data, AnalyseSweep(plan, data), 4);
  EXPECT_NEAR(curves[0].points[3].speedup->ratio, 4, 0.1);
  EXPECT_NEAR(*curves[0].points[3].point, 4, 0.1);
  ASSERT_TRUE(curves[0].fits.amdahl);
  EXPECT_LT(curves[0].fits.amdahl->serial_share.value, 0.02);
}

TEST(Sweep, LeavesOutTheValueWhoseCellsFailed) {
  const SweepPlan plan = GridOf(3, 2, 20);
  const ExperimentData data =
      MeasureSweep(plan, EventsWith([](std::size_t cell, std::size_t block) {
                     return cell >= 4 ? -1 : Planted(cell, block);
                   }));
  const SweepAnalysis analysis = AnalyseSweep(plan, data);
  EXPECT_EQ(analysis.cells[5].missing, "failed");
  EXPECT_EQ(analysis.marginals[0][2].cells, 0U);
  ASSERT_TRUE(analysis.importance);
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{0, 2}};
  EXPECT_EQ(analysis.importance->left_out, expected);
  EXPECT_EQ(plan.cells[*analysis.best].place[0], 1U);
}

TEST(Scale, MarksNumbersOfWorkersThatAreSlowerThanFewer) {
  SweepPlan plan = GridOf(1, 4, 20);
  plan.settles = false;
  // Times of an operation with 1, 2, 3, 4 workers.
  const std::vector<double> times{1e6, 5e5, 4e5, 8e5};
  const ExperimentData data =
      MeasureSweep(plan, EventsWith([&](std::size_t cell, std::size_t block) {
                     return times[cell] * Noise(cell, block, 0.01);
                   }));
  const auto curves = ScaleCurves(plan, data, AnalyseSweep(plan, data), 3);
  ASSERT_EQ(curves.size(), 1U);
  const std::vector<ScalePoint>& points = curves[0].points;
  EXPECT_NEAR(points[1].speedup->ratio, 2, 0.05);
  EXPECT_LT(points[1].speedup->low, 2);
  EXPECT_FALSE(points[2].slower_than);
  EXPECT_EQ(points[3].slower_than, 1U);
  EXPECT_FALSE(points[2].oversubscribed);
  EXPECT_TRUE(points[3].oversubscribed);
  EXPECT_EQ(curves[0].fitted, 3U);
}

}  // namespace

}  // namespace schedbench::harness::sweep_test
