#pragma once

#include "harness/compare/plan.hpp"
#include "registry/metric.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A search for better settings of a scheduler: successive halving over candidates, and a comparison of its result
// with the default on fresh data.

namespace schedbench::harness {

// What is to become better.
enum class Objective : std::uint8_t { kThroughput, kP99, kCpu, kMemory };

// As on the command line, in the order of the enumerators.
inline constexpr std::array<std::string_view, 4> kObjectiveNames{"throughput", "p99", "cpu",
                                                                 "memory"};

constexpr std::array<std::string_view, 4> NamesOf(Objective) {
  return kObjectiveNames;
}

inline constexpr registry::Better BetterOf(Objective objective) {
  return objective == Objective::kThroughput ? registry::Better::kHigher : registry::Better::kLower;
}

// Returns the metric of a workload that an objective stands for: throughput, cpu_per_operation, peak_memory, and the
// first p99 of a time that the workload itself reports, else wakeup_p99. Pure; thread-safe.
const registry::Metric& MetricOf(Objective objective, const registry::WorkloadEntry& workload);

// A field of the config that the search varies.
struct TuneField {
  std::string path;                 // "lifo_limit", "stacks.guard"
  std::vector<std::string> values;  // the default's among them
  std::size_t default_value = 0;    // its place
  bool is_ordered = false;          // numbers, ascending
};

// The index of the value of each field.
using TunePlace = std::vector<std::size_t>;

struct TuneCandidate {
  TunePlace place;
  Alternative alternative;
  std::vector<std::string> changes = {};  // "lifo_limit=0": where it differs from the default
  std::vector<std::string> command = {};  // runs it: "schedbench", "run", ... without a workload
};

// The blocks are those of the comparison.
struct TunePlan : Extent {
  std::vector<TuneField> fields;
  std::vector<TuneCandidate> candidates;  // the first is the default
  bool is_full_grid = false;              // the candidates are all combinations of the values
  std::size_t impossible = 0;         // combinations that were drawn and that the config forbids
  std::vector<Objective> objectives;  // at least one, each once
  std::vector<ComparedWorkload> workloads;  // the searched ones, then those that are held out
  std::size_t searched = 0;                 // how many are searched; at least one
  double min_effect = 0.02;                 // smaller differences do not matter
  std::string perturbed = "";               // what disturbs it on purpose; "" for nothing
};

// The place of the default among the candidates.
inline constexpr std::size_t kDefaultCandidate = 0;

// Of each candidate in the first rung; so many show noise (arbitrary).
inline constexpr std::uint32_t kFirstBlocks = 3;
// A rung keeps one of so many, and has as many times the blocks.
inline constexpr std::size_t kHalving = 3;
// Of a Pareto front that are compared (arbitrary).
inline constexpr std::size_t kMostWinners = 3;
// The search begins no block after this share of the budget; the rest is for the comparison (arbitrary).
inline constexpr double kSearchShare = 0.6;

// A step of the search.
struct PlannedRung {
  std::uint32_t blocks;    // of each candidate, those of former rungs included
  std::size_t candidates;  // besides the default
};

// Returns the rungs if no candidate fails. Pure; thread-safe.
std::vector<PlannedRung> PlannedRungs(const TunePlan& plan);

// Returns how many of the candidates, the default aside, a rung keeps. Pure; thread-safe.
std::size_t KeptOf(std::size_t candidates, std::size_t objectives);

// Returns whether a rung with so many candidates is the last one. `rungs`: with this one. Pure; thread-safe.
bool IsLastRung(std::size_t candidates, std::size_t rungs, std::size_t objectives);

}  // namespace schedbench::harness
