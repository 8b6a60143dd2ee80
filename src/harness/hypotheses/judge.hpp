#pragma once

#include "base/enum_text.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "platform/machine/machine_info.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::harness {

using schedbench::ToText;

// The effect of a change on a number.
enum class Way { kRises, kFalls };

// A claim of a document: another scheduler changes a mechanism's use, and so the speed.
struct Hypothesis {
  std::string_view name;       // "H1"
  std::string_view source;     // the document that makes the claim
  std::string_view statement;  // one sentence
  std::string_view workload;   // with parameters
  // Alternatives as `compare` takes them. Both "": all schedulers of the toucan report must give
  // right answers on one worker; there is no mechanism and no claim about throughput.
  std::string_view before = "";
  std::string_view after = "";
  // Counts of a mechanism, which are summed, or one metric; per operation.
  std::span<const std::string_view> counters = {};
  std::string_view mechanism = "";  // the counters in words: "tasks taken from the global queue"
  Way counters_go = Way::kFalls;
  Way throughput_goes = Way::kRises;

  constexpr bool IsAboutAnswers() const {
    return before.empty();
  }
};

// Returns the conclusions H1 to H5 of the toucan report, the claims F12 to F14 of the scheduler
// lectures, and a control that compares a scheduler with itself.
std::span<const Hypothesis> Hypotheses();

enum class Judgement : std::uint8_t {
  kSupported,     // the mechanism and the throughput both move as claimed
  kRefuted,       // one of them moves the other way, or only the mechanism moves
  kInconclusive,  // anything else
  kFailed,        // a scheduler gave no result
};

// Returns "supported", "refuted", "inconclusive" or "failed".
constexpr std::array<std::string_view, 4> NamesOf(Judgement) {
  return {"supported", "refuted", "inconclusive", "failed"};
}

// A hypothesis after its measurement: ratios of the second scheduler to the first one.
struct JudgedHypothesis {
  const Hypothesis* hypothesis;
  ComparisonPlan plan;
  std::optional<stats::RatioEstimate> mechanism{};
  std::optional<stats::RatioEstimate> throughput{};
  Judgement judgement = Judgement::kInconclusive;
  std::string reason{};  // one sentence
  bool refused = false;  // it failed because of a limit of the machine
};

// The result of `hypotheses`.
struct HypothesesResult {
  std::vector<JudgedHypothesis> judged;
  double min_effect = 0;
  double level = 0;  // level of each interval; together they hold with kJointLevel
  std::uint64_t seed = 0;
  platform::MachineInfo machine;
  bool complete = true;  // false: interrupted; the hypotheses judged before are here
  std::vector<std::string> command;
};

// Decides by the blocks of a comparison of two alternatives under one workload; a hypothesis about
// answers takes any number of alternatives. `level`: the level of each of the two intervals.
// `min_effect`: smaller differences of throughput do not count.
JudgedHypothesis Judge(const Hypothesis& hypothesis, const ComparisonPlan& plan,
                       const ExperimentData& data, double level, double min_effect);

// Decides by the two intervals.
Judgement JudgementOf(const Hypothesis& hypothesis,
                      const std::optional<stats::RatioEstimate>& mechanism,
                      const std::optional<stats::RatioEstimate>& throughput, double min_effect);

}  // namespace schedbench::harness
