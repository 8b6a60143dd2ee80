#include "cli/command.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "harness/live_run.hpp"
#include "harness/top/pool_source.hpp"
#include "harness/top/schedtrace.hpp"
#include "harness/top/snapshot.hpp"
#include "platform/files/terminal.hpp"
#include "platform/process/child_process.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/screen/screen.hpp"
#include "platform/time/clock.hpp"
#include "report/top/top_frame.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kGoFlag =
    SwitchFlag{"--go", "", "", "Show the Go program after --, by what GODEBUG=schedtrace reports"};
constexpr auto kOnceFlag = SwitchFlag{
    "--once", "", "", "Print one snapshot after one interval as text, and end: for pipes"};
constexpr auto kIntervalFlag =
    TimeFlag{"--interval", "", "TIME", "Time between two snapshots: 100ms, 2s"}.Default("500ms");

constexpr auto kTopFlags = FlagsOf(
    kSchedulerFlags, kWorkloadFlag, kRoundsFlag.Described("End after N rounds").Usually("none"),
    kSeedFlag, kTimeoutFlag, kPerturbationFlags, kIntervalFlag, kOnceFlag, kGoFlag);

constexpr std::string_view kTopDetails =
    R"(Runs a workload repeatedly and shows on the terminal what each worker does: its state, LIFO
slot, local queue, switches, steals, parks and share of busy time; and of the pool: queues, threads,
idle and searching workers, fibers by state, throughput. Plots show the last snapshots. docs/top.md

Keys: q quits, p pauses, s sorts by the next column, l makes the plots logarithmic or linear. Ctrl-C
ends with exit code 130. 80 x 24 characters are enough.

--go shows a Go program instead. Its exit code is reported on stderr. Of several Go processes, as
under `go run`, it shows the one that began last. With --once, --timeout limits the time until the
snapshot.
)";

constexpr std::chrono::milliseconds kInputPeriod{50};

platform::ScreenLook LookOnScreen(report::CellLook look) {
  using platform::ScreenLook;
  constexpr std::array kLooks{ScreenLook::kPlain, ScreenLook::kBold, ScreenLook::kDim,
                              ScreenLook::kGreen, ScreenLook::kBlue, ScreenLook::kYellow};
  static_assert(kLooks.size() == static_cast<std::size_t>(report::CellLook::kSearching) + 1);
  return kLooks[static_cast<std::size_t>(look)];
}

std::unique_ptr<platform::Screen> TakeScreen() {
  try {
    return std::make_unique<platform::Screen>();
  } catch (const std::runtime_error& error) {
    throw config::InputError(error.what());
  }
}

// Holds readings of a scheduler, and the screen, if any. The main thread uses it.
class TopDisplay {
 public:
  // Takes the terminal, unless the display is for one snapshot as text. Throws config::InputError
  // if the terminal cannot be drawn on.
  TopDisplay(report::TopView view, bool once)
      : view_(std::move(view)),
        screen_(once ? nullptr : TakeScreen()) {
  }

  // Adds a reading of a process. Unless paused, shows it from the second reading on; the history
  // always continues. Returns the snapshot as text if one is due.
  std::string Add(const harness::TopReading& reading, std::uint64_t process = 0) {
    std::string text;
    if (last_ && process_ == process) {
      harness::TopSnapshot snapshot = harness::SnapshotBetween(*last_, reading, start_ns_);
      history_.Add(snapshot);
      if (!screen_) {
        text = report::TopText(view_, snapshot);
      } else if (!view_.paused) {
        shown_ = std::move(snapshot);
        Draw();
      }
    } else {
      start_ns_ = reading.time_ns;
    }
    last_ = reading;
    process_ = process;
    return text;
  }

  // Shows a line of the program above the keys.
  void SetMessage(std::string text) {
    view_.message = std::move(text);
    has_message_ = true;
  }

  // Handles keys, and a new size of the terminal. Returns false if q was pressed.
  bool HandleInput() {
    if (!screen_) {
      return true;
    }
    while (const auto key = screen_->Key()) {
      if (!HandleKey(*key)) {
        return false;
      }
    }
    const platform::TerminalSize size = screen_->Size();
    // A program may write thousands of messages in a second.
    constexpr std::uint64_t kBetweenMessagesNs = 50'000'000;
    const bool shows_message = has_message_ && platform::NowNs() >= drawn_ns_ + kBetweenMessagesNs;
    if (shows_message || size.rows != drawn_.rows || size.columns != drawn_.columns) {
      Draw();
    }
    return true;
  }

 private:
  bool HandleKey(char key) {
    switch (key) {
      case 'q':
        return false;
      case 'p':
        view_.paused = !view_.paused;
        break;
      case 's':
        view_.order = report::NextOrder(view_.order);
        break;
      case 'l':
        view_.logarithmic = !view_.logarithmic;
        break;
      default:
        return true;
    }
    Draw();
    return true;
  }

  void Draw() {
    drawn_ = screen_->Size();
    drawn_ns_ = platform::NowNs();
    has_message_ = false;
    const report::TextGrid frame =
        report::TopFrame(view_, shown_, history_, drawn_.rows, drawn_.columns);
    for (std::size_t row = 0; row < frame.Rows(); ++row) {
      for (const report::TextGrid::Run& run : frame.RunsOf(row)) {
        screen_->Put(row, run.column, run.text, LookOnScreen(run.look));
      }
    }
    screen_->Show();
  }

  report::TopView view_;
  std::unique_ptr<platform::Screen> screen_;  // none: for one snapshot
  platform::TerminalSize drawn_{};
  std::uint64_t drawn_ns_ = 0;  // time of drawing
  bool has_message_ = false;    // whether a message is not drawn yet
  std::optional<harness::TopReading> last_;
  std::uint64_t process_ = 0;   // process of `last_`
  std::uint64_t start_ns_ = 0;  // time of the first reading
  harness::TopSnapshot shown_;
  harness::TopHistory history_;
};

// A run on the terminal, or a snapshot of it.
class PoolTop {
 public:
  PoolTop(const Arguments& arguments, const harness::RunPlan& plan)
      : plan_(plan),
        interval_ns_(static_cast<std::uint64_t>(arguments[kIntervalFlag].count())),
        is_once_(arguments[kOnceFlag]),
        rounds_(arguments[kRoundsFlag]),
        display_(std::in_place,
                 report::TopView{
                     .title = fmt::format("{}, {}", plan.scheduler->name, plan.workload->name),
                     .operation = std::string(plan.workload->operation),
                     .unicode = platform::TakesUtf8()},
                 is_once_) {
  }

  ExitCode Do() {
    harness::Outcome outcome = harness::RunInterruptibly(
        plan_,
        [this](harness::Recorder& /*recorder*/, harness::WatchPoint& watch) {
          return source_.Run(plan_, rounds_, watch);
        },
        {.period = kInputPeriod, .call = [this] { return Look(); }});
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
  // Takes a snapshot if it is due. Returns false at the end.
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
  const std::optional<std::uint32_t> rounds_;
  harness::PoolSource source_;
  std::optional<TopDisplay> display_;  // none: the run is over
  std::string text_;                   // output of --once
  std::uint64_t next_ns_ = 0;
  bool has_ended_ = false;
};

using platform::ChildProcess;

// The program writes a whole trace at once: after this time without a line, it is complete.
constexpr std::chrono::milliseconds kQuiet{50};

// Returns the command with the variable of its runtime. `env` also resolves the program in PATH.
// `go run` passes the variable to the program only, so that the go command and the compilers, which
// are Go programs too, report nothing.
std::vector<std::string> TracedCommand(const std::vector<std::string>& command,
                                       std::chrono::nanoseconds interval) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(interval).count();
  const char* const before = std::getenv("GODEBUG");
  const std::string variable =
      fmt::format("GODEBUG={}{}schedtrace={},scheddetail=1", before == nullptr ? "" : before,
                  before == nullptr || *before == '\0' ? "" : ",", std::max<decltype(ms)>(1, ms));
  const bool is_go = command.size() > 1 && command[0].substr(command[0].rfind('/') + 1) == "go" &&
                     command[1] == "run" &&
                     std::ranges::none_of(command, [](const std::string& word) {
                       return word.starts_with("-exec") || word.starts_with("--exec");
                     });
  std::vector<std::string> traced{"env"};
  if (is_go) {
    traced.insert(traced.end(), {command[0], command[1], "-exec", "env " + variable});
    traced.insert(traced.end(), command.begin() + 2, command.end());
  } else {
    traced.push_back(variable);
    traced.insert(traced.end(), command.begin(), command.end());
  }
  return traced;
}

// Returns the time without a snapshot at which --once gives up; 0: never. A snapshot needs two
// reports.
std::uint64_t PatienceNs(const Arguments& arguments) {
  const std::chrono::nanoseconds timeout = arguments[kTimeoutFlag];
  const bool is_default = !arguments.Has(kTimeoutFlag);
  return static_cast<std::uint64_t>(
      (is_default ? timeout + 2 * arguments[kIntervalFlag] : timeout).count());
}

// Runs a Go program and shows what its runtime reports about its scheduler until the program ends,
// a key or a signal. The program ends with this process in any case.
class GoTop {
 public:
  explicit GoTop(const Arguments& arguments)
      : child_(TracedCommand(arguments.words, arguments[kIntervalFlag]),
               {.lines = ChildProcess::Lines::kOfStderr,
                .reach = platform::Reach::kDescendants,
                .patience = {}}),
        is_once_(arguments[kOnceFlag]),
        timeout_ns_(PatienceNs(arguments)) {
    display_.emplace(report::TopView{.title = fmt::format(
                                         "Go: {}", config::Escaped(arguments.words.front(), 50)),
                                     .operation = "",
                                     .is_go = true,
                                     .unicode = platform::TakesUtf8()},
                     is_once_);
  }

  ExitCode Do() {
    std::string line;
    while (true) {
      if (interrupt_.HasCome()) {
        display_.reset();
        return ExitCode::kInterrupted;
      }
      if (!display_->HandleInput()) {
        display_.reset();
        return ExitCode::kDone;
      }
      const ChildProcess::Read read = child_.ReadLine(line, kQuiet);
      if (read == ChildProcess::Read::kLine) {
        TakeLine(line);
      } else {
        parser_.Flush();
      }
      if (const auto reading = parser_.Next()) {
        ++readings_;
        const std::string text = display_->Add(*reading, parser_.ProcessOfReading());
        if (!text.empty()) {
          Print(text);
          return ExitCode::kDone;
        }
      }
      if (read == ChildProcess::Read::kTooLong) {
        return End();
      }
      // Another process may keep its stderr open.
      if (read != ChildProcess::Read::kLine && child_.HasEnded()) {
        return End();
      }
      if (is_once_ && timeout_ns_ > 0 && platform::NowNs() - begin_ns_ > timeout_ns_) {
        Say(
            fmt::format("error: no snapshot for {:g} s (--timeout): not a Go program, or "
                        "--interval is too long\n",
                        static_cast<double>(timeout_ns_) / 1e9));
        return ExitCode::kInput;
      }
      if (read == ChildProcess::Read::kEnd) {
        // It has closed its stderr and runs without reports.
        platform::SleepForNs(static_cast<std::uint64_t>(std::chrono::nanoseconds(kQuiet).count()));
      }
    }
  }

 private:
  void TakeLine(const std::string& line) {
    if (!parser_.Take(line)) {
      PassOn(line);
    } else if (const std::size_t begin = harness::SchedtraceParser::BeginOfTrace(line);
               begin != std::string::npos && begin > 0) {
      PassOn(line.substr(0, begin));
    }
  }

  // Passes on what the program itself has written.
  void PassOn(const std::string& line) {
    if (is_once_) {
      Say(line + "\n");
    } else {
      display_->SetMessage(config::Escaped(line, 500));
    }
  }

  ExitCode End() {
    display_.reset();
    const platform::ProcessEnd end = child_.Finish(std::chrono::seconds(2));
    Say(fmt::format("the program has ended: {}\n", end.Text()));
    if (readings_ == 0) {
      Say(end.code == 127 ? "error: the program cannot be started\n"
                          : "error: it wrote no schedtrace: not a Go program?\n");
      return ExitCode::kInput;
    }
    if (is_once_) {
      Say("error: it ended before a second snapshot; shorten --interval\n");
      return ExitCode::kInput;
    }
    return ExitCode::kDone;
  }

  platform::InterruptibleEvent interrupt_;
  ChildProcess child_;
  const bool is_once_;
  const std::uint64_t timeout_ns_;
  const std::uint64_t begin_ns_ = platform::NowNs();
  harness::SchedtraceParser parser_;
  std::optional<TopDisplay> display_;  // none: the program is over
  std::uint64_t readings_ = 0;
};

void CheckTop(const Arguments& arguments, config::Problems& problems) {
  const bool is_go = arguments[kGoFlag];
  if (is_go && arguments.words.empty()) {
    Reject(problems, "--go", "needs a program: schedbench top --go -- PROGRAM ARGUMENTS...");
  }
  if (!is_go && !arguments.words.empty()) {
    Reject(problems, "", "a program needs --go    schedbench top --go -- PROGRAM ARGUMENTS...");
  }
  if (is_go) {
    constexpr auto kNoEffect = "has no effect on a Go program (--go)";
    RefuseFlags(arguments,
                FlagsOf(kSchedulerFlags, kWorkloadFlag, kRoundsFlag, kSeedFlag, kPerturbationFlags),
                kNoEffect, problems);
    if (!arguments[kOnceFlag]) {
      RefuseFlags(arguments, FlagsOf(kTimeoutFlag), kNoEffect, problems);
    }
  }
  // Go silently ignores a longer interval.
  constexpr std::chrono::milliseconds kLongestOfGo{std::numeric_limits<std::int32_t>::max()};
  if (is_go && arguments[kIntervalFlag] > kLongestOfGo) {
    Reject(problems, kIntervalFlag, "with --go: at most 596h");
  }
  if (!arguments[kOnceFlag] && !platform::HasKeysAndScreen()) {
    Reject(problems, "",
           "top needs a terminal at stdin and stdout    --once prints one snapshot as text");
  }
}

ExitCode Top(const Arguments& arguments) {
  config::Problems problems;
  CheckTop(arguments, problems);
  problems.ThrowIfAny();
  if (arguments[kGoFlag]) {
    try {
      return GoTop(arguments).Do();
    } catch (const std::system_error& error) {
      throw config::InputError(error.what());
    }
  }
  const harness::RunPlan plan = PlanFromFlags(arguments);
  const Perturbations perturbations(arguments);
  return PoolTop(arguments, plan).Do();
}

const CommandRegistration kTop{{
    .place = 150,
    .name = "top",
    .summary = "watch a run, or a Go program, on the terminal",
    .words = {"[-- PROGRAM...]", 0, 100'000, Names::kFile},
    .flags = kTopFlags,
    .details = kTopDetails,
    .examples =
        R"(  schedbench top --config fast.json --workload spawn_join
  schedbench top --scheduler global_fifo --workload yield --once
  schedbench top --go --interval 1s -- ./server --port 8080
)",
    .run = &Top,
}};

}  // namespace

}  // namespace schedbench::cli
