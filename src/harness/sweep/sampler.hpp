#pragma once

#include "harness/compare/sampler.hpp"
#include "harness/sweep/plan.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace schedbench::harness {

struct SweepData {
  std::vector<Series> cells;   // in the order of the plan
  bool complete = false;       // false: it was cancelled
  bool out_of_budget = false;  // it ended before the last block because of the budget
  std::size_t disturbed = 0;   // blocks of cells that count although something else ran
  std::size_t repeated = 0;    // likewise, but measured again
  // Of each place of the plan: why it was lost; "" where it was not.
  std::vector<std::string> lost = {};
  // Of a plan whose blocks are distributed over places: the name of the place that measured all cells of a block, by its index in
  // Series::blocks.
  std::vector<std::string> block_places = {};
};

struct SweepProgress {
  std::size_t block;  // from 0
  std::size_t blocks;
  std::size_t settled;  // cells that get no more blocks
  std::size_t cells;
  std::size_t done;  // blocks of cells, those of settled cells included
  std::size_t of;
  std::optional<double> seconds_left;  // at most; none before the first cell has ended
};

// What the sampler asks and reports: one call at a time, `cancelled` on the thread of the caller.
struct SweepEvents {
  std::function<void(const SweepProgress&)> progress;  // a cell is about to begin
  std::function<bool()> cancelled;                     // asked many times a second
  // A cell, a block and the name of a place, "" for this machine: what is known of it from an earlier measurement there; it is
  // not measured again. Null: nothing.
  std::function<std::optional<Series>(std::size_t cell, std::size_t block,
                                      const std::string& place)>
      known = nullptr;
  // The names of the places of which anything is known of a block. Null: none.
  std::function<std::vector<std::string>(std::size_t block)> known_at = nullptr;
  // The block of a cell was measured: a series with this block alone, or with the failure. Not called for what was lost with a
  // place. Null: no caller asks.
  std::function<void(std::size_t cell, std::size_t block, const Series&)> measured = nullptr;
  // Tests replace it.
  std::function<ComparisonData(const ComparisonPlan&, const SamplerEvents&)> sample = &Sample;
};

// Adds blocks to a series, and the failure that ends it.
void AppendSeries(Series& to, Series from);

// Measures a sweep: block by block, and in each all cells that are not settled, in a random order, each in a process of its own that
// ends before the next one begins. What is known and what is measured gives the same series, so that a sweep that was
// interrupted continues where it ended. A cell that fails has no more blocks; the others continue.
//
// With places, each measures another block at the same time, on a thread of its own: block k is measured by place k modulo their
// number, and all of its cells there. So two cells are only compared on one machine. A place that is lost loses the block that it had
// begun, which another place measures; cells have holes when no place is left. A block that one place knows counts, whether or
// not the plan has that place. Where cells have a place of their own (SweepCell::measured_at), the places measure each block together, and
// the cells of a place that is lost have holes. Thread: the caller's.
SweepData SampleSweep(const SweepPlan& plan, const SweepEvents& events);

}  // namespace schedbench::harness
