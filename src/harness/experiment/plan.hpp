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
  std::string name;                  // name in the table: "fast", "lifo off"
  std::vector<std::string> command;  // command that starts the agent
  std::string scheduler;             // name that the agent uses
  std::string config = "{}";         // JSON object
  std::string runtime = "";          // runtime of the scheduler: "go go1.19.8"; "" for our own
  std::string tasks = "fibers";      // what its units of work are
  // The workloads of a foreign scheduler. Our own does all.
  std::optional<std::vector<std::string>> workloads = std::nullopt;
  // Command that updates an agent which is too old for a workload; "": unknown.
  std::string update = "";
  std::string note = "";  // a note for the report, with a remedy after four blanks; "" for none
};

// A workload with its parameters.
struct ComparedWorkload {
  const registry::WorkloadEntry* entry;
  std::string name = "";          // name in the table, as the user asked: "pingpong:pairs=8"
  std::string parameters = "{}";  // JSON object
  PlacePtr place = nullptr;       // the machine of all agents that do it
};

// The amount of measurements: a part of plans.
struct Extent {
  std::uint32_t blocks = 20;  // fresh processes of each alternative or cell
  std::uint32_t rounds = 3;   // measured rounds in each process
  std::uint32_t warmup = 1;
  std::uint64_t seed = 0;
  std::chrono::nanoseconds limit{0};  // limit of a round; 0: none
  // Limit: no block begins that would probably end later, and none continues. None: no limit.
  std::optional<std::chrono::nanoseconds> budget = std::nullopt;
};

// Returns the keys of an extent in results.
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

// Alternatives that do one workload with the same parameters. Their rounds alternate in each block,
// and the first one is the reference. A group of one alternative is a cell of a grid.
struct Group {
  ComparedWorkload workload;
  std::vector<Alternative> alternatives = {};
  std::vector<std::size_t> cells = {};  // numbers of the alternatives for journals
  std::string impossible = "";          // why the combination is not allowed; "" if it is
};

// A measurement. A block is a fresh process for each alternative of each group, in which each does
// `warmup` rounds and then `rounds` that count. Rounds of a process share its memory layout. So a
// block is one value of an alternative, its rounds' median, and the statistics pair blocks.
struct ExperimentPlan : Extent {
  std::vector<Group> groups;
  std::size_t first_block = 0;  // the number of the first block, from which its random seeds follow
  std::vector<PlacePtr> places = {};  // other machines; empty: all is measured here
  // False: each workload has its machine. True: the machines share whole blocks.
  bool distributes = false;
  bool shuffles = false;  // whether the groups of a block come in a random order
  bool audits = false;    // whether a round after the first block counts what was done
};

}  // namespace schedbench::harness
