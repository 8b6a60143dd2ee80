#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/compare/block_value.hpp"
#include "harness/experiment/data.hpp"
#include "harness/summary.hpp"
#include "harness/sweep/plan.hpp"
#include "stats/grid_variance.hpp"
#include "stats/looks.hpp"
#include "stats/ratio.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The conclusions of a sweep. Pure functions; thread-safe.

namespace schedbench::harness {

// A cell compared with another. All ratios of any pairs hold at once with kJointLevel.
struct CellRatio {
  stats::RatioEstimate estimate;  // ratio of the cell to the other one
  Verdict verdict;
};

struct CellResult {
  std::optional<Spread> spread{};      // spread over the blocks
  std::optional<CellRatio> to_best{};  // none for the best cell, and where blocks are too few
  std::string missing = "";            // why there is no spread; "" where there is
  std::optional<std::size_t> same_as = std::nullopt;  // the cell with equal settings in effect
};

// All cells with one value of a key: the geometric mean of their values.
struct Marginal {
  std::optional<Spread> spread;  // spread over the blocks that all cells have
  std::size_t cells = 0;         // number of these cells
};

// The shares of the keys in the differences between cells.
struct Importance {
  std::vector<std::size_t> keys;  // keys with at least two values left; `variance` counts in them
  stats::GridVariance variance;
  // Values left out because cells with them have failed: a key and a value.
  std::vector<std::pair<std::size_t, std::size_t>> left_out = {};
};

// The common factor of the blocks that a machine measured.
struct PlaceShare {
  std::string name;
  std::size_t blocks = 0;  // measured blocks of all cells
  // Factor between its values and those of all machines: the median of its blocks over all cells
  // that have every block, divided by the geometric mean of all blocks. 1 for a single machine,
  // fewer than two blocks per machine, or without such a cell.
  double factor = 1;
};

struct SweepAnalysis {
  std::vector<CellResult> cells;
  std::optional<std::size_t> best;               // the best median; none if no cell has one
  std::vector<std::size_t> indistinguishable;    // cells that may be as good as the best
  std::vector<std::vector<Marginal>> marginals;  // [key][value]
  std::optional<Importance> importance;          // none below 3 blocks or 2 keys with values
  double level = 0;                              // level of each interval against the best
  std::size_t blocks = 0;                        // blocks that all cells with a result have
  // Machines that measured blocks; empty where blocks are not distributed.
  std::vector<PlaceShare> places = {};
};

// Importance is not reliable from this share of noise on (arbitrary).
inline constexpr double kMuchNoise = 0.5;

// Returns the machines that measured blocks, in the order of their first block.
std::vector<PlaceShare> PlaceShares(const SweepPlan& plan, const ExperimentData& data);

// Returns the value of each block of each cell, [cell][block], as ValuesByBlock() does, but divided
// by the factor of the block's machine. The ratio of two cells in a block does not change.
std::vector<BlockValues> ValuesWithoutPlaces(const SweepPlan& plan, const ExperimentData& data,
                                             const std::vector<PlaceShare>& places);

SweepAnalysis AnalyseSweep(const SweepPlan& plan, const ExperimentData& data);

// Returns the looks at each pair of cells. Any pair may be compared, so all share kJointLevel.
stats::Looks LooksOf(const SweepPlan& plan);

// Returns the cells that need no more blocks: a look is due, and they are proven worse than the
// best by more than the smallest difference that matters.
std::vector<bool> SettledCells(const SweepPlan& plan, const ExperimentData& data);

// Compares a cell with another; none where blocks are too few. `other` < all cells.
std::optional<CellRatio> Compared(const SweepPlan& plan, const ExperimentData& data,
                                  std::size_t cell, std::size_t other);

// Medians of cells over the blocks, of logarithms without what all cells of a block share.
struct LogMedians {
  std::vector<double> values;  // values by cell
  double noise = 0;  // variance of a median that the blocks of a cell show, averaged over the cells
};

// Fewer blocks do not show how much the values of a cell vary.
inline constexpr std::size_t kBlocksForNoise = 3;

// `cells`: logarithms by cell and block. Requires: a cell; all have equally many blocks, > 0.
LogMedians LogMediansOf(std::vector<std::vector<double>> cells);

// Returns geometric means of the medians of cells with both values, [of a][of b]; none without one.
std::vector<std::vector<std::optional<double>>> TwoWay(const SweepPlan& plan,
                                                       const SweepAnalysis& analysis, std::size_t a,
                                                       std::size_t b);

}  // namespace schedbench::harness
