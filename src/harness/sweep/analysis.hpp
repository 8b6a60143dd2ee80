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

// A cell against another. All of one analysis hold at once with kJointLevel, whichever pairs of cells are chosen.
struct CellRatio {
  stats::RatioEstimate estimate;  // of the cell to the other one
  Verdict verdict;
};

struct CellResult {
  std::optional<Spread> spread;      // over the blocks
  std::optional<CellRatio> to_best;  // none for the best, and where blocks are too few
  std::string missing = "";          // why there is no spread; "" where there is
  std::optional<std::size_t> same_as = std::nullopt;  // the cell with the same settings in effect
};

// All cells with one value of a key together: the geometric mean of their values.
struct Marginal {
  std::optional<Spread> spread;  // over the blocks that all cells have
  std::size_t cells = 0;         // that it is made of
};

// What the keys explain of the differences between cells.
struct Importance {
  std::vector<std::size_t>
      keys;  // those that have at least two values left; `variance` counts in them
  stats::GridVariance variance;
  // Values that were left out because cells with them have failed: a key and a value.
  std::vector<std::pair<std::size_t, std::size_t>> left_out = {};
};

// What a machine that measured blocks of a sweep has in common in them.
struct PlaceShare {
  std::string name;
  std::size_t blocks = 0;  // of all cells, that it measured
  // By which its values differ from those of all machines together: the median of its blocks over all cells that have every block, by the
  // geometric mean of all blocks. 1 with a single machine, with fewer than two blocks for each machine, or without such a cell.
  double factor = 1;
};

struct SweepAnalysis {
  std::vector<CellResult> cells;
  std::optional<std::size_t> best;               // the best median; none if no cell has one
  std::vector<std::size_t> indistinguishable;    // cells that may be as good as the best
  std::vector<std::vector<Marginal>> marginals;  // [key][value]
  std::optional<Importance> importance;          // none below 3 blocks or 2 keys' values
  double level = 0;                              // of each interval against the best
  std::size_t blocks = 0;                        // that all cells with a result have
  std::vector<PlaceShare> places =
      {};  // that measured blocks; none where blocks are not distributed
};

// The share of noise from which importance is not to be trusted (arbitrary).
inline constexpr double kMuchNoise = 0.5;

// Returns the machines that measured blocks, in the order of their first block.
std::vector<PlaceShare> PlaceShares(const SweepPlan& plan, const ExperimentData& data);

// Returns the value of each block of each cell, [cell][block], as ValuesByBlock() does, but without
// what a machine has in common in its blocks: divided by its factor. The ratio of two cells in a
// block stays what it was.
std::vector<BlockValues> ValuesWithoutPlaces(const SweepPlan& plan, const ExperimentData& data,
                                             const std::vector<PlaceShare>& places);

SweepAnalysis AnalyseSweep(const SweepPlan& plan, const ExperimentData& data);

// Returns the looks at each pair of cells: any two may turn out to be compared, so that all pairs share kJointLevel.
stats::Looks LooksOf(const SweepPlan& plan);

// Returns the cells that need no more blocks: a look is due, and they are proven worse than the best by more than the smallest
// difference that matters.
std::vector<bool> SettledCells(const SweepPlan& plan, const ExperimentData& data);

// Returns the comparison of a cell with another; none where blocks are too few. `other` < all cells.
std::optional<CellRatio> Compared(const SweepPlan& plan, const ExperimentData& data,
                                  std::size_t cell, std::size_t other);

// The medians of cells over the blocks, of logarithms without what all cells of a block have in common.
struct LogMedians {
  std::vector<double> values;  // by cell
  double noise =
      0;  // the variance of a median that the blocks of a cell show, the mean of all cells
};

// Fewer blocks do not show how far the values of a cell are apart.
inline constexpr std::size_t kBlocksForNoise = 3;

// `cells`: the logarithms by cell and block. Requires: a cell; all have as many blocks, at least one.
LogMedians LogMediansOf(std::vector<std::vector<double>> cells);

// Returns the geometric means of the medians of the cells with both values: [value of a][value of b]; none without a cell.
std::vector<std::vector<std::optional<double>>> TwoWay(const SweepPlan& plan,
                                                       const SweepAnalysis& analysis, std::size_t a,
                                                       std::size_t b);

}  // namespace schedbench::harness
