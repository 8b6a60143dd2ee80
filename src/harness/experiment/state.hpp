#pragma once

#include "harness/experiment/data.hpp"
#include "harness/experiment/measure.hpp"
#include "harness/experiment/plan.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A block of those alternatives of a group that need one.
struct GroupBlock {
  std::vector<std::size_t> members;
  std::vector<Series> series;  // for each member, only this block or the failure

  // Returns the first series that was lost with a machine; null: none was lost.
  const Series* Lost() const;
  // Returns whether an alternative that has the workload has failed.
  bool HasFailed() const;
  // Returns whether each alternative has its rounds or a failure.
  bool IsWhole() const;
};

// The state of a measurement: the data so far, and what is missing. One thread at a time uses it.
class ExperimentState {
 public:
  // Both must outlive this object.
  ExperimentState(const ExperimentPlan& plan, const ExperimentEvents& events);

  // Return what is missing.
  std::vector<std::size_t> MembersThatRun(std::size_t group) const;
  bool NeedsBlocks(std::size_t group) const;
  bool AnyNeedsBlocks() const;
  bool IsThere(std::size_t place) const {
    return data.lost[place].empty();
  }
  std::size_t PlacesLeft() const;

  // Checks the budget: a block fits if it takes as long as the last one of its group.
  bool Fits(std::size_t group) const;
  bool IsTimeOver() const {
    return plan_.budget && Passed() > *plan_.budget;
  }
  // `rounds`: those done in the block in which the budget ended.
  void EndByBudget(std::size_t group, std::size_t block, std::size_t rounds);
  void Cancel();
  std::uint64_t Now() const;

  // Returns a known block of a group; none unless all of its running alternatives are known.
  std::optional<GroupBlock> Known(std::size_t group, std::size_t block,
                                  const std::string& place) const;
  // Counts a known block, which may have been disturbed.
  void CountKnown(std::size_t group, std::size_t block, const GroupBlock& known);
  // Counts a block that began at `begin_ns`.
  void CountMeasured(std::size_t group, const GroupBlock& measured, std::uint64_t begin_ns);
  // Reports the block to the journal.
  void Report(std::size_t group, std::size_t block, const std::string& place,
              GroupBlock& measured) const;
  // Adds the block, or the failures. Where a block counts, all alternatives that are not settled
  // have a block, the failed ones an empty one.
  void Add(std::size_t group, GroupBlock measured);
  // Ends alternatives that need no more blocks.
  void Settle();

  // `rounds`: those that have begun in the block.
  ExperimentProgress ProgressAt(std::size_t block, std::size_t rounds) const;

  ExperimentData data;
  // Machine of each group; none: here, or distributed.
  std::vector<std::optional<std::size_t>> places;
  bool ended = false;         // cancelled, or out of budget
  std::size_t under_way = 0;  // cells of distributed blocks that the machines have begun

 private:
  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(Now() - start_ns_);
  }
  std::size_t RoundsOfABlock() const {
    return std::size_t{plan_.warmup} + plan_.rounds;
  }

  const ExperimentPlan& plan_;
  const ExperimentEvents& events_;
  std::size_t cells_ = 0;
  const std::uint64_t start_ns_ = Now();
  std::vector<std::chrono::nanoseconds> last_block_;  // duration by group
  std::vector<std::size_t> counts_;                   // number of blocks that count, by group
  std::chrono::nanoseconds measured_time_{0};
  std::size_t measured_ = 0;  // number of blocks of cells
};

}  // namespace schedbench::harness
