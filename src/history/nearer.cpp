#include "history/nearer.hpp"

#include "harness/compare/block_value.hpp"
#include "history/program.hpp"
#include "stats/change.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace schedbench::history {

namespace {

constexpr std::size_t kLooks = 3;  // looks after a quarter, a half and all of the blocks

// Returns the level of each look, so that all hold together.
double LevelOfLook() {
  return stats::LevelOfEach(kStepLevel, kLooks);
}

std::optional<stats::RatioEstimate> RatioOf(const std::vector<double>& a,
                                            const std::vector<double>& b) {
  const stats::LogRatios ratios = stats::PairLogRatios(a, b);
  return stats::PairedRatio(ratios, LevelOfLook(), stats::Dependence(ratios.values));
}

}  // namespace

// Values of blocks that all alternatives have, in their order, by alternative.
struct NearerJudge::Blocks {
  explicit Blocks(std::size_t alternatives)
      : values(alternatives),
        failures(alternatives) {
  }
  std::size_t Count() const {
    return values.front().size();
  }
  bool HasFailed() const {
    return std::ranges::any_of(failures,
                               [](const std::string& failure) { return !failure.empty(); });
  }
  std::vector<std::vector<double>> values;
  std::vector<std::string> failures;
};

NearerJudge::NearerJudge(NearerPlan plan, Sample sample)
    : plan_(std::move(plan)),
      sample_(std::move(sample)) {
}

std::size_t NearerJudge::FirstLook() const {
  return std::max<std::size_t>(stats::SmallestSampleWithInterval(LevelOfLook()),
                               plan_.most_blocks / 4);
}

void NearerJudge::Measure(const harness::ComparisonPlan& plan, std::size_t blocks, Blocks& values) {
  harness::ComparisonPlan part = plan;
  part.blocks = static_cast<std::uint32_t>(blocks);
  part.first_block = measured_;
  measured_ += blocks;
  const harness::ExperimentData data = sample_(part);
  const std::vector<harness::Series>& series = data.series.front();
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<double> of_block;
    for (const harness::Series& one : series) {
      const auto value = block < one.blocks.size()
                             ? harness::BlockValue(
                                   one.blocks[block],
                                   [this](const harness::RoundReply& round) {
                                     return harness::RoundValue(*plan_.metric, round);
                                   })
                             : std::nullopt;
      if (value && *value > 0) {
        of_block.push_back(*value);
      }
    }
    for (std::size_t i = 0; of_block.size() == series.size() && i < series.size(); ++i) {
      values.values[i].push_back(of_block[i]);
    }
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    values.failures[i] = series[i].failure;
  }
  if (!data.complete) {
    throw Cancelled("interrupted");
  }
}

NearerJudge::Proof NearerJudge::Prove() {
  Blocks blocks(plan_.base.alternatives.size());
  for (std::size_t wanted = FirstLook();; wanted = 2 * wanted) {
    const std::size_t all = std::min(wanted, std::max(plan_.most_blocks, FirstLook()));
    Measure(plan_.base, all - blocks.Count(), blocks);
    for (std::size_t i = 0; i < blocks.failures.size(); ++i) {
      if (!blocks.failures[i].empty()) {
        failure_ = plan_.base.alternatives[i].name + ": " + blocks.failures[i];
        return Proof::kFailed;
      }
    }
    difference_ = RatioOf(blocks.values[0], blocks.values[1]);
    if (difference_) {
      switch (stats::Judge(*difference_, plan_.min_effect)) {
        case stats::Change::kRise:
        case stats::Change::kFall:
          return Proof::kDiffer;
        case stats::Change::kNone:
          return Proof::kSame;
        default:
          break;
      }
    }
    if (all >= plan_.most_blocks || blocks.Count() < all) {
      return Proof::kInconclusive;
    }
  }
}

Step NearerJudge::Compare(const harness::Alternative& candidate) {
  harness::ComparisonPlan plan = plan_.base;
  plan.alternatives.push_back(candidate);
  Blocks blocks(plan.alternatives.size());
  Step step;
  for (std::size_t wanted = FirstLook();; wanted = 2 * wanted) {
    const std::size_t all = std::min(wanted, std::max(plan_.most_blocks, FirstLook()));
    Measure(plan, all - blocks.Count(), blocks);
    step.blocks = blocks.Count();
    if (blocks.HasFailed()) {
      step.nearer = Nearer::kBroken;
      step.failure = *std::ranges::find_if(
          blocks.failures, [](const std::string& failure) { return !failure.empty(); });
      return step;
    }
    step.to_good = RatioOf(blocks.values[0], blocks.values[2]);
    step.to_bad = RatioOf(blocks.values[1], blocks.values[2]);
    // The middle of GOOD and BAD on a logarithmic scale.
    std::vector<double> middle;
    for (std::size_t i = 0; i < blocks.Count(); ++i) {
      middle.push_back(std::sqrt(blocks.values[0][i] * blocks.values[1][i]));
    }
    if (const auto to_middle = RatioOf(middle, blocks.values[2])) {
      const bool bad_is_more = difference_->ratio > 1;
      if (to_middle->low > 1 || to_middle->high < 1) {
        step.nearer = (to_middle->low > 1) == bad_is_more ? Nearer::kBad : Nearer::kGood;
        return step;
      }
    }
    if (all >= plan_.most_blocks || blocks.Count() < all) {
      step.nearer = Nearer::kUnresolved;
      return step;
    }
  }
}

}  // namespace schedbench::history
