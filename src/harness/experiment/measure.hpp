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
  std::size_t rounds_done = 0;  // rounds, warm-ups included
  std::size_t rounds = 0;
  // Upper limit; none before the first block of a group has ended.
  std::optional<double> seconds_left = std::nullopt;
};

// Callbacks of a measurement. Calls come one at a time, apart from `measure_block` and `now`.
// `cancelled` and `settled` run on the caller's thread, the others on the threads of the machines.
// `cell`: see Group::cells. `block`: from ExperimentPlan::first_block.
struct ExperimentEvents {
  std::function<void(const ExperimentProgress&)> progress;  // a round is about to begin
  std::function<bool()> cancelled;  // asked many times a second whether to stop
  // Returns what an earlier measurement on a machine ("": this one) knows of a block. A block of a
  // group whose alternatives are all known is not measured again. Null: nothing is known.
  std::function<std::optional<Series>(std::size_t cell, std::size_t block,
                                      const std::string& place)>
      known = nullptr;
  // Returns the names of the machines that know something of a block. Null: none.
  std::function<std::vector<std::string>(std::size_t block)> known_at = nullptr;
  // Called when a block of a cell counts or its alternative has failed, with a series of only this
  // block or failure. Not called for what was lost with a machine. May be null.
  std::function<void(std::size_t cell, std::size_t block, const Series&)> measured = nullptr;
  // Called when a block of a group counts or has failed. May be null.
  std::function<void(const ExperimentData& data)> changed = nullptr;
  // Called after each block of all groups. Returns which alternatives need no more blocks, by
  // group; empty: none. Null: all need all blocks.
  std::function<std::vector<std::vector<bool>>(const ExperimentData& data)> settled = nullptr;
  // Tests replace the agents, the disturbance check and the clock of the budget (nanoseconds).
  std::function<BlockData(const BlockPlan&, const BlockEvents&)> measure_block = &MeasureBlock;
  std::function<Disturbance()> disturbance = nullptr;
  std::function<std::uint64_t()> now = nullptr;
};

// Limit of the repetitions of a block (arbitrary): a longer disturbance does not end soon.
inline constexpr std::size_t kMostRepeats = 3;

// Number of connections lost in a row after which the machine counts as lost (arbitrary).
inline constexpr std::size_t kMostLostConnections = 3;

// Measures block by block, and in each block all groups that need it, so that knowledge grows
// evenly. Known and measured blocks give the same series, so an interrupted measurement continues
// where it ended. An alternative that fails has no more blocks in its group; the others continue,
// but after a failure of the first one nothing is left to compare.
//
// Machines measure at the same time, each on a thread. Either each workload has its machine, or
// whole blocks are distributed: block k goes to machine k modulo their number, so that two groups
// are only compared on one machine. A lost machine loses the block that it had begun; if blocks are
// distributed, another one measures it. A distributed block that one machine knows counts even if
// the plan lacks that machine. The caller's thread calls this.
ExperimentData Measure(const ExperimentPlan& plan, const ExperimentEvents& events);

}  // namespace schedbench::harness
