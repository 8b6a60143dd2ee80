#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/sleep_mode.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/measure_cells.hpp"
#include "config/suggest.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/hypotheses/judge.hpp"
#include "stats/order_statistics.hpp"
#include "stats/ratio.hpp"

#include <algorithm>
#include <optional>

namespace schedbench::cli {

namespace {

constexpr auto kSpinModeFlag = kSleepModeFlag.Default("spin");
constexpr auto kHypothesesFlags =
    FlagsOf(kSpinModeFlag, kBlocksFlag.Usually("25, or as many as the intervals need"),
            kMinEffectFlag, kSeedFlag, kRoundLimitFlag, kOutputFlags);

constexpr std::string_view kHypothesesDetails =
    R"(Tests the conclusions of the toucan report (H1 to H5) and the claims of the Scalable Scheduler task
(F12 to F14) on this machine. Each one names two schedulers, a workload, a mechanism that one of the
two uses more often, and what that does to the throughput. NAME chooses hypotheses; without it all
are tested.

The verdict follows from two intervals, of the ratio of the mechanism's counter and of the ratio of
the throughput:
  supported      both move as claimed
  refuted        one moves the other way; or the mechanism moves, and the throughput stays the same
  inconclusive   all other results
The hypothesis `control` compares a scheduler with itself, and must be inconclusive.

H5 is about answers: with one worker, no fiber may get more turns than another under any scheduler
of the toucan report.
)";

// Returns the hypotheses that the words name.
std::vector<const harness::Hypothesis*> Chosen(const std::vector<std::string>& words,
                                               config::Problems& problems) {
  std::vector<const harness::Hypothesis*> chosen;
  for (const std::string& word : words) {
    const harness::Hypothesis* const hypothesis = FindByName(harness::Hypotheses(), word);
    if (hypothesis == nullptr) {
      const auto names = NamesOf(harness::Hypotheses());
      problems.Add(config::Escaped(word), "",
                   "unknown hypothesis" + config::DidYouMean(word, names, names.size()));
    } else if (std::ranges::find(chosen, hypothesis) == chosen.end()) {
      chosen.push_back(hypothesis);
    }
  }
  if (words.empty()) {
    for (const harness::Hypothesis& hypothesis : harness::Hypotheses()) {
      chosen.push_back(&hypothesis);
    }
  }
  return chosen;
}

// Returns the workload in another mode of sleeping, if it has modes.
std::string InMode(std::string_view workload, std::string_view mode) {
  constexpr std::string_view kMode = "mode=spin";
  std::string text(workload);
  if (const std::size_t place = text.find(kMode); place != std::string::npos) {
    text.replace(place, kMode.size(), fmt::format("mode={}", mode));
  }
  return text;
}

harness::ComparisonPlan HypothesisPlan(const harness::Hypothesis& hypothesis,
                                       const Arguments& arguments, std::uint64_t seed,
                                       config::Problems& problems) {
  harness::ComparisonPlan plan;
  if (hypothesis.IsAboutAnswers()) {
    plan.alternatives = AlternativesOf({"global_fifo", "WorkStealing_*"}, "1", problems);
  } else {
    plan.alternatives = AlternativesOf(
        {std::string(hypothesis.before), std::string(hypothesis.after)}, std::nullopt, problems);
  }
  const std::string text = InMode(hypothesis.workload, arguments[kSpinModeFlag]);
  AddWorkload(text, kWorkloadFlag, plan.workloads, problems);
  plan.metrics = {"throughput"};
  plan.rounds = 5;
  plan.seed = seed;
  plan.limit = arguments[kRoundLimitFlag];
  return plan;
}

ExitCode RunHypotheses(const Arguments& arguments) {
  config::Problems problems;
  const auto chosen = Chosen(arguments.words, problems);
  const std::uint64_t seed = SeedFromFlags(arguments);
  auto plans = VectorOf(chosen, [&](const harness::Hypothesis* hypothesis) {
    return HypothesisPlan(*hypothesis, arguments, seed, problems);
  });
  problems.ThrowIfAny();
  const Delivery delivery = Delivery::Of<report::HypothesesResult>(arguments);
  harness::HypothesesResult result{
      .judged = {},
      .min_effect = arguments[kMinEffectFlag],
      // Each hypothesis has two intervals.
      .level = stats::LevelOfEach(harness::kJointLevel, 2 * chosen.size()),
      .seed = seed,
      .machine = platform::ThisMachine(),
      .complete = true,
      .command = arguments.command_line};
  constexpr std::uint32_t kUsual = 25;
  const auto needed = static_cast<std::uint32_t>(stats::SmallestSampleWithInterval(result.level));
  Measurement measurement(arguments);
  for (std::size_t i = 0; i < chosen.size() && result.complete; ++i) {
    plans[i].blocks =
        chosen[i]->IsAboutAnswers() ? 1 : arguments[kBlocksFlag].value_or(std::max(needed, kUsual));
    harness::ExperimentEvents events{.progress =
                                         [&, i](const harness::ExperimentProgress& progress) {
                                           measurement.line.Update(
                                               i * progress.rounds + progress.rounds_done,
                                               chosen.size() * progress.rounds);
                                         },
                                     .cancelled = nullptr};
    measurement.Connect(events);
    const harness::ExperimentData data = harness::Measure(harness::ExperimentOf(plans[i]), events);
    result.complete = data.complete;
    if (data.complete) {
      result.judged.push_back(
          harness::Judge(*chosen[i], plans[i], data, result.level, result.min_effect));
    }
  }
  measurement.Stop();
  delivery.Deliver(result);
  if (!result.complete) {
    return ExitCode::kInterrupted;
  }
  ExitCode code = ExitCode::kDone;
  for (const harness::JudgedHypothesis& judged : result.judged) {
    if (judged.judgement == harness::Judgement::kFailed) {
      if (!judged.refused) {
        return ExitCode::kWrongAnswer;
      }
      code = ExitCode::kInput;
    }
  }
  return code;
}

const CommandRegistration kHypotheses{{
    .place = 100,
    .name = "hypotheses",
    .summary = "test published claims about schedulers on this machine",
    .words = {"[NAME...]", 0, 100},
    .flags = kHypothesesFlags,
    .details = kHypothesesDetails,
    .examples =
        R"(  schedbench hypotheses
  schedbench hypotheses H1 H3 control --blocks 30
  schedbench hypotheses --mode faithful -o as_published.json
)",
    .run = &RunHypotheses,
}};

}  // namespace

}  // namespace schedbench::cli
