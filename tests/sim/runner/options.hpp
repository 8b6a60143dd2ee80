#pragma once

#include "tests/sim/explorer/explorer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::sim {

// The command line of `models`.
struct Options {
  std::vector<std::string> only;  // parts of the names of the models to run; none: all
  std::string replay;
  bool list = false;
  bool files = false;
  bool trace = false;
  bool hunt = false;
  bool mutants = false;
  bool quick = false;  // as far as `make test` explores
  double hunt_seconds = 60;
  std::string survivors;  // file of those that may survive
  std::string at;         // only mutants at these FILE:LINE
  unsigned jobs = 1;
  Effort effort;
  // Given: in place of each model's own.
  std::optional<unsigned> preemptions;
  std::optional<unsigned> stale_reads;
  std::optional<unsigned> spurious;
  double total_seconds = 0;  // shared by the models; 0: no limit
};

// The models that the options name, by name. Throws std::invalid_argument where there are none.
std::vector<const Model*> ChosenModels(const Options& options);

// Prints help or what is wrong and exits where there is nothing to run.
Options ParseOptions(int argc, char** argv);

}  // namespace schedbench::sim
