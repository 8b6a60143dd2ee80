#pragma once

#include "tests/sim/explorer/model.hpp"

#include <cstdint>
#include <string>

namespace schedbench::sim {

enum class Strategy : std::uint8_t { kDepthFirst, kPriorities, kRandom };

struct Effort {
  Strategy strategy = Strategy::kDepthFirst;
  Limits limits;
  std::uint64_t seed = 1;                 // of kPriorities and kRandom
  unsigned depth = 3;                     // of kPriorities
  std::uint64_t executions = UINT64_MAX;  // stop after so many
  double seconds = 1e9;                   // or so long
};

struct Finding {
  bool failed = false;
  bool died = false;      // the process that explored: shows nothing
  bool complete = false;  // nothing within the limits is left
  std::string failure;
  std::string schedule;          // of the failed execution, for Replay
  std::uint64_t executions = 0;  // ended or cut off
  std::uint64_t states = 0;      // different ones, up to the order of independent steps
  std::uint64_t steps = 0;
  double seconds = 0;
};

// Runs `model` until it fails, is explored, or the effort is spent.
Finding Explore(const Model& model, const Effort& effort);

// Runs one execution of `model` by a line that Finding::schedule gave. Throws std::invalid_argument
// for a line that is no schedule, or none of this model. With `trace` each operation is printed.
Finding RunSchedule(const Model& model, const std::string& schedule, bool trace);

}  // namespace schedbench::sim
