#pragma once

#include "harness/experiment/plan.hpp"
#include "registry/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// What differs between the cells of a sweep: a setting, a parameter of the workload, the scheduler or the workload.
struct SweepKey {
  std::string name;                 // "workers", "workload.pairs", "scheduler"
  std::vector<std::string> values;  // as they are shown, in the order of the command line
};

// One combination of values.
struct SweepCell {
  std::vector<std::size_t> place;  // the index of the value of each key
  Alternative alternative;
  ComparedWorkload workload;
  std::string impossible = "";                // why the combination is not allowed; "" if it is
  std::vector<std::string> command = {};      // runs this cell alone: "schedbench", "run", ...
  std::optional<std::uint32_t> workers = {};  // that its config names
  // The place of the plan that measures it, of all cells or of none: then the place is a key. None: the blocks are distributed.
  std::optional<std::size_t> measured_at = {};
};

// A grid of cells: all combinations, the last key fastest.
struct SweepPlan : Extent {
  std::vector<SweepKey> keys;
  std::vector<SweepCell> cells;
  const registry::Metric* metric = nullptr;  // by which cells are compared; it has a better way
  double min_effect = 0.02;                  // smaller differences do not matter
  std::string perturbed = "";                // what disturbs all cells on purpose; "" for nothing
  std::size_t first_block = 0;  // its number, from which the seeds of its random choices follow
  // The machines to which the blocks are distributed, all cells of a block to one. Empty: all are measured here.
  std::vector<PlacePtr> places = {};
  bool settles = true;  // whether cells that are proven worse than the best end early
};

// Returns what is measured: each cell is a group of its own, in a random order in each block.
ExperimentPlan ExperimentOf(const SweepPlan& plan);

}  // namespace schedbench::harness
