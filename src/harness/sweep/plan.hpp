#pragma once

#include "harness/experiment/plan.hpp"
#include "registry/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A key of a sweep's cells: a setting, a workload parameter, the scheduler or the workload.
struct SweepKey {
  std::string name;                 // "workers", "workload.pairs", "scheduler"
  std::vector<std::string> values;  // values as shown, in the order of the command line
};

// One combination of values.
struct SweepCell {
  std::vector<std::size_t> place;  // the index of the value of each key
  Alternative alternative;
  ComparedWorkload workload;
  std::string impossible = "";                // why the combination is not allowed; "" if it is
  std::vector<std::string> command = {};      // runs this cell alone: "schedbench", "run", ...
  std::optional<std::uint32_t> workers = {};  // number that its config names
  // The index of its machine in the plan, if a machine is a key. Either all cells have it or none
  // does. None: the blocks are distributed.
  std::optional<std::size_t> measured_at = {};
};

// A grid of cells: all combinations, the last key fastest.
struct SweepPlan : Extent {
  std::vector<SweepKey> keys;
  std::vector<SweepCell> cells;
  const registry::Metric* metric = nullptr;  // compares the cells; it has a better way
  double min_effect = 0.02;                  // smaller differences do not matter
  std::string perturbed = "";                // what disturbs all cells on purpose; "" for nothing
  std::size_t first_block = 0;  // number of the first block, from which its random seeds follow
  // Machines that share the blocks, each with all its cells on one. Empty: all are measured here.
  std::vector<PlacePtr> places = {};
  bool settles = true;  // whether cells that are proven worse than the best end early
};

// Returns what is measured: each cell is its own group, in a random order in each block.
ExperimentPlan ExperimentOf(const SweepPlan& plan);

}  // namespace schedbench::harness
