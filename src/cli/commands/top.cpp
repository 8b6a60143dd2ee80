#include "cli/command.hpp"
#include "cli/commands/top_go.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/output/outcome.hpp"
#include "cli/output/output.hpp"
#include "cli/output/top_display.hpp"
#include "config/problems.hpp"
#include "harness/live_run.hpp"
#include "harness/top/pool_source.hpp"
#include "platform/files/terminal.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr Flag kGoFlag{"--go", "", "",
                       "Show the Go program after --, by what GODEBUG=schedtrace reports"};
constexpr Flag kOnceFlag{"--once", "", "",
                         "Print one snapshot after one interval as text, and end: for pipes"};
constexpr Flag kIntervalFlag =
    Flag{"--interval", "", "TIME", "Time between two snapshots: 100ms, 2s"}.Checked(kTime).Default(
        "500ms");
constexpr Flag kTopRoundsFlag = kRoundsFlag.Described("End after N rounds (default: none)");

constexpr auto kTopFlags =
    FlagsOf(kSchedulerFlags, kWorkloadFlag, kTopRoundsFlag, kSeedFlag, kTimeoutFlag,
            kPerturbationFlags, kIntervalFlag, kOnceFlag, kGoFlag);

constexpr std::string_view kTopDetails =
    R"(Runs a workload repeatedly and shows on the terminal what each worker does: its state, LIFO
slot, local queue, switches, steals, parks and share of busy time; and of the pool: queues, threads,
idle and searching workers, fibers by state, throughput. Plots show the last snapshots. docs/top.md

Keys: q quits, p pauses, s sorts by the next column, l makes the plots logarithmic or linear. Ctrl-C
ends with exit code 130. 80 x 24 characters are enough.

--go shows a Go program instead. Its exit code is reported on stderr. Of several Go processes, as under
`go run`, it shows the one that began last. With --once, --timeout limits the time until the snapshot.

Examples:
  schedbench top --config fast.json --workload spawn_join
  schedbench top --scheduler global_fifo --workload yield --once
  schedbench top --go --interval 1s -- ./server --port 8080
)";

constexpr std::chrono::milliseconds kInputPeriod{50};

// One run on the terminal, or one snapshot of it.
class PoolTop {
 public:
  PoolTop(const Arguments& arguments, const harness::RunPlan& plan)
      : plan_(plan),
        interval_ns_(static_cast<std::uint64_t>(arguments.Time(kIntervalFlag).count())),
        is_once_(arguments.Has(kOnceFlag)),
        display_(std::in_place,
                 report::TopView{
                     .title = fmt::format("{}, {}", plan.scheduler->name, plan.workload->name),
                     .operation = std::string(plan.workload->operation),
                     .unicode = platform::TakesUtf8()},
                 is_once_) {
    if (const auto rounds = arguments.Number(kTopRoundsFlag)) {
      rounds_ = static_cast<std::uint32_t>(*rounds);
    }
  }

  ExitCode Do() {
    harness::Outcome outcome = harness::RunInterruptibly(
        plan_,
        [this](harness::Recorder& /*recorder*/, harness::WatchPoint& watch) {
          return source_.Run(plan_, rounds_, watch);
        },
        {.period = kInputPeriod, .call = [this] {
           return Look();
         }});
    display_.reset();
    if (has_ended_) {
      // The round still runs: this frame must not unwind.
      ExitCode code = ExitCode::kDone;
      try {
        Print(text_);
      } catch (const platform::WriteError& error) {
        code = ReportWriteError(error);
      }
      std::_Exit(static_cast<int>(code));
    }
    DeliverOutcome(outcome, [] {}, "the run has ended early");
    if (is_once_) {
      Say("error: the rounds ended before a snapshot; shorten --interval\n");
      return ExitCode::kInput;
    }
    return ExitCode::kDone;
  }

 private:
  // Takes a snapshot if it is time for one. Returns false at the end.
  bool Look() {
    const std::uint64_t now = platform::NowNs();
    if (now >= next_ns_) {
      if (const auto reading = source_.Read()) {
        next_ns_ = now + interval_ns_;
        text_ = display_->Add(*reading);
      }
    }
    has_ended_ = !text_.empty() || !display_->HandleInput();
    return !has_ended_;
  }

  const harness::RunPlan& plan_;
  const std::uint64_t interval_ns_;
  const bool is_once_;
  std::optional<std::uint32_t> rounds_;
  harness::PoolSource source_;
  std::optional<TopDisplay> display_;  // none: the run is over
  std::string text_;                   // of --once
  std::uint64_t next_ns_ = 0;
  bool has_ended_ = false;
};

void CheckTop(const Arguments& arguments, config::Problems& problems) {
  const bool is_go = arguments.Has(kGoFlag);
  if (is_go && arguments.words.empty()) {
    problems.Add("--go", "", "needs a program: schedbench top --go -- PROGRAM ARGUMENTS...");
  }
  if (!is_go && !arguments.words.empty()) {
    problems.Add("", "", "a program needs --go    schedbench top --go -- PROGRAM ARGUMENTS...");
  }
  for (const Flag& flag : kTopFlags) {
    const bool is_of_both = flag.name == kIntervalFlag.name || flag.name == kOnceFlag.name ||
                            flag.name == kGoFlag.name ||
                            (flag.name == kTimeoutFlag.name && arguments.Has(kOnceFlag));
    if (is_go && !is_of_both && arguments.Has(flag)) {
      problems.Add(std::string(flag.name), "", "has no effect on a Go program (--go)");
    }
  }
  // Go reads a longer one as none, without a message.
  constexpr std::chrono::milliseconds kLongestOfGo{std::numeric_limits<std::int32_t>::max()};
  if (is_go && arguments.Time(kIntervalFlag) > kLongestOfGo) {
    problems.Add(std::string(kIntervalFlag.name), "", "with --go: at most 596h");
  }
  if (!arguments.Has(kOnceFlag) && !platform::HasKeysAndScreen()) {
    problems.Add("", "",
                 "top needs a terminal at stdin and stdout    --once prints one snapshot as text");
  }
}

ExitCode Top(const Arguments& arguments) {
  config::Problems problems;
  CheckTop(arguments, problems);
  problems.ThrowIfAny();
  const auto interval = arguments.Time(kIntervalFlag);
  if (arguments.Has(kGoFlag)) {
    // A snapshot needs two reports.
    const auto timeout = arguments.Time(kTimeoutFlag);
    return TopOfGo(arguments.words,
                   {.interval = interval,
                    .once = arguments.Has(kOnceFlag),
                    .timeout = arguments.Has(kTimeoutFlag) ? timeout : timeout + 2 * interval});
  }
  const harness::RunPlan plan = PlanFromFlags(arguments);
  const Perturbations perturbations(arguments);
  return PoolTop(arguments, plan).Do();
}

}  // namespace

const Command kTopCommand{
    .name = "top",
    .summary = "watch a run, or a Go program, on the terminal",
    .words = "[-- PROGRAM...]",
    .max_words = 100'000,
    .words_are = Names::kFile,
    .flags = kTopFlags,
    .details = kTopDetails,
    .run = &Top,
};

}  // namespace schedbench::cli
