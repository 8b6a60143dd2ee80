#include "harness/sweep/analysis.hpp"

#include "base/vector_of.hpp"
#include "stats/change.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

namespace schedbench::harness {

namespace {

using registry::Better;

// Factors of a normal distribution: standard deviation by median absolute deviation, and variance
// of the median by that of the mean.
constexpr double kDeviationOfMad = 1.4826;
constexpr double kMedianByMean = std::numbers::pi / 2;
bool IsBetter(const SweepPlan& plan, double a, double b) {
  return plan.metric->better == Better::kLower ? a < b : a > b;
}

std::size_t PairsOfCells(const SweepPlan& plan) {
  const std::size_t cells = std::max<std::size_t>(plan.cells.size(), 2);
  return cells * (cells - 1) / 2;
}

// Returns whether a ratio of the value exists: cells are compared by ratios.
bool HasRatio(double value) {
  return value > 0 && std::isfinite(value);
}

std::string MissingReason(const SweepPlan& plan, const Series& cell, const BlockValues& values) {
  if (cell.absent) {
    return "not possible";
  }
  if (values.empty() && (cell.failure.empty() || cell.lost != Series::Lost::kNot)) {
    return "not measured";
  }
  if (cell.refused) {
    return "refused";
  }
  if (!cell.failure.empty()) {
    return "failed";
  }
  const auto lacking =
      std::ranges::count_if(values, [](const std::optional<double>& value) { return !value; });
  if (lacking > 0) {
    return fmt::format("no {} in {} of {} blocks", plan.metric->name, lacking, values.size());
  }
  const auto without_ratio = std::ranges::count_if(
      values, [](const std::optional<double>& value) { return !HasRatio(*value); });
  return without_ratio == 0 ? ""
                            : fmt::format("{} is 0 in {} of {} blocks, which has no ratio",
                                          plan.metric->name, without_ratio, values.size());
}

std::vector<double> Logarithms(const BlockValues& values, std::size_t count) {
  return VectorOf(std::span(values).first(count),
                  [](const auto& value) { return std::log(std::max(value.value_or(0), 1e-300)); });
}

// Returns each block's median logarithm over cells that have every block; empty without one.
std::vector<double> CommonOfBlocks(const SweepPlan& plan, const ExperimentData& data) {
  const std::size_t blocks = data.block_places.size();
  std::vector<std::vector<double>> columns(blocks);
  for (const std::vector<Series>& group : data.series) {
    const Series& cell = group.front();
    const auto values = ValuesByBlock(cell, *plan.metric);
    const bool is_whole =
        values.size() == blocks &&
        std::ranges::all_of(values, [](const auto& value) { return value && HasRatio(*value); });
    for (std::size_t block = 0; is_whole && block < blocks; ++block) {
      columns[block].push_back(std::log(*values[block]));
    }
  }
  std::erase_if(columns, [](const std::vector<double>& column) { return column.empty(); });
  return VectorOf(columns, [](const auto& column) { return stats::Median(column); });
}

class SweepAnalyst {
 public:
  SweepAnalyst(const SweepPlan& plan, const ExperimentData& data)
      : plan_(plan),
        data_(data) {
  }

  SweepAnalysis Draw() {
    analysis_.places = PlaceShares(plan_, data_);
    values_ = ValuesWithoutPlaces(plan_, data_, analysis_.places);
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
      CellResult result{.missing = MissingReason(plan_, data_.Cell(cell), values_[cell])};
      result.same_as = result.missing.empty() ? SameInEffect(cell) : std::nullopt;
      if (result.same_as) {
        result.missing = "the same in effect as another cell";
      }
      if (result.missing.empty()) {
        result.spread = SpreadOf(Present(values_[cell]));
      }
      analysis_.cells.push_back(std::move(result));
      most_blocks_ = std::max(most_blocks_, Has(cell) ? values_[cell].size() : 0);
    }
    analysis_.level = LooksOf(plan_).LevelOf(0);
    FindBest();
    if (analysis_.best) {
      CompareWithBest();
      AddMarginals();
      AddImportance();
    }
    return std::move(analysis_);
  }

 private:
  bool Has(std::size_t cell) const {
    return analysis_.cells[cell].spread.has_value();
  }

  // Returns the earlier cell with equal settings in effect, which makes this cell redundant.
  std::optional<std::size_t> SameInEffect(std::size_t cell) const {
    const SweepCell& one = plan_.cells[cell];
    for (std::size_t other = 0; other < cell; ++other) {
      const SweepCell& earlier = plan_.cells[other];
      const bool ended_earlier = data_.Cell(other).settled && !data_.Cell(cell).settled;
      if (Has(other) && !ended_earlier && earlier.measured_at == one.measured_at &&
          earlier.workload.entry == one.workload.entry &&
          earlier.workload.parameters == one.workload.parameters &&
          AreSameInEffect(earlier.alternative, data_.Cell(other).config, one.alternative,
                          data_.Cell(cell).config)) {
        return other;
      }
    }
    return std::nullopt;
  }

  // Returns whether the cell is compared: not with a lost machine if others have more blocks.
  bool IsCompared(std::size_t cell) const {
    return Has(cell) &&
           (data_.Cell(cell).lost == Series::Lost::kNot || values_[cell].size() == most_blocks_);
  }

  void FindBest() {
    std::optional<std::size_t>& best = analysis_.best;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      // A cell that has ended early is proven worse than another cell.
      if (IsCompared(cell) && !data_.Cell(cell).settled &&
          (!best || IsBetter(plan_, analysis_.cells[cell].spread->median,
                             analysis_.cells[*best].spread->median))) {
        best = cell;
      }
    }
  }

  void CompareWithBest() {
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (!Has(cell) || cell == *analysis_.best) {
        continue;
      }
      CellResult& result = analysis_.cells[cell];
      result.to_best = Compared(plan_, data_, cell, *analysis_.best);
      const bool distinct =
          data_.Cell(cell).settled || (result.to_best && !result.to_best->estimate.stops_short &&
                                       (result.to_best->verdict == Verdict::kWorse ||
                                        result.to_best->verdict == Verdict::kSlightlyWorse));
      if (!distinct) {
        analysis_.indistinguishable.push_back(cell);
      }
    }
  }

  void AddMarginals() {
    analysis_.blocks = std::size_t{plan_.blocks};
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (IsCompared(cell)) {
        analysis_.blocks = std::min(analysis_.blocks, values_[cell].size());
      }
    }
    for (std::size_t key = 0; key < plan_.keys.size(); ++key) {
      auto& marginals = analysis_.marginals.emplace_back();
      for (std::size_t value = 0; value < plan_.keys[key].values.size(); ++value) {
        marginals.push_back(MarginalOf(key, value));
      }
    }
  }

  Marginal MarginalOf(std::size_t key, std::size_t value) const {
    Marginal marginal;
    std::vector<double> sums(analysis_.blocks, 0);
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (!IsCompared(cell) || plan_.cells[cell].place[key] != value) {
        continue;
      }
      ++marginal.cells;
      const std::vector<double> logarithms = Logarithms(values_[cell], analysis_.blocks);
      for (std::size_t block = 0; block < analysis_.blocks; ++block) {
        sums[block] += logarithms[block];
      }
    }
    if (marginal.cells > 0) {
      for (double& sum : sums) {
        sum = std::exp(sum / static_cast<double>(marginal.cells));
      }
      marginal.spread = SpreadOf(sums);
    }
    return marginal;
  }

  void AddImportance() {
    if (analysis_.blocks < kBlocksForNoise) {
      return;
    }
    Importance importance;
    const std::vector<std::vector<bool>> kept = KeptValues(importance);
    std::vector<std::size_t> levels;
    for (std::size_t key = 0; key < plan_.keys.size(); ++key) {
      const auto count = static_cast<std::size_t>(std::ranges::count(kept[key], true));
      if (count == 0) {
        return;
      }
      if (count >= 2) {
        importance.keys.push_back(key);
        levels.push_back(count);
      }
    }
    if (importance.keys.empty()) {
      return;
    }
    std::vector<std::vector<double>> cells;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (IsKept(kept, cell)) {
        cells.push_back(Logarithms(values_[cell], analysis_.blocks));
      }
    }
    const LogMedians medians = LogMediansOf(std::move(cells));
    importance.variance = stats::VarianceOfGrid(levels, medians.values, medians.noise);
    analysis_.importance = std::move(importance);
  }

  bool IsKept(const std::vector<std::vector<bool>>& kept, std::size_t cell) const {
    for (std::size_t key = 0; key < plan_.keys.size(); ++key) {
      if (!kept[key][plan_.cells[cell].place[key]]) {
        return false;
      }
    }
    return true;
  }

  // Leaves out values until all remaining cells have results, each time the one that lacks most.
  std::vector<std::vector<bool>> KeptValues(Importance& importance) const {
    auto kept = VectorOf(
        plan_.keys, [&](const auto& key) { return std::vector<bool>(key.values.size(), true); });
    for (;;) {
      double worst = 0;
      std::pair<std::size_t, std::size_t> place;
      for (std::size_t key = 0; key < kept.size(); ++key) {
        for (std::size_t value = 0; value < kept[key].size(); ++value) {
          const double share = kept[key][value] ? ShareWithout(kept, key, value) : 0;
          if (share > worst) {
            worst = share;
            place = {key, value};
          }
        }
      }
      if (worst == 0) {
        return kept;
      }
      kept[place.first][place.second] = false;
      importance.left_out.push_back(place);
    }
  }

  double ShareWithout(const std::vector<std::vector<bool>>& kept, std::size_t key,
                      std::size_t value) const {
    double cells = 0;
    double without = 0;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (plan_.cells[cell].place[key] == value && IsKept(kept, cell)) {
        ++cells;
        without += IsCompared(cell) ? 0 : 1;
      }
    }
    return cells == 0 ? 0 : without / cells;
  }

  const SweepPlan& plan_;
  const ExperimentData& data_;
  std::vector<BlockValues> values_;  // [cell][block]
  std::size_t most_blocks_ = 0;      // the most blocks of a cell
  SweepAnalysis analysis_;
};

}  // namespace

LogMedians LogMediansOf(std::vector<std::vector<double>> cells) {
  const std::size_t blocks = cells.front().size();
  // A change that all cells of a block share is not a difference between cells.
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto column = VectorOf(cells, [&](const auto& cell) { return cell[block]; });
    const double common = stats::Median(column);
    for (auto& cell : cells) {
      cell[block] -= common;
    }
  }
  LogMedians medians;
  for (const auto& cell : cells) {
    medians.values.push_back(stats::Median(cell));
    const auto deviations =
        VectorOf(cell, [&](double value) { return std::abs(value - medians.values.back()); });
    const double deviation = kDeviationOfMad * stats::Median(deviations);
    medians.noise += kMedianByMean * deviation * deviation / static_cast<double>(blocks);
  }
  medians.noise /= static_cast<double>(cells.size());
  return medians;
}

std::vector<PlaceShare> PlaceShares(const SweepPlan& plan, const ExperimentData& data) {
  std::vector<PlaceShare> places;
  std::vector<std::vector<std::size_t>> blocks_of;
  for (std::size_t block = 0; block < data.block_places.size(); ++block) {
    const auto found = std::ranges::find(places, data.block_places[block], &PlaceShare::name);
    const auto at = static_cast<std::size_t>(found - places.begin());
    if (found == places.end()) {
      places.push_back({.name = data.block_places[block]});
      blocks_of.emplace_back();
    }
    ++places[at].blocks;
    blocks_of[at].push_back(block);
  }
  // With a single block, a machine's share of the value is unknown.
  if (places.size() < 2 || data.block_places.size() < 2 * places.size()) {
    return places;
  }
  const std::vector<double> common = CommonOfBlocks(plan, data);
  if (common.empty()) {
    return places;
  }
  double sum = 0;
  std::vector<double> of_place;
  for (const std::vector<std::size_t>& blocks : blocks_of) {
    of_place.push_back(
        stats::Median(VectorOf(blocks, [&](std::size_t block) { return common[block]; })));
    sum += of_place.back() * static_cast<double>(blocks.size());
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    places[place].factor =
        std::exp(of_place[place] - sum / static_cast<double>(data.block_places.size()));
  }
  return places;
}

std::vector<BlockValues> ValuesWithoutPlaces(const SweepPlan& plan, const ExperimentData& data,
                                             const std::vector<PlaceShare>& places) {
  std::map<std::string, double> factors;
  for (const PlaceShare& place : places) {
    factors[place.name] = place.factor;
  }
  std::vector<BlockValues> values;
  for (const std::vector<Series>& group : data.series) {
    const Series& cell = group.front();
    auto& of_cell = values.emplace_back(ValuesByBlock(cell, *plan.metric));
    for (std::size_t block = 0; block < of_cell.size() && block < data.block_places.size();
         ++block) {
      if (of_cell[block]) {
        *of_cell[block] /= factors.at(data.block_places[block]);
      }
    }
  }
  return values;
}

stats::Looks LooksOf(const SweepPlan& plan) {
  return stats::Looks(stats::LevelOfEach(kJointLevel, PairsOfCells(plan)));
}

std::optional<CellRatio> Compared(const SweepPlan& plan, const ExperimentData& data,
                                  std::size_t cell, std::size_t other) {
  const BlockPairs both(ValuesByBlock(data.Cell(other), *plan.metric),
                        ValuesByBlock(data.Cell(cell), *plan.metric));
  stats::LogRatios pairs = stats::PairLogRatios(both.a, both.b);
  const stats::Looks::Look look = LooksOf(plan).LastOf(pairs.values.size());
  pairs.values.resize(look.size);
  if (pairs.dropped > 0 || pairs.values.empty()) {
    return std::nullopt;
  }
  const auto estimate = stats::PairedRatio(pairs, look.level, stats::Dependence(pairs.values));
  if (!estimate) {
    return std::nullopt;
  }
  return CellRatio{
      .estimate = *estimate,
      .verdict = ToVerdict(stats::Judge(*estimate, plan.min_effect), plan.metric->better)};
}

std::vector<bool> SettledCells(const SweepPlan& plan, const ExperimentData& data) {
  std::size_t most = 0;
  for (const std::vector<Series>& group : data.series) {
    const Series& cell = group.front();
    most = std::max(most, cell.blocks.size());
  }
  if (!LooksOf(plan).IsDueAt(most)) {
    return {};
  }
  const auto values = ValuesWithoutPlaces(plan, data, PlaceShares(plan, data));
  std::optional<std::size_t> best;
  double best_median = 0;
  for (std::size_t cell = 0; cell < data.series.size(); ++cell) {
    auto present = PresentOf(values[cell]);
    std::erase_if(present, [](double value) { return !HasRatio(value); });
    if (!data.Cell(cell).failure.empty() || data.Cell(cell).settled || present.empty()) {
      continue;
    }
    const double median = stats::Median(present);
    if (!best || IsBetter(plan, median, best_median)) {
      best = cell;
      best_median = median;
    }
  }
  std::vector<bool> settled(data.series.size(), false);
  for (std::size_t cell = 0; best && cell < data.series.size(); ++cell) {
    if (cell != *best && data.Cell(cell).failure.empty() && !data.Cell(cell).settled) {
      const auto ratio = Compared(plan, data, cell, *best);
      settled[cell] = ratio && ratio->verdict == Verdict::kWorse && !ratio->estimate.stops_short;
    }
  }
  return settled;
}

std::vector<std::vector<std::optional<double>>> TwoWay(const SweepPlan& plan,
                                                       const SweepAnalysis& analysis, std::size_t a,
                                                       std::size_t b) {
  std::vector<std::vector<std::optional<double>>> table(
      plan.keys[a].values.size(), std::vector<std::optional<double>>(plan.keys[b].values.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < table[i].size(); ++j) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
        const std::vector<std::size_t>& place = plan.cells[cell].place;
        if (place[a] == i && place[b] == j && analysis.cells[cell].spread) {
          sum += std::log(std::max(analysis.cells[cell].spread->median, 1e-300));
          ++count;
        }
      }
      if (count > 0) {
        table[i][j] = std::exp(sum / static_cast<double>(count));
      }
    }
  }
  return table;
}

SweepAnalysis AnalyseSweep(const SweepPlan& plan, const ExperimentData& data) {
  return SweepAnalyst(plan, data).Draw();
}

}  // namespace schedbench::harness
