#include "harness/experiment/state.hpp"

#include "base/vector_of.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace schedbench::harness {

const Series* GroupBlock::Lost() const {
  const auto found = std::ranges::find_if(
      series, [](const Series& one) { return one.lost != Series::Lost::kNot; });
  return found == series.end() ? nullptr : &*found;
}

bool GroupBlock::HasFailed() const {
  return std::ranges::any_of(series,
                             [](const Series& one) { return !one.failure.empty() && !one.absent; });
}

bool GroupBlock::IsWhole() const {
  return std::ranges::all_of(
      series, [](const Series& one) { return !one.blocks.empty() || !one.failure.empty(); });
}

ExperimentState::ExperimentState(const ExperimentPlan& plan, const ExperimentEvents& events)
    : plan_(plan),
      events_(events),
      last_block_(plan.groups.size()),
      counts_(plan.groups.size()) {
  data.complete = true;
  data.lost.resize(plan.places.size());
  for (const Group& group : plan.groups) {
    cells_ += group.alternatives.size();
    Series series;
    series.failure = group.impossible;
    series.absent = !group.impossible.empty();
    data.series.emplace_back(group.alternatives.size(), series);
    const auto place = std::ranges::find(plan.places, group.workload.place);
    places.push_back(plan.distributes || place == plan.places.end()
                         ? std::nullopt
                         : std::optional(static_cast<std::size_t>(place - plan.places.begin())));
  }
}

std::vector<std::size_t> ExperimentState::MembersThatRun(std::size_t group) const {
  const auto runs = [&](std::size_t i) { return data.series[group][i].Runs(); };
  return VectorOf(
      std::views::iota(std::size_t{0}, data.series[group].size()) | std::views::filter(runs),
      std::identity());
}

// The others are compared with the first alternative, which runs while any other one does.
bool ExperimentState::NeedsBlocks(std::size_t group) const {
  const std::vector<Series>& series = data.series[group];
  return series.front().Runs() && !(places[group] && !IsThere(*places[group])) &&
         (series.size() == 1 || !plan_.budget || MembersThatRun(group).size() > 1);
}

bool ExperimentState::AnyNeedsBlocks() const {
  return std::ranges::any_of(std::views::iota(std::size_t{0}, plan_.groups.size()),
                             [this](std::size_t group) { return NeedsBlocks(group); });
}

std::size_t ExperimentState::PlacesLeft() const {
  return static_cast<std::size_t>(std::ranges::count(data.lost, std::string()));
}

bool ExperimentState::Fits(std::size_t group) const {
  return !plan_.budget || Passed() + last_block_[group] <= *plan_.budget;
}

void ExperimentState::EndByBudget(std::size_t group, std::size_t block, std::size_t rounds) {
  data.out_of_budget = true;
  ended = true;
  if (block == 0 && group == 0) {
    data.unfinished_block = std::max(Passed(), std::chrono::nanoseconds(1)) *
                            (data.series[group].size() * RoundsOfABlock()) /
                            std::max<std::size_t>(rounds, 1);
  }
}

void ExperimentState::Cancel() {
  data.complete = false;
  ended = true;
}

std::uint64_t ExperimentState::Now() const {
  return events_.now != nullptr ? events_.now() : platform::NowNs();
}

std::optional<GroupBlock> ExperimentState::Known(std::size_t group, std::size_t block,
                                                 const std::string& place) const {
  if (events_.known == nullptr) {
    return std::nullopt;
  }
  GroupBlock known{.members = MembersThatRun(group), .series = {}};
  for (const std::size_t member : known.members) {
    auto one = events_.known(plan_.groups[group].cells[member], plan_.first_block + block, place);
    if (!one) {
      return std::nullopt;
    }
    known.series.push_back(std::move(*one));
  }
  return known;
}

void ExperimentState::CountKnown(std::size_t group, std::size_t block, const GroupBlock& known) {
  under_way += known.members.size();
  if (!known.series.empty() && known.series.front().disturbed) {
    data.disturbed.push_back(
        {.group = group, .block = block, .by = *known.series.front().disturbed});
  }
}

void ExperimentState::CountMeasured(std::size_t group, const GroupBlock& measured,
                                    std::uint64_t begin_ns) {
  last_block_[group] = std::chrono::nanoseconds(Now() - begin_ns);
  measured_time_ += last_block_[group];
  measured_ += measured.members.size();
}

void ExperimentState::Report(std::size_t group, std::size_t block, const std::string& place,
                             GroupBlock& measured) const {
  for (std::size_t i = 0; i < measured.members.size(); ++i) {
    Series& series = measured.series[i];
    series.place = place;
    if (events_.measured != nullptr && !(series.failure.empty() && series.blocks.empty())) {
      events_.measured(plan_.groups[group].cells[measured.members[i]], plan_.first_block + block,
                       series);
    }
  }
}

void ExperimentState::Add(std::size_t group, GroupBlock measured) {
  std::vector<Series>& all = data.series[group];
  bool counts = false;
  bool has_failed = false;
  for (std::size_t i = 0; i < measured.members.size(); ++i) {
    Series& from = measured.series[i];
    Series& to = all[measured.members[i]];
    counts = counts || !from.blocks.empty();
    has_failed = has_failed || !from.failure.empty();
    if (!from.config.empty()) {
      to.config = std::move(from.config);
    }
    if (from.audit) {
      to.audit = std::move(from.audit);
    }
    to.Append(std::move(from));
  }
  counts_[group] += counts ? 1 : 0;
  for (Series& series : all) {
    if (!series.settled) {
      series.blocks.resize(counts_[group]);
    }
  }
  if ((counts || has_failed) && events_.changed != nullptr) {
    events_.changed(data);
  }
}

void ExperimentState::Settle() {
  if (ended || events_.settled == nullptr) {
    return;
  }
  const std::vector<std::vector<bool>> settled = events_.settled(data);
  for (std::size_t group = 0; group < settled.size(); ++group) {
    for (std::size_t i = 0; i < settled[group].size(); ++i) {
      Series& series = data.series[group][i];
      series.settled = series.settled || settled[group][i];
    }
  }
}

ExperimentProgress ExperimentState::ProgressAt(std::size_t block, std::size_t rounds) const {
  std::size_t left = 0;
  std::size_t settled = 0;
  for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
    const bool needs = NeedsBlocks(group);
    for (const Series& series : data.series[group]) {
      if (needs && series.Runs()) {
        left += plan_.blocks - series.blocks.size();
      } else {
        ++settled;
      }
    }
  }
  if (plan_.distributes) {
    left -= std::min(left, under_way);
  }
  ExperimentProgress progress{.block = block,
                              .blocks = plan_.blocks,
                              .settled = settled,
                              .cells = cells_,
                              .done = cells_ * plan_.blocks - left,
                              .of = cells_ * plan_.blocks};
  progress.rounds = progress.of * RoundsOfABlock();
  progress.rounds_done = std::min(progress.rounds, progress.done * RoundsOfABlock() + rounds);
  if (measured_ > 0) {
    // The machines measure at the same time.
    const std::size_t at_a_time = measured_ * std::max<std::size_t>(PlacesLeft(), 1);
    double seconds = static_cast<double>(measured_time_.count()) / 1e9 * static_cast<double>(left) /
                     static_cast<double>(at_a_time);
    if (plan_.budget) {
      const double rest = static_cast<double>((*plan_.budget - Passed()).count()) / 1e9;
      seconds = std::clamp(rest, 0.0, seconds);
    }
    progress.seconds_left = seconds;
  }
  return progress;
}

void Series::Append(Series&& from) {
  failure = std::move(from.failure);
  details = std::move(from.details);
  refused = from.refused;
  absent = from.absent;
  std::ranges::move(from.blocks, std::back_inserter(blocks));
}

BlockCounts ExperimentData::Counts() const {
  BlockCounts counts;
  for (const DisturbedBlock& block : disturbed) {
    ++(block.replaced.empty() ? counts.disturbed : counts.repeated);
  }
  return counts;
}

}  // namespace schedbench::harness
