#pragma once

#include "harness/compare/plan.hpp"
#include "registry/metric.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A search for better settings of a scheduler: successive halving over candidates, and a comparison
// of its result with the default on fresh data.

namespace schedbench::harness {

// The aim of a search.
enum class Objective : std::uint8_t { kThroughput, kP99, kCpu, kMemory };

// Names on the command line, in the order of the enumerators.
inline constexpr std::array<std::string_view, 4> kObjectiveNames{"throughput", "p99", "cpu",
                                                                 "memory"};

constexpr std::array<std::string_view, 4> NamesOf(Objective) {
  return kObjectiveNames;
}

inline constexpr registry::Better BetterOf(Objective objective) {
  return objective == Objective::kThroughput ? registry::Better::kHigher : registry::Better::kLower;
}

// Returns the metric of a workload for an objective: throughput, cpu_per_operation, peak_memory, or
// the first p99 that the workload itself reports, otherwise wakeup_p99. Pure; thread-safe.
const registry::Metric& MetricOf(Objective objective, const registry::WorkloadEntry& workload);

// A field of the config that the search varies.
struct TuneField {
  std::string path;                 // "lifo_limit", "stacks.guard"
  std::vector<std::string> values;  // values with the default's
  std::size_t default_value = 0;    // index of the default's value
  bool is_ordered = false;          // numbers, ascending
};

// The index of the value of each field.
using TunePlace = std::vector<std::size_t>;

struct TuneCandidate {
  TunePlace place;
  Alternative alternative;
  std::vector<std::string> changes = {};  // differences from the default: "lifo_limit=0"
  // Command that runs it, without a workload: "schedbench", "run", ...
  std::vector<std::string> command = {};
};

// A plan of a search. The blocks are those of the comparison.
struct TunePlan : Extent {
  std::vector<TuneField> fields;
  std::vector<TuneCandidate> candidates;    // the first is the default
  bool is_full_grid = false;                // the candidates are all combinations of the values
  std::size_t impossible = 0;               // drawn combinations that the config forbids
  std::vector<Objective> objectives;        // at least one, each once
  std::vector<ComparedWorkload> workloads;  // the searched ones, then those that are held out
  std::size_t searched = 0;                 // number of searched workloads; at least one
  double min_effect = 0.02;                 // smaller differences do not matter
  std::string perturbed = "";               // what disturbs it on purpose; "" for nothing
};

// The index of the default among the candidates.
inline constexpr std::size_t kDefaultCandidate = 0;

// Blocks of each candidate in the first rung; this number shows noise (arbitrary).
inline constexpr std::uint32_t kFirstBlocks = 3;
// A rung keeps a candidate in this many and multiplies the blocks by this number.
inline constexpr std::size_t kHalving = 3;
// Number of members of a Pareto front that are compared (arbitrary).
inline constexpr std::size_t kMostWinners = 3;
// The search's share of the budget (arbitrary): later, only the comparison begins blocks.
inline constexpr double kSearchShare = 0.6;

// A step of the search.
struct PlannedRung {
  std::uint32_t blocks;    // blocks of each candidate, with those of former rungs
  std::size_t candidates;  // without the default
};

// Returns the rungs if no candidate fails. Pure; thread-safe.
std::vector<PlannedRung> PlannedRungs(const TunePlan& plan);

// Returns how many of the candidates a rung keeps, without the default. Pure; thread-safe.
std::size_t KeptOf(std::size_t candidates, std::size_t objectives);

// Returns whether the rung is the last. `rungs`: their number with this one. Pure; thread-safe.
bool IsLastRung(std::size_t candidates, std::size_t rungs, std::size_t objectives);

}  // namespace schedbench::harness
