#include "harness/experiment/measure.hpp"

#include "base/vector_of.hpp"
#include "harness/experiment/at_places.hpp"
#include "harness/experiment/order.hpp"
#include "harness/experiment/state.hpp"
#include "platform/threads/mutex.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace schedbench::harness {

namespace {

class Experiment {
 public:
  Experiment(const ExperimentPlan& plan, const ExperimentEvents& events)
      : plan_(plan),
        events_(events),
        state_(plan, events) {
  }

  ExperimentData Measure() {
    if (plan_.distributes) {
      MeasureBlocksAtPlaces();
    } else {
      MeasureGroupsByBlock();
    }
    return std::move(state_.data);
  }

 private:
  // A machine's block of all groups that need one. If the measurement ended in it: only failures.
  struct PlacedBlock {
    std::string place;
    std::map<std::size_t, GroupBlock> groups;
    bool is_whole = true;
  };

  std::vector<std::size_t> OrderOf(std::size_t block) const {
    if (plan_.shuffles) {
      return BlockOrder(plan_.groups.size(), 1, plan_.first_block + block, plan_.seed).front();
    }
    return Indices(plan_.groups.size());
  }

  std::string NameOf(std::optional<std::size_t> place) const {
    return place ? plan_.places[*place]->name : "";
  }

  // Measures the groups of each block here, or each group on its machine.
  void MeasureGroupsByBlock() {
    for (std::size_t block = 0; block < plan_.blocks && Continues(); ++block) {
      const std::vector<std::size_t> order = OrderOf(block);
      if (plan_.places.empty()) {
        MeasureGroups(order, block, std::nullopt, events_.cancelled);
      } else {
        std::vector<PlaceJob> jobs;
        for (std::size_t place = 0; place < plan_.places.size(); ++place) {
          jobs.push_back({.place = place, .block = block});
        }
        AtTheSameTime(jobs, mutex_, events_.cancelled,
                      [&](const PlaceJob& job, const std::function<bool()>& cancelled) {
                        MeasureGroups(order, block, job.place, cancelled);
                      });
      }
      state_.Settle();
    }
  }

  bool Continues() const {
    return !state_.ended && state_.AnyNeedsBlocks();
  }

  void MeasureGroups(const std::vector<std::size_t>& order, std::size_t block,
                     std::optional<std::size_t> place, const std::function<bool()>& cancelled) {
    for (const std::size_t group : order) {
      if (state_.places[group] != place) {
        continue;
      }
      if (auto measured = BlockOf(group, block, place, cancelled)) {
        const platform::MutexLock lock(mutex_);
        state_.Add(group, std::move(*measured));
      }
    }
  }

  // Measures a block on each machine at the same time. Adds the blocks in their order, so that the
  // result is that of a single machine.
  void MeasureBlocksAtPlaces() {
    for (std::size_t begin = 0; begin < plan_.blocks && Continues();) {
      std::map<std::size_t, PlacedBlock> blocks;
      std::size_t end = std::min(begin + state_.PlacesLeft(), std::size_t{plan_.blocks});
      for (std::size_t block = begin; block < end; ++block) {
        if (auto known = KnownBlock(block)) {
          blocks.emplace(block, std::move(*known));
          end = block == begin ? begin + 1 : end;
        }
      }
      while (!state_.ended && blocks.size() < end - begin && state_.PlacesLeft() > 0) {
        std::vector<std::size_t> waiting(end - begin);
        std::iota(waiting.begin(), waiting.end(), begin);
        std::erase_if(waiting, [&](std::size_t block) { return blocks.contains(block); });
        MeasureSome(PlaceBlocks(std::move(waiting), state_.data.lost,
                                [this](std::size_t block) { return PlaceThatKnows(block); }),
                    blocks);
      }
      AddBlocks(blocks);
      state_.ended = state_.ended || state_.PlacesLeft() == 0;
      begin = end;
    }
  }

  // Returns what the machine knows of the groups that need the block.
  PlacedBlock KnownAt(const std::string& place, std::size_t block) const {
    PlacedBlock known{.place = place, .groups = {}};
    for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
      if (state_.NeedsBlocks(group)) {
        auto one = state_.Known(group, block, place);
        known.is_whole = known.is_whole && one;
        if (one) {
          known.groups.emplace(group, std::move(*one));
        }
      }
    }
    return known;
  }

  // Returns the block, if one machine knows all groups that need it.
  std::optional<PlacedBlock> KnownBlock(std::size_t block) {
    if (events_.known_at == nullptr) {
      return std::nullopt;
    }
    for (const std::string& place : events_.known_at(plan_.first_block + block)) {
      if (PlacedBlock known = KnownAt(place, block); known.is_whole) {
        for (const auto& [group, one] : known.groups) {
          state_.CountKnown(group, block, one);
        }
        state_.under_way = 0;
        return known;
      }
    }
    return std::nullopt;
  }

  // Returns the machine that knows most groups of the block; none if no machine knows a group.
  std::optional<std::size_t> PlaceThatKnows(std::size_t block) const {
    std::vector<std::size_t> known;  // number of groups, by machine
    for (const PlacePtr& place : plan_.places) {
      known.push_back(KnownAt(place->name, block).groups.size());
    }
    const auto most = std::ranges::max_element(known);
    return *most == 0 ? std::nullopt
                      : std::optional(static_cast<std::size_t>(most - known.begin()));
  }

  void MeasureSome(const std::vector<PlaceJob>& jobs, std::map<std::size_t, PlacedBlock>& blocks) {
    AtTheSameTime(jobs, mutex_, events_.cancelled,
                  [&](const PlaceJob& job, const std::function<bool()>& cancelled) {
                    PlacedBlock block{.place = NameOf(job.place), .groups = {}};
                    for (const std::size_t group : OrderOf(job.block)) {
                      // The series change only after all jobs have ended.
                      if (!state_.NeedsBlocks(group)) {
                        continue;
                      }
                      auto measured = BlockOf(group, job.block, job.place, cancelled);
                      block.is_whole = measured && measured->IsWhole();
                      if (measured) {
                        block.groups.emplace(group, std::move(*measured));
                      }
                      if (!block.is_whole) {
                        break;
                      }
                    }
                    const platform::MutexLock lock(mutex_);
                    if (!block.is_whole) {
                      if (!state_.ended) {
                        return;  // the machine was lost: another one measures the block
                      }
                      for (auto& [group, measured] : block.groups) {
                        DropUnfinished(measured);  // rounds have no value without all groups
                      }
                    }
                    blocks.emplace(job.block, std::move(block));
                  });
    state_.under_way = 0;
  }

  void AddBlocks(std::map<std::size_t, PlacedBlock>& blocks) {
    for (auto& [number, block] : blocks) {
      for (auto& [group, measured] : block.groups) {
        if (state_.NeedsBlocks(group)) {
          state_.Add(group, std::move(measured));
        }
      }
      if (block.is_whole) {
        state_.data.block_places.push_back(block.place);
      }
      state_.Settle();
    }
  }

  // Returns the block of a group, known or measured. None: the group does not need it, the machine
  // was lost or the measurement has ended.
  std::optional<GroupBlock> BlockOf(std::size_t group, std::size_t block,
                                    std::optional<std::size_t> place,
                                    const std::function<bool()>& cancelled) {
    {
      const platform::MutexLock lock(mutex_);
      if (state_.ended || !state_.NeedsBlocks(group)) {
        return std::nullopt;
      }
      if (auto known = state_.Known(group, block, NameOf(place))) {
        state_.CountKnown(group, block, *known);
        return known;
      }
      if (place && !state_.IsThere(*place)) {
        return std::nullopt;
      }
      if (!state_.Fits(group)) {
        state_.EndByBudget(group, block, 0);
        return std::nullopt;
      }
    }
    return MeasureUndisturbed(group, block, place, cancelled);
  }

  // Returns the number that determines the alternatives' order, even after an interruption.
  std::size_t OrderNumber(std::size_t group, std::size_t block, std::size_t attempt) const {
    constexpr std::size_t kAttempt = std::size_t{1} << 32U;  // more than blocks of groups
    return (plan_.first_block + block) * plan_.groups.size() + group + attempt * kAttempt;
  }

  // Returns how many blocks of groups may be measured again because of disturbances: a quarter
  // (arbitrary) of all, or of those so far if there is a budget. So a busy machine gives an answer.
  std::size_t MostRepeated(std::size_t block) const {
    return (plan_.budget ? block + 1 : plan_.blocks) * plan_.groups.size() / 4;
  }

  // Measures the block again while something disturbs it, within the budget and the share of blocks
  // that may be repeated, or while connections are lost, a few times.
  std::optional<GroupBlock> MeasureUndisturbed(std::size_t group, std::size_t block,
                                               std::optional<std::size_t> place,
                                               const std::function<bool()>& cancelled) {
    std::optional<GroupBlock> replaced;  // the block that a repetition replaces
    std::size_t disturbed = 0;           // its index among the disturbed blocks
    std::size_t repeats = 0;
    std::size_t attempt = 0;
    for (std::size_t lost = 0;;) {
      GroupBlock measured;
      std::size_t rounds = 0;
      const std::uint64_t begin_ns = state_.Now();
      BlockData data =
          MeasureOnce(group, block, attempt++, place, cancelled, measured.members, rounds);
      measured.series = std::move(data.series);
      const platform::MutexLock lock(mutex_);
      bool is_disturbed = data.disturbance.IsSignificant();
      if (data.ending == BlockData::Ending::kCancelled) {
        state_.Cancel();
        return std::nullopt;
      }
      if (data.ending == BlockData::Ending::kOutOfTime) {
        state_.EndByBudget(group, block, rounds);
        DropUnfinished(measured);
        if (!replaced) {
          state_.Report(group, block, NameOf(place), measured);
          return measured;
        }
        // The replaced block counts after all, and so do failures since then.
        for (std::size_t i = 0; i < measured.series.size(); ++i) {
          if (!measured.series[i].failure.empty()) {
            measured.series[i].blocks = std::move(replaced->series[i].blocks);
            replaced->series[i] = std::move(measured.series[i]);
          }
        }
        measured = std::move(*replaced);
        state_.data.disturbed[disturbed].replaced.clear();
        is_disturbed = true;
      } else {
        state_.CountMeasured(group, measured, begin_ns);
        if (const Series* const series = place ? measured.Lost() : nullptr) {
          if (series->lost == Series::Lost::kConnection && ++lost < kMostLostConnections) {
            continue;
          }
          state_.data.lost[*place] = series->failure;
          DropUnfinished(measured);
          return measured.HasFailed() && !plan_.distributes ? std::optional(std::move(measured))
                                                            : std::nullopt;
        }
        if (is_disturbed) {
          disturbed = state_.data.disturbed.size();
          state_.data.disturbed.push_back({.group = group, .block = block, .by = data.disturbance});
          if (!measured.HasFailed() && repeats < kMostRepeats && repeated_ < MostRepeated(block) &&
              state_.Fits(group)) {
            ++repeats;
            ++repeated_;
            SetReplaced(state_.data.disturbed.back(), measured);
            replaced = std::move(measured);
            continue;
          }
        }
      }
      for (Series& series : measured.series) {
        series.disturbed =
            is_disturbed ? std::optional(state_.data.disturbed[disturbed].by) : std::nullopt;
      }
      state_.under_way += measured.members.size();
      state_.Report(group, block, NameOf(place), measured);
      return measured;
    }
  }

  // Sets `members` to the alternatives that take part, and `rounds` to the rounds that have begun.
  BlockData MeasureOnce(std::size_t group, std::size_t block, std::size_t attempt,
                        std::optional<std::size_t> place, const std::function<bool()>& cancelled,
                        std::vector<std::size_t>& members, std::size_t& rounds) {
    BlockPlan plan{.group = plan_.groups[group],
                   .extent = plan_,
                   .number = plan_.first_block + block,
                   .order = OrderNumber(group, block, attempt),
                   .place = place ? plan_.places[*place] : nullptr,
                   .audits = plan_.audits && block == 0};
    {
      const platform::MutexLock lock(mutex_);
      plan.members = members = state_.MembersThatRun(group);
      plan.operations = VectorOf(state_.data.series[group], [](const Series& series) {
        return Mapped(series.audit, &RoundReply::operations);
      });
    }
    BlockData data = events_.measure_block(
        plan, {.cancelled = cancelled,
               .has_time =
                   [this] {
                     const platform::MutexLock lock(mutex_);
                     return !state_.IsTimeOver();
                   },
               .round_begins =
                   [&] {
                     const platform::MutexLock lock(mutex_);
                     events_.progress(state_.ProgressAt(block, rounds++));
                   },
               // Programs here do not disturb agents on another machine.
               .watch = place || events_.disturbance != nullptr ? nullptr : &watch_});
    if (events_.disturbance != nullptr) {
      data.disturbance = events_.disturbance();
    }
    return data;
  }

  // Keeps only an unfinished block's failures, without agents that were lost with a machine.
  static void DropUnfinished(GroupBlock& block) {
    for (Series& series : block.series) {
      series.blocks.clear();
      if (series.lost != Series::Lost::kNot) {
        series = {};
      }
    }
  }

  static void SetReplaced(DisturbedBlock& disturbed, const GroupBlock& block) {
    disturbed.replaced.resize(block.members.empty() ? 0 : block.members.back() + 1);
    for (std::size_t i = 0; i < block.members.size(); ++i) {
      if (!block.series[i].blocks.empty()) {
        disturbed.replaced[block.members[i]] = block.series[i].blocks.front();
      }
    }
  }

  const ExperimentPlan& plan_;
  const ExperimentEvents& events_;
  DisturbanceWatch watch_;  // used by the thread of the caller
  // Guards the fields below and the calls of events while a block is measured.
  platform::Mutex mutex_;
  ExperimentState state_;
  std::size_t repeated_ = 0;  // blocks
};

}  // namespace

ExperimentData Measure(const ExperimentPlan& plan, const ExperimentEvents& events) {
  return Experiment(plan, events).Measure();
}

}  // namespace schedbench::harness
