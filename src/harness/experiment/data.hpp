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
  // The index is the number of the block: two alternatives are compared in blocks of the same
  // number. A block has all of its rounds, or, from the failure on, none. A cancelled block is not
  // in the list.
  std::vector<std::vector<RoundReply>> blocks;
  std::string failure;  // why there will be no more; "" for none
  std::vector<std::string> details =
      {};  // lines that the agent reported about it: of a hang, what waits where
  bool refused =
      false;  // it has failed because it could not begin: a limit of the machine, or a setting
  bool absent = false;   // it has failed because the agent does not have the workload
  bool settled = false;  // it needs no more blocks: ExperimentEvents::settled
  // What ended it was not the agent, but the way to another machine.
  enum class Lost : std::uint8_t {
    kNot,
    kConnection,  // the machine answers again
    kPlace,       // it does not
  };
  Lost lost = Lost::kNot;
  // The name of the machine that measured a single block, or all blocks of a cell of a grid whose
  // places are values of a key; "" for this one.
  std::string place = "";
  // The config that is in effect there, by its JSON; "": it is unknown.
  std::string config = "";
  // A round that reports what the work was made of, after those of the first block.
  std::optional<RoundReply> audit = std::nullopt;
  // What else ran during a single block that counts all the same.
  std::optional<Disturbance> disturbed = std::nullopt;

  // Whether it needs more blocks.
  bool Runs() const {
    return failure.empty() && !settled && lost == Lost::kNot;
  }
};

// The keys of a series in results, and of a disturbance in journals.
record::Of<Series> RecordOf(const Series* /*type*/);
record::Of<Disturbance> RecordOf(const Disturbance* /*type*/);

// A block of a group in which something else ran.
struct DisturbedBlock {
  std::size_t group;
  std::size_t block;
  Disturbance by;
  // The rounds of each alternative, where it was measured again in place of these; empty where it
  // counts.
  std::vector<std::vector<RoundReply>> replaced = {};
};

// Blocks of groups in which something else ran.
struct BlockCounts {
  std::size_t disturbed = 0;  // that count all the same
  std::size_t repeated = 0;   // that were measured again

  void Add(const BlockCounts& other) {
    disturbed += other.disturbed;
    repeated += other.repeated;
  }
};

struct ExperimentData {
  std::vector<std::vector<Series>> series;  // [group][alternative]
  bool complete = false;                    // false: it was cancelled
  bool out_of_budget = false;               // it ended before the last block because of the budget
  std::vector<DisturbedBlock> disturbed = {};  // in the order of measuring
  // Why each place of the plan was lost, after the blocks that it has measured; "" where it was
  // not.
  std::vector<std::string> lost = {};
  // The name of the place that measured all groups of a block, by the index in Series::blocks,
  // where blocks are distributed.
  std::vector<std::string> block_places = {};
  // How long the first block would probably have taken, where the budget ended in it, so that there
  // is none.
  std::optional<std::chrono::nanoseconds> unfinished_block = std::nullopt;

  // The series of a group of one alternative.
  const Series& Cell(std::size_t group) const {
    return series[group].front();
  }
  Series& Cell(std::size_t group) {
    return series[group].front();
  }
  BlockCounts Counts() const;
};

}  // namespace schedbench::harness
