#include "harness/tune/tuner.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

class FinalComparison {
 public:
  FinalComparison(const TunePlan& plan, const TuneEvents& events, std::uint64_t start_ns,
                  TuneData& data)
      : plan_(plan),
        events_(events),
        start_ns_(start_ns),
        data_(data),
        finalists_(FinalistsOf(data)) {
  }

  void Compare() {
    data_.comparison.assign(finalists_.size(), TuneSeries(plan_.workloads.size()));
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
      for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
        if (!CompareBlock(block, workload)) {
          return;
        }
      }
    }
  }

 private:
  // Returns false if it was cancelled or the time is over.
  bool CompareBlock(std::size_t block, std::size_t workload) {
    std::vector<std::size_t> running;  // places among the finalists
    for (std::size_t i = 0; i < finalists_.size(); ++i) {
      if (data_.comparison[i][workload].failure.empty()) {
        running.push_back(i);
      }
    }
    if (running.size() < 2 || running.front() != 0) {
      return true;  // nothing to compare
    }
    if (TakeKnown(running, block, workload)) {
      return true;
    }
    if (plan_.budget && Passed() > *plan_.budget) {
      data_.out_of_budget = true;
      return false;
    }
    events_.progress({.rung = std::nullopt,
                      .rungs = data_.rungs.size(),
                      .of_step = ProgressAt(block, workload)});
    const std::uint64_t begin = platform::NowNs();
    ComparisonData measured = MeasuredOnce(running, block, workload);
    if (!measured.complete) {
      data_.complete = false;
      return false;
    }
    compared_ns_ += platform::ElapsedNs(begin);
    ++compared_;
    for (std::size_t i = 0; i < running.size(); ++i) {
      Series one = measured.series.front()[i];
      if (!one.failure.empty()) {
        one.blocks.clear();
      } else if (!measured.disturbed.empty()) {
        one.disturbed = measured.disturbed.back().by;
      }
      if (events_.measured != nullptr) {
        events_.measured(TuneCellOf(plan_, finalists_[running[i]], workload),
                         kFirstFreshBlock + block, one);
      }
      AppendSeries(data_.comparison[running[i]][workload], std::move(one));
    }
    return true;
  }

  // Takes the block from an earlier measurement, if all of it is known.
  bool TakeKnown(const std::vector<std::size_t>& running, std::size_t block, std::size_t workload) {
    std::vector<Series> known;
    for (const std::size_t i : running) {
      auto one =
          events_.known == nullptr
              ? std::nullopt
              : events_.known(TuneCellOf(plan_, finalists_[i], workload), kFirstFreshBlock + block);
      if (!one) {
        return false;
      }
      known.push_back(std::move(*one));
    }
    data_.disturbed += known.front().disturbed ? 1 : 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
      AppendSeries(data_.comparison[running[i]][workload], std::move(known[i]));
    }
    return true;
  }

  // A disturbed block is measured again, up to a share of all blocks.
  ComparisonData MeasuredOnce(const std::vector<std::size_t>& running, std::size_t block,
                              std::size_t workload) {
    auto plan = PlanLike<ComparisonPlan>(plan_, 1);
    plan.workloads = {plan_.workloads[workload]};
    plan.first_block = kFirstFreshBlock + block;
    plan.audits = false;
    for (const std::size_t i : running) {
      plan.alternatives.push_back(plan_.candidates[finalists_[i]].alternative);
    }
    const SamplerEvents events{.progress = [](std::size_t, std::size_t) {},
                               .cancelled = events_.cancelled};
    for (;;) {
      ComparisonData measured = events_.sample(plan, events);
      const bool failed =
          measured.complete && std::ranges::any_of(measured.series.front(), [](const Series& one) {
            return !one.failure.empty();
          });
      if (!measured.complete || measured.disturbed.empty() || failed) {
        return measured;
      }
      if (again_ >= RepeatedAtMost(std::size_t{plan_.blocks} * plan_.workloads.size())) {
        ++data_.disturbed;
        return measured;
      }
      ++again_;
      ++data_.repeated;
    }
  }

  SweepProgress ProgressAt(std::size_t block, std::size_t workload) const {
    const std::size_t cells = plan_.workloads.size();
    SweepProgress progress{.block = block,
                           .blocks = plan_.blocks,
                           .settled = 0,
                           .cells = cells,
                           .done = block * cells + workload,
                           .of = plan_.blocks * cells,
                           .seconds_left = std::nullopt};
    if (compared_ > 0) {
      double seconds = static_cast<double>(compared_ns_) / 1e9 / static_cast<double>(compared_) *
                       static_cast<double>(progress.of - progress.done);
      if (plan_.budget) {
        seconds =
            std::clamp(static_cast<double>((*plan_.budget - Passed()).count()) / 1e9, 0.0, seconds);
      }
      progress.seconds_left = seconds;
    }
    return progress;
  }

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(platform::ElapsedNs(start_ns_));
  }

  const TunePlan& plan_;
  const TuneEvents& events_;
  const std::uint64_t start_ns_;
  TuneData& data_;
  const std::vector<std::size_t> finalists_;
  std::size_t again_ = 0;  // blocks that were measured again
  std::uint64_t compared_ns_ = 0;
  std::size_t compared_ = 0;  // blocks
};

}  // namespace

void CompareFinalists(const TunePlan& plan, const TuneEvents& events, std::uint64_t start_ns,
                      TuneData& data) {
  FinalComparison(plan, events, start_ns, data).Compare();
}

}  // namespace schedbench::harness
