#include "harness/sweep/sampler.hpp"

#include "harness/compare/order.hpp"
#include "harness/sweep/analysis.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
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
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
      const auto order =
          BlockOrder(plan_.cells.size(), 1, plan_.first_block + block, plan_.seed).front();
      for (const std::size_t cell : order) {
        if (!NeedsBlocks(cell)) {
          continue;
        }
        if (plan_.budget && Passed() > *plan_.budget && !IsKnown(cell, block)) {
          data_.out_of_budget = true;
          return std::move(data_);
        }
        if (!Take(cell, block)) {
          data_.complete = false;
          return std::move(data_);
        }
      }
      if (plan_.settles) {
        Settle();
      }
    }
    return std::move(data_);
  }

 private:
  bool NeedsBlocks(std::size_t cell) const {
    return data_.cells[cell].failure.empty() && !data_.cells[cell].settled;
  }

  bool IsKnown(std::size_t cell, std::size_t block) const {
    return events_.known != nullptr && events_.known(cell, block).has_value();
  }

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(platform::NowNs() - start_ns_);
  }

  // Returns false if it was cancelled.
  bool Take(std::size_t cell, std::size_t block) {
    if (events_.known != nullptr) {
      if (const auto known = events_.known(cell, block)) {
        Add(cell, *known);
        return true;
      }
    }
    events_.progress(ProgressAt(block));
    const ComparisonPlan plan = PlanOf(cell, block);
    for (;;) {
      const std::uint64_t begin = platform::NowNs();
      const ComparisonData data = Measured(plan);
      if (!data.complete) {
        return false;
      }
      const Series& series = data.series.front().front();
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
        events_.measured(cell, block, series);
      }
      Add(cell, series);
      return true;
    }
  }

  ComparisonData Measured(const ComparisonPlan& plan) const {
    const SamplerEvents events{.progress = [](std::size_t, std::size_t) {},
                               .cancelled = events_.cancelled};
    return events_.sample != nullptr ? events_.sample(plan, events) : harness::Sample(plan, events);
  }

  ComparisonPlan PlanOf(std::size_t cell, std::size_t block) const {
    return {.alternatives = {plan_.cells[cell].alternative},
            .workloads = {plan_.cells[cell].workload},
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
      double seconds = static_cast<double>(measured_ns_) / 1e9 / static_cast<double>(measured_) *
                       static_cast<double>(left);
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
  SweepData data_;
  const std::uint64_t start_ns_ = platform::NowNs();
  std::uint64_t measured_ns_ = 0;
  std::size_t measured_ = 0;  // blocks of cells
};

}  // namespace

SweepData SampleSweep(const SweepPlan& plan, const SweepEvents& events) {
  return SweepSampler(plan, events).Sample();
}

}  // namespace schedbench::harness
