#include "harness/sweep/sampler.hpp"

#include "base/atomic.hpp"
#include "harness/compare/order.hpp"
#include "harness/sweep/analysis.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace schedbench::harness {

namespace {

class SweepSampler {
 public:
  SweepSampler(const SweepPlan& plan, const SweepEvents& events)
      : plan_(plan),
        events_(events) {
    data_.cells.resize(plan.cells.size());
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
      data_.cells[cell].failure = plan.cells[cell].impossible;
      data_.cells[cell].absent = !plan.cells[cell].impossible.empty();
    }
  }

  SweepData Sample() {
    data_.complete = true;
    AssignPlaces();
    for (std::size_t block = 0; block < plan_.blocks && !ended_; ++block) {
      const auto order =
          BlockOrder(plan_.cells.size(), 1, plan_.first_block + block, plan_.seed).front();
      if (plan_.places.empty()) {
        MeasureCells(order, block, events_.cancelled);
      } else {
        MeasureAtPlaces(order, block);
      }
      if (plan_.settles && !ended_) {
        Settle();
      }
    }
    return std::move(data_);
  }

 private:
  bool NeedsBlocks(std::size_t cell) const {
    return data_.cells[cell].failure.empty() && !data_.cells[cell].settled;
  }

  std::optional<Series> Known(std::size_t cell, std::size_t block, const std::string& place) const {
    return events_.known != nullptr ? events_.known(cell, block, place) : std::nullopt;
  }

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(platform::NowNs() - start_ns_);
  }

  // The blocks of a cell that are known to a place.
  std::size_t KnownBlocks(std::size_t cell, const std::string& place) const {
    std::size_t blocks = 0;
    while (blocks < plan_.blocks && Known(cell, blocks, place)) {
      ++blocks;
    }
    return blocks;
  }

  // The cells that are measured on one machine.
  std::vector<std::vector<std::size_t>> Groups() const {
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (plan_.cells[cell].impossible.empty()) {
        groups[plan_.keeps_groups ? plan_.cells[cell].group : cell].push_back(cell);
      }
    }
    std::vector<std::vector<std::size_t>> lists;
    for (auto& [number, cells] : groups) {
      lists.push_back(std::move(cells));
    }
    return lists;
  }

  // The place that knows most of these cells; none if no place knows a block.
  std::optional<std::size_t> PlaceThatKnows(const std::vector<std::size_t>& cells) const {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t place = 0; place < plan_.places.size(); ++place) {
      std::size_t known = 0;
      for (const std::size_t cell : cells) {
        known += KnownBlocks(cell, plan_.places[place]->name);
      }
      if (known > most) {
        most = known;
        best = place;
      }
    }
    return best;
  }

  void AssignPlaces() {
    data_.lost.resize(plan_.places.size());
    place_of_.assign(plan_.cells.size(), 0);
    if (plan_.places.empty()) {
      return;
    }
    std::vector<std::size_t> cells_at(plan_.places.size(), 0);
    const auto assign = [&](const std::vector<std::size_t>& cells, std::size_t place) {
      for (const std::size_t cell : cells) {
        place_of_[cell] = place;
        data_.cells[cell].place = plan_.places[place]->name;
      }
      cells_at[place] += cells.size();
    };
    std::vector<std::vector<std::size_t>> unknown;
    for (std::vector<std::size_t>& cells : Groups()) {
      if (const auto place = plan_.cells[cells.front()].measured_at) {
        assign(cells, *place);
      } else if (const auto place = PlaceThatKnows(cells)) {
        assign(cells, *place);
      } else {
        unknown.push_back(std::move(cells));
      }
    }
    for (const std::vector<std::size_t>& cells : unknown) {
      const auto least = std::ranges::min_element(cells_at);
      assign(cells, static_cast<std::size_t>(least - cells_at.begin()));
    }
  }

  void MeasureAtPlaces(const std::vector<std::size_t>& order, std::size_t block) {
    Atomic<bool> cancelled(false);
    Atomic<std::size_t> at_work(plan_.places.size());
    std::vector<platform::Thread> threads;
    for (std::size_t place = 0; place < plan_.places.size(); ++place) {
      std::vector<std::size_t> cells;
      std::ranges::copy_if(order, std::back_inserter(cells), [&](std::size_t cell) {
        return place_of_[cell] == place;
      });
      threads.emplace_back("place-" + std::to_string(place),
                           [this, block, &cancelled, &at_work, cells = std::move(cells)] {
                             MeasureCells(cells, block, [&cancelled] {
                               // relaxed: only the flag itself is needed.
                               return cancelled.Load(memory_order_relaxed);
                             });
                             // relaxed: the data is read after the threads have been joined.
                             at_work.FetchSub(1, memory_order_relaxed);
                           });
    }
    constexpr std::uint64_t kLookNs = 5'000'000;  // arbitrary: short beside a process
    // relaxed: only the number itself is needed.
    while (at_work.Load(memory_order_relaxed) > 0) {
      platform::SleepUntilNs(platform::NowNs() + kLookNs);
      const platform::MutexLock lock(mutex_);
      if (events_.cancelled()) {
        // relaxed: only the flag itself is needed.
        cancelled.Store(true, memory_order_relaxed);
      }
    }
  }

  // The cells of one place, or all.
  void MeasureCells(const std::vector<std::size_t>& cells, std::size_t block,
                    const std::function<bool()>& cancelled) {
    for (const std::size_t cell : cells) {
      if (Begin(cell, block)) {
        Measure(cell, block, cancelled);
      }
    }
  }

  // Whether the block is to be measured now.
  bool Begin(std::size_t cell, std::size_t block) {
    const platform::MutexLock lock(mutex_);
    if (ended_ || !NeedsBlocks(cell)) {
      return false;
    }
    if (const auto known = Known(cell, block, data_.cells[cell].place)) {
      Add(cell, *known);
      return false;
    }
    if (!plan_.places.empty() && !data_.lost[place_of_[cell]].empty()) {
      AddHole(cell);
      return false;
    }
    if (plan_.budget && Passed() > *plan_.budget) {
      data_.out_of_budget = true;
      ended_ = true;
      return false;
    }
    events_.progress(ProgressAt(block));
    return true;
  }

  void Measure(std::size_t cell, std::size_t block, const std::function<bool()>& cancelled) {
    constexpr std::size_t kMostLost = 3;  // connections, until the place counts as lost; arbitrary
    const ComparisonPlan plan = PlanOf(cell, block);
    for (std::size_t lost = 0;;) {
      const std::uint64_t begin = platform::NowNs();
      const ComparisonData data = Measured(plan, cancelled);
      const platform::MutexLock lock(mutex_);
      if (!data.complete) {
        data_.complete = false;
        ended_ = true;
        return;
      }
      const Series& series = data.series.front().front();
      if (series.lost == Series::Lost::kConnection && ++lost < kMostLost) {
        continue;
      }
      if (series.lost != Series::Lost::kNot) {
        data_.lost[place_of_[cell]] = series.failure;
        AddHole(cell);
        return;
      }
      if (!data.disturbed.empty() && series.failure.empty()) {
        if (data_.repeated < RepeatedAtMost(std::size_t{plan_.blocks} * plan_.cells.size())) {
          ++data_.repeated;
          continue;
        }
        ++data_.disturbed;
      }
      measured_ns_ += platform::NowNs() - begin;
      ++measured_;
      if (events_.measured != nullptr) {
        Series placed = series;
        placed.place = data_.cells[cell].place;
        events_.measured(cell, block, placed);
      }
      Add(cell, series);
      return;
    }
  }

  // What was measured before the place was lost remains, and may be continued.
  void AddHole(std::size_t cell) {
    data_.cells[cell].failure = data_.lost[place_of_[cell]];
    data_.cells[cell].refused = true;
    data_.cells[cell].lost = Series::Lost::kPlace;
  }

  ComparisonData Measured(const ComparisonPlan& plan,
                          const std::function<bool()>& cancelled) const {
    const SamplerEvents events{.progress = [](std::size_t, std::size_t) {}, .cancelled = cancelled};
    return events_.sample != nullptr ? events_.sample(plan, events) : harness::Sample(plan, events);
  }

  ComparisonPlan PlanOf(std::size_t cell, std::size_t block) const {
    ComparedWorkload workload = plan_.cells[cell].workload;
    workload.place = plan_.places.empty() ? nullptr : plan_.places[place_of_[cell]];
    return {.alternatives = {plan_.cells[cell].alternative},
            .workloads = {std::move(workload)},
            .metrics = {},
            .blocks = 1,
            .rounds = plan_.rounds,
            .warmup = plan_.warmup,
            .seed = plan_.seed,
            .limit = plan_.limit,
            .first_block = plan_.first_block + block,
            .audits = false};
  }

  // `series`: the block, or the failure.
  void Add(std::size_t cell, const Series& series) {
    Series& all = data_.cells[cell];
    if (!series.failure.empty()) {
      all.failure = series.failure;
      all.details = series.details;
      all.refused = series.refused;
      all.absent = series.absent;
      return;
    }
    all.blocks.push_back(series.blocks.front());
  }

  void Settle() {
    const std::vector<bool> settled = SettledCells(plan_, data_);
    for (std::size_t cell = 0; cell < settled.size(); ++cell) {
      data_.cells[cell].settled = data_.cells[cell].settled || settled[cell];
    }
  }

  SweepProgress ProgressAt(std::size_t block) const {
    SweepProgress progress{.block = block,
                           .blocks = plan_.blocks,
                           .settled = 0,
                           .cells = plan_.cells.size(),
                           .done = 0,
                           .of = plan_.cells.size() * plan_.blocks,
                           .seconds_left = std::nullopt};
    std::size_t left = 0;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (NeedsBlocks(cell)) {
        left += plan_.blocks - data_.cells[cell].blocks.size();
      } else {
        ++progress.settled;
      }
    }
    progress.done = progress.of - left;
    if (measured_ > 0) {
      // Places measure at the same time.
      double seconds = static_cast<double>(measured_ns_) / 1e9 / static_cast<double>(measured_) *
                       static_cast<double>(left) /
                       static_cast<double>(std::max<std::size_t>(plan_.places.size(), 1));
      if (plan_.budget) {
        const double rest = static_cast<double>((*plan_.budget - Passed()).count()) / 1e9;
        seconds = std::clamp(rest, 0.0, seconds);
      }
      progress.seconds_left = seconds;
    }
    return progress;
  }

  const SweepPlan& plan_;
  const SweepEvents& events_;
  std::vector<std::size_t> place_of_;  // of each cell, in the plan
  platform::Mutex mutex_;              // guards all below, and the calls of events, during a block
  SweepData data_;
  bool ended_ = false;  // cancelled, or out of budget
  const std::uint64_t start_ns_ = platform::NowNs();
  std::uint64_t measured_ns_ = 0;
  std::size_t measured_ = 0;  // blocks of cells
};

}  // namespace

SweepData SampleSweep(const SweepPlan& plan, const SweepEvents& events) {
  return SweepSampler(plan, events).Sample();
}

}  // namespace schedbench::harness
