#pragma once

#include "harness/agent/message.hpp"
#include "harness/compare/plan.hpp"
#include "harness/machine/disturbance.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// All rounds of one alternative under one workload.
struct Series {
  // By the number of the block: pairs of two alternatives are blocks of the same number. Each has all of its rounds, or, from
  // the failure on, none. A block that was cut short by cancelling has no place here.
  std::vector<std::vector<RoundReply>> blocks;
  std::string failure;  // why there will be no more; "" for none
  std::vector<std::string> details =
      {};  // lines that the agent reported about it: of a hang, what waits where
  bool refused =
      false;  // it has failed because it could not begin: a limit of the machine, or a setting
  bool absent = false;   // likewise, because there is no such workload there
  bool settled = false;  // it needs no more blocks: SamplerEvents::settled
  // What ended it was not the agent, but the way to another machine.
  enum class Lost : std::uint8_t {
    kNot,
    kConnection,  // the machine answers again
    kPlace,       // it does not
  };
  Lost lost = Lost::kNot;
  // Of a cell of a sweep that has a place of its own, and of a single block: the name of the machine; "" for this one.
  std::string place = "";
  // The config that is in effect there, by its JSON; "": it is unknown.
  std::string config = "";
  // A round that reports what the work was made of, after those of the first block.
  std::optional<RoundReply> audit = std::nullopt;
  // Of a single block that counts although something else ran.
  std::optional<Disturbance> disturbed = std::nullopt;
};

// The keys of a series in results, and of a disturbance in journals.
const record::Record& RecordOf(const Series* /*type*/);
const record::Record& RecordOf(const Disturbance* /*type*/);

// A block of all alternatives under a workload in which something else ran.
struct DisturbedBlock {
  std::size_t workload;
  std::size_t block;
  Disturbance by;
  // Of the alternatives, where it was measured again in place of these; empty where it counts.
  std::vector<std::vector<RoundReply>> replaced = {};
};

struct ComparisonData {
  std::vector<std::vector<Series>> series;     // [workload][alternative]
  bool complete = false;                       // false: it was cancelled
  std::vector<DisturbedBlock> disturbed = {};  // in the order of measuring
  // Of each place of the plan: why it was lost, after the blocks that its workloads have; "" where it was not.
  std::vector<std::string> lost = {};
  // Of a plan whose budget ended in its first block, so that there is none: how long that block would probably have taken.
  std::optional<std::chrono::nanoseconds> unfinished_block = std::nullopt;
};

// What the sampler reports of itself.
struct SamplerEvents {
  // A round is about to begin. Counted in rounds, warm-ups included.
  std::function<void(std::size_t done, std::size_t of)> progress;
  // Asked many times a second: whether to stop with what there is.
  std::function<bool()> cancelled;
  // Called after each block of a plan with a budget: which alternatives need no more blocks under this workload. The first one,
  // with which the others are compared, is measured as long as any other one is.
  std::function<std::vector<bool>(const ComparisonData& data, std::size_t workload)> settled =
      nullptr;
  // A cell (ComparedCellOf()), a block and the name of its place, "" for this machine: what is known of it from an earlier
  // measurement. A block of which all cells are known is not measured. Null: nothing is known.
  std::function<std::optional<Series>(std::size_t cell, std::size_t block,
                                      const std::string& place)>
      known = nullptr;
  // A block of a cell counts, or its alternative has failed: a series with this block alone, or with the failure. Not called
  // for what was lost with a place. Null: no caller asks.
  std::function<void(std::size_t cell, std::size_t block, const Series&)> measured = nullptr;
  // In place of a look at the machine: what has disturbed a block that was just measured.
  std::function<Disturbance()> disturbance = nullptr;
  // In place of the clock of a budget: nanoseconds.
  std::function<std::uint64_t()> now = nullptr;
};

// Returns the number of an alternative under a workload of the plan, for journals. It is the same at each place.
inline std::size_t ComparedCellOf(const ComparisonPlan& plan, std::size_t workload,
                                  std::size_t alternative) {
  const std::size_t workloads =
      plan.places.empty() ? plan.workloads.size() : plan.workloads.size() / plan.places.size();
  return workload % workloads * plan.alternatives.size() + alternative;
}

// How many blocks of a workload are measured again because something disturbed them: on a busy machine a measurement still gets
// an answer, and the report says so.
constexpr std::size_t RepeatedAtMost(std::size_t blocks) {
  return blocks / 4;
}

// How many connections may be lost in a row, until the place counts as lost; arbitrary.
inline constexpr std::size_t kMostLostConnections = 3;

// Measures a comparison: block by block, and in each all workloads, so that what is known grows evenly. An alternative that
// fails under a workload has no more blocks there; the others continue. Thread: the caller's; agents are its children.
ComparisonData Sample(const ComparisonPlan& plan, const SamplerEvents& events);

}  // namespace schedbench::harness
