#pragma once

#include "harness/agent/place.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// One of those that are compared: a scheduler of some agent, with a config.
struct Alternative {
  std::string name;                  // in the table: "fast", "lifo off"
  std::vector<std::string> command;  // that starts the agent
  std::string scheduler;             // as that agent calls it
  std::string config = "{}";         // JSON object
  std::string runtime = "";          // whose scheduler it is: "go go1.19.8"; "" for our own
  std::string tasks = "fibers";      // what its units of work are
  // Of a foreign one: what it can do. Our own does everything.
  std::optional<std::vector<std::string>> workloads = std::nullopt;
  // How to get its current version, if it is too old to have a workload; "": unknown.
  std::string update = "";
  // The report prints it, with the remedy that follows four blanks; "" for none.
  std::string note = "";
};

// A workload that all of them do, with the same parameters.
struct ComparedWorkload {
  const registry::WorkloadEntry* entry;
  std::string name = "";          // in the table, as it was asked for: "pingpong:pairs=8"
  std::string parameters = "{}";  // JSON object
  PlacePtr place = nullptr;       // the machine of all agents that do it
};

// Alternatives of a former comparison. They come first in the plan and are not measured again.
struct SavedAlternatives {
  std::string file;
  std::size_t count = 0;
  std::vector<std::size_t>
      against;  // of each of the others: the saved one that it is compared with
};

// How much is measured: a part of plans.
struct Extent {
  std::uint32_t blocks = 20;  // fresh processes of each alternative or cell
  std::uint32_t rounds = 3;   // measured in each process
  std::uint32_t warmup = 1;
  std::uint64_t seed = 0;
  std::chrono::nanoseconds limit{0};  // of a round; 0: none
  // No block, cell or process begins after this time. None: everything is measured.
  std::optional<std::chrono::nanoseconds> budget = std::nullopt;
};

// Returns a plan with this extent, but with `blocks` blocks and without a budget.
template <typename Plan>
Plan PlanLike(const Extent& extent, std::uint32_t blocks) {
  Plan plan;
  static_cast<Extent&>(plan) = extent;
  plan.blocks = blocks;
  plan.budget.reset();
  return plan;
}

// What to compare. A block is a fresh process for each alternative, in which each does `warmup` rounds and then `rounds`
// that count, in turn with the others. Processes differ by where their memory happens to lie, so that the rounds of one have
// that in common: a block is one value of an alternative, the median of its rounds, and the pairs of the statistics are blocks.
//
// When the budget is over, the measurement stops after the current round, and the current block
// does not count. With a budget, an alternative under a workload is not measured further as soon as
// it is settled (SettledAlternatives() in analysis.hpp).
struct ComparisonPlan : Extent {
  std::vector<Alternative>
      alternatives;  // without saved ones, the others are compared with the first
  std::vector<ComparedWorkload> workloads;
  std::vector<std::string> metrics;  // by name, those that are compared; empty: all there are
  SavedAlternatives saved = {};
  // The number of the first block, from which the seeds of its random choices follow.
  std::size_t first_block = 0;
  std::vector<PlacePtr> places = {};  // of the workloads, each once; empty: all are done here
  bool audits = true;                 // whether a round after the first block counts what was done
};

// Returns the place of what an alternative is compared with; none of those that are what others are compared with.
inline std::optional<std::size_t> Against(const ComparisonPlan& plan, std::size_t alternative) {
  if (plan.saved.count == 0) {
    return alternative == 0 ? std::nullopt : std::optional<std::size_t>(0);
  }
  return alternative < plan.saved.count
             ? std::nullopt
             : std::optional(plan.saved.against[alternative - plan.saved.count]);
}

}  // namespace schedbench::harness
