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
    data_.lost.resize(plan_.places.size());
    if (plan_.places.empty() || plan_.cells.front().measured_at) {
      MeasureCellsByBlock();
    } else {
      MeasureBlocksAtPlaces();
    }
    return std::move(data_);
  }

 private:
  // A block of all cells that need one, from one place.
  struct PlacedBlock {
    std::string place;
    std::map<std::size_t, Series> cells;
  };

  struct Job {
    std::size_t place;  // in the plan
    std::size_t block;
  };

  bool NeedsBlocks(std::size_t cell) const {
    const Series& series = data_.cells[cell];
    return series.failure.empty() && !series.settled && series.lost == Series::Lost::kNot;
  }

  bool AnyNeedsBlocks() const {
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (NeedsBlocks(cell)) {
        return true;
      }
    }
    return false;
  }

  std::optional<Series> Known(std::size_t cell, std::size_t block, const std::string& place) const {
    return events_.known != nullptr ? events_.known(cell, block, place) : std::nullopt;
  }

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(platform::ElapsedNs(start_ns_));
  }

  std::vector<std::size_t> OrderOf(std::size_t block) const {
    return BlockOrder(plan_.cells.size(), 1, plan_.first_block + block, plan_.seed).front();
  }

  bool IsThere(std::size_t place) const {
    return data_.lost[place].empty();
  }

  // Here, or at the places that are the values of a key.
  void MeasureCellsByBlock() {
    for (std::size_t block = 0; block < plan_.blocks && !ended_; ++block) {
      const std::vector<std::size_t> order = OrderOf(block);
      if (plan_.places.empty()) {
        MeasureCells(order, block, std::nullopt, events_.cancelled);
      } else {
        std::vector<Job> jobs;
        for (std::size_t place = 0; place < plan_.places.size(); ++place) {
          jobs.push_back({.place = place, .block = block});
        }
        AtTheSameTime(jobs, [&](const Job& job, const std::function<bool()>& cancelled) {
          std::vector<std::size_t> cells;
          std::ranges::copy_if(order, std::back_inserter(cells), [&](std::size_t cell) {
            return plan_.cells[cell].measured_at == job.place;
          });
          MeasureCells(cells, block, job.place, cancelled);
        });
      }
      Settle();
    }
    for (std::size_t cell = 0; cell < plan_.cells.size() && !plan_.places.empty(); ++cell) {
      data_.cells[cell].place = plan_.places[*plan_.cells[cell].measured_at]->name;
    }
  }

  void MeasureCells(const std::vector<std::size_t>& cells, std::size_t block,
                    std::optional<std::size_t> place, const std::function<bool()>& cancelled) {
    for (const std::size_t cell : cells) {
      if (auto series = BlockOf(cell, block, place, cancelled)) {
        const platform::MutexLock lock(mutex_);
        Add(cell, std::move(*series));
      }
      const platform::MutexLock lock(mutex_);
      if (place && !IsThere(*place) && NeedsBlocks(cell)) {
        AddHole(cell, data_.lost[*place]);
      }
    }
  }

  // As many blocks as there are places are measured at the same time, each at one place. They are added in their order, so that
  // the result is that of one place.
  void MeasureBlocksAtPlaces() {
    for (std::size_t block = 0; block < plan_.blocks && !ended_ && AnyNeedsBlocks();) {
      std::map<std::size_t, PlacedBlock> blocks;
      if (auto known = KnownBlock(block)) {
        blocks.emplace(block, std::move(*known));
        AddBlocks(blocks);
        ++block;
        continue;
      }
      const std::size_t end = std::min(block + PlacesLeft(), std::size_t{plan_.blocks});
      for (std::size_t one = block; one < end; ++one) {
        if (auto known = KnownBlock(one)) {
          blocks.emplace(one, std::move(*known));
        }
      }
      while (!ended_ && blocks.size() < end - block && PlacesLeft() > 0) {
        MeasureSome(JobsOf(block, end, blocks), blocks);
      }
      AddBlocks(blocks);
      if (!ended_ && PlacesLeft() == 0) {
        AddHoles();
        ended_ = true;
      }
      block = end;
    }
  }

  std::size_t PlacesLeft() const {
    return static_cast<std::size_t>(std::ranges::count(data_.lost, std::string()));
  }

  // The block, if one place knows all cells that need it.
  std::optional<PlacedBlock> KnownBlock(std::size_t block) const {
    if (events_.known_at == nullptr) {
      return std::nullopt;
    }
    for (const std::string& place : events_.known_at(block)) {
      PlacedBlock known{.place = place, .cells = {}};
      bool is_whole = true;
      for (std::size_t cell = 0; cell < plan_.cells.size() && is_whole; ++cell) {
        if (NeedsBlocks(cell)) {
          auto series = Known(cell, block, place);
          is_whole = series.has_value();
          if (is_whole) {
            known.cells.emplace(cell, std::move(*series));
          }
        }
      }
      if (is_whole) {
        return known;
      }
    }
    return std::nullopt;
  }

  // The place that knows most cells of the block; none if no place knows one.
  std::optional<std::size_t> PlaceThatKnows(std::size_t block) const {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t place = 0; place < plan_.places.size(); ++place) {
      std::size_t known = 0;
      for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
        known += Known(cell, block, plan_.places[place]->name) ? 1 : 0;
      }
      if (known > most) {
        most = known;
        best = place;
      }
    }
    return best;
  }

  // At most one block for each place. A block that was begun continues at its place, the others take turns.
  std::vector<Job> JobsOf(std::size_t begin, std::size_t end,
                          const std::map<std::size_t, PlacedBlock>& blocks) const {
    std::vector<Job> jobs;
    std::vector<bool> is_free(plan_.places.size());
    for (std::size_t place = 0; place < is_free.size(); ++place) {
      is_free[place] = IsThere(place);
    }
    std::vector<std::size_t> waiting;
    for (std::size_t block = begin; block < end; ++block) {
      if (!blocks.contains(block)) {
        waiting.push_back(block);
      }
    }
    const auto give = [&](const std::function<std::optional<std::size_t>(std::size_t)>& place_of) {
      std::erase_if(waiting, [&](std::size_t block) {
        const std::optional<std::size_t> place = place_of(block);
        if (!place || !is_free[*place]) {
          return false;
        }
        is_free[*place] = false;
        jobs.push_back({.place = *place, .block = block});
        return true;
      });
    };
    give([this](std::size_t block) { return PlaceThatKnows(block); });
    give([this](std::size_t block) { return block % plan_.places.size(); });
    give([&is_free](std::size_t) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(is_free, true);
      return found == is_free.end()
                 ? std::nullopt
                 : std::optional(static_cast<std::size_t>(found - is_free.begin()));
    });
    return jobs;
  }

  void MeasureSome(const std::vector<Job>& jobs, std::map<std::size_t, PlacedBlock>& blocks) {
    AtTheSameTime(jobs, [&](const Job& job, const std::function<bool()>& cancelled) {
      PlacedBlock block{.place = plan_.places[job.place]->name, .cells = {}};
      for (const std::size_t cell : OrderOf(job.block)) {
        if (!NeedsBlocks(cell)) {
          continue;
        }
        auto series = BlockOf(cell, job.block, job.place, cancelled);
        if (!series) {
          return;  // the other cells of the block have no value without this one
        }
        block.cells.emplace(cell, std::move(*series));
      }
      const platform::MutexLock lock(mutex_);
      blocks.emplace(job.block, std::move(block));
    });
    under_way_ = 0;
  }

  void AddBlocks(std::map<std::size_t, PlacedBlock>& blocks) {
    for (auto& [number, block] : blocks) {
      for (auto& [cell, series] : block.cells) {
        if (NeedsBlocks(cell)) {
          Add(cell, std::move(series));
        }
      }
      data_.block_places.push_back(block.place);
      Settle();
    }
  }

  // No place is left.
  void AddHoles() {
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      if (NeedsBlocks(cell)) {
        AddHole(cell, data_.lost.back());
      }
    }
  }

  // Does the jobs, each on a thread of its own.
  void AtTheSameTime(const std::vector<Job>& jobs,
                     const std::function<void(const Job&, const std::function<bool()>&)>& work) {
    Atomic<bool> cancelled(false);
    Atomic<std::size_t> at_work(jobs.size());
    std::vector<platform::Thread> threads;
    for (const Job& job : jobs) {
      threads.emplace_back("place-" + std::to_string(job.place),
                           [&work, &cancelled, &at_work, job] {
                             work(job, [&cancelled] {
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

  // The block of a cell, known or measured. None: the cell needs none, the place was lost or the sweep has ended.
  std::optional<Series> BlockOf(std::size_t cell, std::size_t block,
                                std::optional<std::size_t> place,
                                const std::function<bool()>& cancelled) {
    {
      const platform::MutexLock lock(mutex_);
      if (ended_ || !NeedsBlocks(cell)) {
        return std::nullopt;
      }
      if (auto known = Known(cell, block, place ? plan_.places[*place]->name : "")) {
        ++under_way_;
        data_.disturbed += known->disturbed ? 1 : 0;
        return known;
      }
      if (place && !IsThere(*place)) {
        return std::nullopt;
      }
      if (plan_.budget && Passed() > *plan_.budget) {
        data_.out_of_budget = true;
        ended_ = true;
        return std::nullopt;
      }
      events_.progress(ProgressAt(block));
    }
    return Measure(cell, block, place, cancelled);
  }

  std::optional<Series> Measure(std::size_t cell, std::size_t block,
                                std::optional<std::size_t> place,
                                const std::function<bool()>& cancelled) {
    const ComparisonPlan plan = PlanOf(cell, block, place);
    for (std::size_t lost = 0;;) {
      const std::uint64_t begin = platform::NowNs();
      ComparisonData data = Measured(plan, cancelled);
      const platform::MutexLock lock(mutex_);
      if (!data.complete) {
        data_.complete = false;
        ended_ = true;
        return std::nullopt;
      }
      Series& series = data.series.front().front();
      if (series.lost == Series::Lost::kConnection && ++lost < kMostLostConnections) {
        continue;
      }
      if (series.lost != Series::Lost::kNot) {
        data_.lost[place.value_or(0)] = series.failure;
        return std::nullopt;
      }
      if (!data.disturbed.empty() && series.failure.empty()) {
        if (data_.repeated < RepeatedAtMost(std::size_t{plan_.blocks} * plan_.cells.size())) {
          ++data_.repeated;
          continue;
        }
        ++data_.disturbed;
        series.disturbed = data.disturbed.back().by;
      }
      measured_ns_ += platform::ElapsedNs(begin);
      ++measured_;
      ++under_way_;
      if (place) {
        series.place = plan_.places[*place]->name;
      }
      if (events_.measured != nullptr) {
        events_.measured(cell, block, series);
      }
      return std::move(series);
    }
  }

  // What was measured before the place was lost remains, and may be continued.
  void AddHole(std::size_t cell, const std::string& why) {
    Series& series = data_.cells[cell];
    series.lost = Series::Lost::kPlace;
    if (series.blocks.empty()) {
      series.failure = why;
      series.refused = true;
    }
  }

  ComparisonData Measured(const ComparisonPlan& plan,
                          const std::function<bool()>& cancelled) const {
    return events_.sample(plan,
                          {.progress = [](std::size_t, std::size_t) {}, .cancelled = cancelled});
  }

  ComparisonPlan PlanOf(std::size_t cell, std::size_t block,
                        std::optional<std::size_t> place) const {
    ComparedWorkload workload = plan_.cells[cell].workload;
    workload.place = place ? plan_.places[*place] : nullptr;
    auto plan = PlanLike<ComparisonPlan>(plan_, 1);
    plan.alternatives = {plan_.cells[cell].alternative};
    plan.workloads = {std::move(workload)};
    plan.first_block = plan_.first_block + block;
    plan.audits = false;
    return plan;
  }

  // `series`: the block, or the failure.
  void Add(std::size_t cell, Series series) {
    if (series.failure.empty()) {
      data_.cells[cell].config = std::move(series.config);
    } else {
      series.blocks.clear();
    }
    AppendSeries(data_.cells[cell], std::move(series));
  }

  void Settle() {
    if (!plan_.settles || ended_) {
      return;
    }
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
    if (!plan_.places.empty() && !plan_.cells.front().measured_at) {
      left -= std::min(left, under_way_);
    }
    progress.done = progress.of - left;
    if (measured_ > 0) {
      // Places measure at the same time.
      double seconds = static_cast<double>(measured_ns_) / 1e9 / static_cast<double>(measured_) *
                       static_cast<double>(left) /
                       static_cast<double>(std::max<std::size_t>(PlacesLeft(), 1));
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
  platform::Mutex mutex_;  // guards all below, and the calls of events, during a block
  SweepData data_;
  bool ended_ = false;  // cancelled, or out of budget
  const std::uint64_t start_ns_ = platform::NowNs();
  std::uint64_t measured_ns_ = 0;
  std::size_t measured_ = 0;   // blocks of cells
  std::size_t under_way_ = 0;  // of the blocks that the places have begun
};

}  // namespace

void AppendSeries(Series& to, Series from) {
  to.failure = std::move(from.failure);
  to.details = std::move(from.details);
  to.refused = from.refused;
  to.absent = from.absent;
  std::ranges::move(from.blocks, std::back_inserter(to.blocks));
}

SweepData SampleSweep(const SweepPlan& plan, const SweepEvents& events) {
  return SweepSampler(plan, events).Sample();
}

}  // namespace schedbench::harness
