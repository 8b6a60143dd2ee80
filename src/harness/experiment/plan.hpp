#pragma once

#include "harness/agent/place.hpp"
#include "record/type.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A scheduler of some agent, with a config.
struct Alternative {
  std::string name;                  // in the table: "fast", "lifo off"
  std::vector<std::string> command;  // that starts the agent
  std::string scheduler;             // as that agent calls it
  std::string config = "{}";         // JSON object
  std::string runtime = "";          // whose scheduler it is: "go go1.19.8"; "" for our own
  std::string tasks = "fibers";      // what its units of work are
  // What a foreign one can do. Our own does everything.
  std::optional<std::vector<std::string>> workloads = std::nullopt;
  // How to get its current version, if it is too old to have a workload; "": unknown.
  std::string update = "";
  // The report prints it, with the remedy that follows four blanks; "" for none.
  std::string note = "";
};

// A workload with its parameters.
struct ComparedWorkload {
  const registry::WorkloadEntry* entry;
  std::string name = "";          // in the table, as it was asked for: "pingpong:pairs=8"
  std::string parameters = "{}";  // JSON object
  PlacePtr place = nullptr;       // the machine of all agents that do it
};

// How much is measured: a part of plans.
struct Extent {
  std::uint32_t blocks = 20;  // fresh processes of each alternative or cell
  std::uint32_t rounds = 3;   // measured in each process
  std::uint32_t warmup = 1;
  std::uint64_t seed = 0;
  std::chrono::nanoseconds limit{0};  // of a round; 0: none
  // No block begins that would probably end after this time, and none continues after it. None:
  // everything is measured.
  std::optional<std::chrono::nanoseconds> budget = std::nullopt;
};

// The keys of an extent in results.
record::Of<Extent> RecordOf(const Extent* /*type*/);

// Returns a plan with this extent, but with `blocks` blocks and without a budget.
template <typename Plan>
Plan PlanLike(const Extent& extent, std::uint32_t blocks) {
  Plan plan;
  static_cast<Extent&>(plan) = extent;
  plan.blocks = blocks;
  plan.budget.reset();
  return plan;
}

// Alternatives that do one workload with the same parameters. In each block the rounds of all of
// them alternate, and the others are compared with the first one. A group of one alternative is a
// cell of a grid.
struct Group {
  ComparedWorkload workload;
  std::vector<Alternative> alternatives;
  std::vector<std::size_t>
      cells;                    // the number of each alternative under the workload, for journals
  std::string impossible = "";  // why the combination is not allowed; "" if it is
};

// What to measure. A block is a fresh process for each alternative of each group, in which each
// does `warmup` rounds and then `rounds` that count. Processes differ by where their memory happens
// to lie, so that the rounds of one have that in common: a block is one value of an alternative,
// the median of its rounds, and the pairs of the statistics are blocks.
struct ExperimentPlan : Extent {
  std::vector<Group> groups;
  // The number of the first block, from which the seeds of its random choices follow.
  std::size_t first_block = 0;
  std::vector<PlacePtr> places = {};  // other machines; empty: all is measured here
  // Whether whole blocks are distributed over the places. Otherwise each workload has its place.
  bool distributes = false;
  bool shuffles = false;  // whether the groups of a block come in a random order
  bool audits = false;    // whether a round after the first block counts what was done
};

}  // namespace schedbench::harness
