#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/plan_from_flags.hpp"
#include "cli/progress_line.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/live_run.hpp"
#include "platform/crash_handler.hpp"
#include "platform/file.hpp"
#include "platform/terminal.hpp"
#include "report/format.hpp"
#include "report/replay.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr Flag kFormatFlag{"--format", "-f", "NAME",
                           "table or json (default: json for -o *.json, else table)"};
constexpr Flag kOutputFlag{"--output", "-o", "FILE",
                           "Write the result there, whole or not at all, instead of stdout"};
constexpr Flag kQuietFlag{"--quiet", "-q", "", "No progress line"};

constexpr std::array kFlags{kConfigFlag,   kSchedulerFlag, kSetFlag,    kWorkersFlag,
                            kWorkloadFlag, kRoundsFlag,    kWarmupFlag, kSeedFlag,
                            kTimeoutFlag,  kFormatFlag,    kOutputFlag, kQuietFlag};

constexpr std::string_view kDetails =
    R"(What is given later wins: of several --config files, of --set over them, of a flag given twice;
--workers over all of them.
"workers": 0, the default, means one worker per CPU that the process may use.

Each round lets the workload do its fixed amount of work once and checks its answer. Figures are medians over
the rounds with their exact 95 % interval; fewer than 6 rounds have none, and show the range.

A run in which nothing happens for the time of --timeout is given up with exit code 4: DEADLOCK (all that is unfinished
waits: which fibers, for what, who holds it, in which cycle), LOST TASKS (the scheduler sleeps on work), LOST WAKE-UP
(nothing is left to do, and the scheduler does not say so) or STALL (a task does not end, or the workload's preparation
or check: what each thread does). Set 0 where single ones of these take longer than that.

Ctrl-C reports the rounds so far, with "complete": false, and exits with code 130; a second one ends at once.

Examples:
  schedbench run --config fast.json --workload pingpong
  schedbench run --config fast.json --set workers=1 --set lifo_limit=0 --workload pingpong:pairs=8,hint=next
  schedbench run --scheduler global_fifo --workload spawn_join:tasks=100000,from=outside --rounds 40
  schedbench run --config fast.json --workload yield --seed 1729 -o result.json
)";

const report::Format& ChosenFormat(const Arguments& arguments) {
  const auto name = arguments.Value(kFormatFlag.name);
  if (!name) {
    return report::FormatOfFile(arguments.Value(kOutputFlag.name).value_or(""));
  }
  if (const report::Format* format = report::FindFormat(*name)) {
    return *format;
  }
  std::vector<std::string_view> names;
  for (const report::Format& format : report::Formats()) {
    names.push_back(format.name);
  }
  throw config::InputError(
      fmt::format("unknown format {}{}", config::Quoted(*name), config::DidYouMean(*name, names)));
}

// Where the result goes, and in which form.
class Delivery {
 public:
  explicit Delivery(const Arguments& arguments)
      : format_(ChosenFormat(arguments)),
        file_(arguments.Value(kOutputFlag.name)) {
    if (file_ == "-") {
      file_.reset();
    }
    if (file_) {
      // Found out now, and not after an hour of measuring.
      platform::CheckWritable(*file_);
    }
  }

  void Deliver(const harness::RunResult& result) const {
    const bool colour = !file_ && platform::TakesColour(platform::Stream::kOut);
    const std::string text =
        format_.render(result, {.unicode = platform::TakesUtf8(), .colour = colour});
    if (!file_) {
      Print(text);
      return;
    }
    try {
      platform::WriteFileWhole(*file_, text);
    } catch (const platform::WriteError&) {
      Print(text);  // what was measured is not lost with the file
      throw;
    }
  }

 private:
  const report::Format& format_;
  std::optional<std::string> file_;
};

// The threads of the run may still be at work: nothing is unwound.
[[noreturn]] void ReportAndExit(const harness::Outcome& outcome, const Delivery& delivery) {
  const bool interrupted = outcome.ending == harness::Ending::kInterrupted;
  const ExitCode code = interrupted                                 ? ExitCode::kInterrupted
                        : outcome.ending == harness::Ending::kLimit ? ExitCode::kInput
                                                                    : ExitCode::kWrongAnswer;
  const harness::RunResult& result = outcome.result;
  Say(fmt::format("{}{}\n", interrupted ? "" : "error: ", config::Escaped(result.failure, 2000)));
  Say(result.diagnosis);
  Say(fmt::format("{} of {} rounds were finished\n", result.rounds.size(), result.plan.rounds));
  try {
    delivery.Deliver(result);
  } catch (const std::exception& error) {
    Say(fmt::format("error: {}\n", error.what()));
  }
  std::_Exit(static_cast<int>(code));
}

// A crash from now on tells how to repeat the run, with the program's own path and the seed that was drawn.
void TellCrashHandler(const Arguments& arguments, std::uint64_t seed) {
  std::vector<std::string> command = arguments.command_line;
  command.front() = arguments.program;
  platform::SetReplayCommand(report::ReplayCommand(command, seed));
}

ExitCode Run(const Arguments& arguments) {
  const harness::RunPlan plan = PlanFromFlags(arguments);
  TellCrashHandler(arguments, plan.seed);
  const Delivery delivery(arguments);
  ProgressLine line(!arguments.Has(kQuietFlag.name) &&
                    platform::ErasesLines(platform::Stream::kError));
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [&line](std::uint32_t done, std::uint32_t of, bool warming_up) {
        line.Update(done, of, warming_up);
      });
  line.Stop();
  outcome.result.command = arguments.command_line;
  if (outcome.ending != harness::Ending::kComplete) {
    ReportAndExit(outcome, delivery);
  }
  if (outcome.unfinished_fibers > 0) {
    Say(fmt::format("warning: {} {} never finished\n{}", outcome.unfinished_fibers,
                    outcome.unfinished_fibers == 1 ? "fiber" : "fibers", outcome.result.diagnosis));
  }
  delivery.Deliver(outcome.result);
  return ExitCode::kDone;
}

}  // namespace

const Command kRunCommand{
    .name = "run",
    .summary = "measure a scheduler under a workload",
    .words = "",
    .most_words = 0,
    .flags = kFlags,
    .details = kDetails,
    .run = &Run,
};

}  // namespace schedbench::cli
