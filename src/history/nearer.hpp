#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "registry/metric.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

// Compares GOOD, BAD and a candidate: to which of the two is the candidate nearer?

namespace schedbench::history {

using schedbench::ToText;

enum class Nearer {
  kGood,
  kBad,
  kUnresolved,  // the blocks do not decide
  kBroken,      // the candidate cannot be measured
};

// Returns "good", "bad", "inconclusive" or "not measured".
constexpr std::array<std::string_view, 4> NamesOf(Nearer) {
  return {"good", "bad", "inconclusive", "not measured"};
}

// The result of a comparison of the three.
struct Step {
  Nearer nearer = Nearer::kUnresolved;
  std::size_t blocks = 0;
  std::optional<stats::RatioEstimate> to_good;  // candidate / GOOD
  std::optional<stats::RatioEstimate> to_bad;   // candidate / BAD
  std::string failure;                          // failure of kBroken
};

// The extent of the comparisons.
struct NearerPlan {
  harness::ComparisonPlan base;  // a workload and the extent of a block; alternatives: GOOD and BAD
  const registry::Metric* metric;
  std::size_t most_blocks;  // limit of a step
  double min_effect;        // 0.02
};

// Confidence level of each step.
inline constexpr double kStepLevel = 0.99;

// Compares candidates with GOOD and BAD. A step begins with few blocks and doubles them while its
// interval is undecided, up to the limit; the intervals of all its looks hold together with
// kStepLevel. The caller's thread does it.
class NearerJudge {
 public:
  // `sample`: harness::Sample, or a replacement of a test.
  using Sample = std::function<harness::ExperimentData(const harness::ComparisonPlan& plan)>;
  NearerJudge(NearerPlan plan, Sample sample);

  enum class Proof {
    kDiffer,
    kSame,          // no difference that matters
    kInconclusive,  // the blocks do not decide
    kFailed,        // one of the two cannot be measured
  };

  // Compares GOOD and BAD. Call it once, before all steps. Throws Cancelled.
  Proof Prove();
  // Returns BAD / GOOD, after Prove().
  const std::optional<stats::RatioEstimate>& Difference() const {
    return difference_;
  }
  // Returns why the proof has failed.
  const std::string& Failure() const {
    return failure_;
  }

  // Compares a candidate with both. Requires: Prove() returned kDiffer. Throws Cancelled.
  Step Compare(const harness::Alternative& candidate);

 private:
  struct Blocks;
  // Measures more blocks of the alternatives, and appends their values.
  void Measure(const harness::ComparisonPlan& plan, std::size_t blocks, Blocks& values);
  std::size_t FirstLook() const;

  NearerPlan plan_;
  const Sample sample_;
  std::optional<stats::RatioEstimate> difference_;
  std::string failure_;
  std::size_t measured_ = 0;  // blocks of all steps, which determine seeds
};

}  // namespace schedbench::history
