#pragma once

#include "harness/experiment/block.hpp"
#include "harness/experiment/data.hpp"
#include "harness/experiment/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

struct ExperimentProgress {
  std::size_t block;  // from 0
  std::size_t blocks;
  std::size_t settled;  // cells that get no more blocks
  std::size_t cells;    // alternatives of all groups
  std::size_t done;     // blocks of cells, those of settled cells included
  std::size_t of;
  std::size_t rounds_done = 0;  // likewise in rounds, warm-ups included
  std::size_t rounds = 0;
  std::optional<double> seconds_left =
      std::nullopt;  // at most; none before the first block of a group has ended
};

// What a measurement asks and reports: one call at a time, apart from `measure_block` and `now`.
// `cancelled` and `settled` are called on the thread of the caller, the others with places on their
// threads. `cell`: a number of Group::cells. `block`: the number of the block, counted from
// ExperimentPlan::first_block.
struct ExperimentEvents {
  std::function<void(const ExperimentProgress&)> progress;  // a round is about to begin
  std::function<bool()> cancelled;  // asked many times a second: whether to stop with what there is
  // What is known of a block from an earlier measurement at a place, whose name is "" for this
  // machine. A block of a group whose alternatives are all known is not measured again. Null:
  // nothing.
  std::function<std::optional<Series>(std::size_t cell, std::size_t block,
                                      const std::string& place)>
      known = nullptr;
  // The names of the places of which anything is known of a block. Null: none.
  std::function<std::vector<std::string>(std::size_t block)> known_at = nullptr;
  // A block of a cell counts, or its alternative has failed: a series with this block alone, or
  // with the failure. Not called for what was lost with a place. Null: no caller asks.
  std::function<void(std::size_t cell, std::size_t block, const Series&)> measured = nullptr;
  // A block of a group counts, or has failed. Null: no caller asks.
  std::function<void(const ExperimentData& data)> changed = nullptr;
  // Called after each block of all groups: which alternatives need no more blocks, by group; an
  // empty list: none. Null: all need all blocks.
  std::function<std::vector<std::vector<bool>>(const ExperimentData& data)> settled = nullptr;
  // Tests replace the agents, the look at the machine and the clock of the budget, in nanoseconds.
  std::function<BlockData(const BlockPlan&, const BlockEvents&)> measure_block = &MeasureBlock;
  std::function<Disturbance()> disturbance = nullptr;
  std::function<std::uint64_t()> now = nullptr;
};

// How many blocks of groups are measured again because something disturbed them: on a busy machine
// a measurement still gets an answer, and the report says so.
constexpr std::size_t RepeatedAtMost(std::size_t blocks) {
  return blocks / 4;
}

// How often one block is measured again: what disturbs it for longer does not end soon; arbitrary.
inline constexpr std::size_t kMostRepeats = 3;

// How many connections may be lost in a row, until the place counts as lost; arbitrary.
inline constexpr std::size_t kMostLostConnections = 3;

// Measures block by block, and in each block all groups that need it, so that what is known grows
// evenly. What is known and what is measured gives the same series, so that a measurement that was
// interrupted continues where it ended. An alternative that fails has no more blocks in its group;
// the others continue, but nothing is left to compare after the first one has failed.
//
// Places measure at the same time, each on a thread. Either each workload has its place, or whole
// blocks are distributed: block k is measured by place k modulo their number, so that two groups
// are only compared on one machine. A place that is lost loses the block that it had begun. Of
// distributed blocks another place measures that one, and a block that one place knows counts,
// whether or not the plan has that place. Thread: the caller's.
ExperimentData Measure(const ExperimentPlan& plan, const ExperimentEvents& events);

}  // namespace schedbench::harness
