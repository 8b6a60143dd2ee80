#pragma once

#include "harness/agent/message.hpp"
#include "harness/machine/disturbance.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// All rounds of one alternative under one workload.
struct Series {
  // The index is the number of the block: two alternatives are compared in blocks with equal
  // numbers. A block has all its rounds; none after a failure. Cancelled blocks are missing.
  std::vector<std::vector<RoundReply>> blocks;
  std::string failure;  // why there will be no more; "" for none
  // Lines of the agent about the failure; for a hang: what waits where.
  std::vector<std::string> details = {};
  // It failed because it could not begin: a limit of the machine, or a setting.
  bool refused = false;
  bool absent = false;   // it has failed because the agent does not have the workload
  bool settled = false;  // it needs no more blocks: ExperimentEvents::settled
  // The loss of a connection to a machine, if that and not the agent ended it.
  enum class Lost : std::uint8_t {
    kNot,
    kConnection,  // the machine answers again
    kPlace,       // the machine does not answer
  };
  Lost lost = Lost::kNot;
  // The name of the machine that measured a single block, or all blocks of a cell of a grid in
  // which the machines are values of a key; "" for this machine.
  std::string place = "";
  std::string config = "";  // the config in effect as JSON; "": unknown
  // The reply of a round after those of the first block, which reports what the work was made of.
  std::optional<RoundReply> audit = std::nullopt;
  // The disturbance of a single block that still counts.
  std::optional<Disturbance> disturbed = std::nullopt;

  // Adds blocks, and the failure that ends it.
  void Append(Series&& from);

  // Returns whether it needs more blocks.
  bool Runs() const {
    return failure.empty() && !settled && lost == Lost::kNot;
  }
};

// Return the keys of a series in results, and of a disturbance in journals.
record::Of<Series> RecordOf(const Series* /*type*/);
record::Of<Disturbance> RecordOf(const Disturbance* /*type*/);

// A block of a group in which something else ran.
struct DisturbedBlock {
  std::size_t group;
  std::size_t block;
  Disturbance by;
  // The rounds of each alternative that a repetition replaced; empty where the block counts.
  std::vector<std::vector<RoundReply>> replaced = {};
};

// Blocks of groups in which something else ran.
struct BlockCounts {
  std::size_t disturbed = 0;  // disturbed blocks that still count
  std::size_t repeated = 0;   // blocks that were measured again

  void Add(const BlockCounts& other) {
    disturbed += other.disturbed;
    repeated += other.repeated;
  }
};

struct ExperimentData {
  std::vector<std::vector<Series>> series;  // [group][alternative]
  bool complete = false;                    // false: it was cancelled
  bool out_of_budget = false;               // it ended before the last block because of the budget
  std::vector<DisturbedBlock> disturbed = {};  // disturbed blocks in the order of measuring
  // Why each machine of the plan was lost, after the blocks that it measured; "" where it was not.
  std::vector<std::string> lost = {};
  // The machine's name for each index in Series::blocks, if blocks are distributed.
  std::vector<std::string> block_places = {};
  // Probable duration of the first block, if the budget ended in it.
  std::optional<std::chrono::nanoseconds> unfinished_block = std::nullopt;

  // Returns the series of a group of one alternative.
  const Series& Cell(std::size_t group) const {
    return series[group].front();
  }
  Series& Cell(std::size_t group) {
    return series[group].front();
  }
  BlockCounts Counts() const;
};

}  // namespace schedbench::harness
