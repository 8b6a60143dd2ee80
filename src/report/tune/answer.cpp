#include "config/quote.hpp"
#include "report/parts/replay.hpp"
#include "report/tune/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// The answer of a search in words.

namespace schedbench::report {

using harness::TuneAnswer;
using harness::TuneOutcome;
using harness::TuneRatio;
using harness::TuneScope;

namespace {

bool IsLoss(const TuneRatio& ratio) {
  return ratio.verdict == harness::Verdict::kWorse ||
         ratio.verdict == harness::Verdict::kSlightlyWorse;
}

// Returns sentences on limits: losses, undecided workloads, a runner-up that may be as good.
std::vector<Sentence> Limits(const TuneResult& result, std::size_t finalist) {
  std::vector<Sentence> losses;
  std::vector<Sentence> undecided;
  for (const TuneRatio& ratio : result.decision.ratios) {
    if (ratio.finalist != finalist) {
      continue;
    }
    const std::string_view objective = harness::ToText(result.plan.objectives[ratio.objective]);
    if (ratio.against != 0) {
      if (ratio.verdict != harness::Verdict::kBetter &&
          ratio.verdict != harness::Verdict::kSlightlyBetter) {
        undecided.push_back({fmt::format(
            "may be as good: the runner-up, {}, by {}",
            ShortCandidateName(result.plan, harness::FinalistsOf(result.data)[ratio.against]),
            objective)});
      }
    } else if (IsLoss(ratio)) {
      losses.push_back(
          {fmt::format("{}: {} of {}, ratio {}", harness::ToText(*ratio.verdict), objective,
                       ScopeText(result.plan, ratio), TuneRatioText(ratio))});
    } else if (!ratio.verdict || ratio.verdict == harness::Verdict::kInconclusive) {
      undecided.push_back(
          {fmt::format("undecided: {} of {}", objective, ScopeText(result.plan, ratio))});
    }
  }
  losses.insert(losses.end(), undecided.begin(), undecided.end());
  return losses;
}

// Returns why a winner of the search is not a better setting.
Sentence ReasonOf(const TuneResult& result, std::size_t winner) {
  const TuneOutcome outcome = result.decision.outcomes[winner];
  std::string reason = TuneRoleName(result, winner + 1);
  switch (outcome) {
    case TuneOutcome::kTradeOff:
      reason += " of the search is a trade-off, better in one objective and worse in another";
      break;
    case TuneOutcome::kUnmeasured:
      reason += " of the search was measured too little";
      break;
    case TuneOutcome::kFailed:
      reason += " of the search has failed, or has no value of an objective";
      break;
    default:
      reason += fmt::format(" of the search is {}", harness::ToText(outcome));
  }
  std::size_t blocks = 0;
  for (const TuneRatio& ratio : result.decision.ratios) {
    if (ratio.finalist == winner + 1 && ratio.against == 0 && ratio.scope == TuneScope::kSearched) {
      reason += fmt::format(", {} {}", harness::ToText(result.plan.objectives[ratio.objective]),
                            TuneRatioText(ratio));
      blocks = std::max(blocks, ratio.pairs_to_resolve);
    }
  }
  constexpr std::size_t kMostBlocks = 1000;  // arbitrary: more take hours
  if (outcome == TuneOutcome::kInconclusive && blocks > kMostBlocks) {
    reason += ": the noise of this machine is too large to decide";
  } else if (outcome == TuneOutcome::kInconclusive && blocks > 0) {
    return {reason, fmt::format("--blocks {} would probably decide", blocks)};
  }
  return {reason};
}

}  // namespace

std::string AnswerText(const TuneResult& result) {
  switch (result.decision.answer) {
    case TuneAnswer::kBetter:
    case TuneAnswer::kConditional:
      return fmt::format(
          "{}: {}",
          result.decision.answer == TuneAnswer::kBetter
              ? "Better than the default"
              : "Better than the default on the searched workloads, but not on all",
          TuneCandidateName(result.plan, result.data.winners[*result.decision.best - 1]));
    case TuneAnswer::kNone:
      return "No setting is better than the default";
    case TuneAnswer::kUnknown:
      return "No answer";
  }
  return "";
}

std::vector<Sentence> AnswerDetails(const TuneResult& result) {
  std::vector<Sentence> details;
  const harness::TuneDecision& decision = result.decision;
  if (decision.best) {
    const std::size_t candidate = result.data.winners[*decision.best - 1];
    details = Limits(result, *decision.best);
    std::vector<std::string> command = result.plan.candidates[candidate].command;
    if (!command.empty()) {
      command.insert(command.end(), {"--workload", result.plan.workloads.front().name});
      details.push_back({"its command:", ReplayCommand(command, result.plan.seed)});
    }
  } else if (decision.outcomes.empty()) {
    const bool has_failed =
        !harness::FailureOf(result.data.search[harness::kDefaultCandidate]).empty();
    if (!result.data.complete) {
      details.push_back({"the measurement was interrupted before anything could be compared"});
    } else if (!result.data.unusable_default.empty()) {
      details.push_back(
          {fmt::format("{}: {}", has_failed ? "the default has failed" : "the default has no value",
                       config::Escaped(result.data.unusable_default, kLongestTuneReason)),
           has_failed ? "" : "a larger workload, or another --objective"});
    } else if (decision.answer == TuneAnswer::kNone) {
      details.push_back({"no other candidate has a result"});
    } else {
      details.push_back({"the search ended before the comparison on fresh data began"});
    }
  }
  for (std::size_t i = 0; !decision.best && i < decision.outcomes.size(); ++i) {
    details.push_back(ReasonOf(result, i));
  }
  if (!result.saved_config.empty()) {
    details.push_back({"the config of this answer: " + config::Escaped(result.saved_config, 4096)});
  }
  return details;
}

}  // namespace schedbench::report
