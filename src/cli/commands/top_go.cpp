#include "cli/commands/top_go.hpp"

#include "cli/output/output.hpp"
#include "cli/output/top_display.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "harness/top/schedtrace.hpp"
#include "platform/files/terminal.hpp"
#include "platform/process/child_process.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

namespace schedbench::cli {

namespace {

using platform::ChildProcess;

// The program writes a whole trace at once: after this time without a line, it is complete.
constexpr std::chrono::milliseconds kQuiet{50};

// The command with the variable of its runtime. `env` also resolves the program in PATH. `go run`
// gives it to the program alone: the go command and compilers are Go programs, and report nothing.
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

class GoTop {
 public:
  GoTop(const std::vector<std::string>& command, const GoTopPlan& plan)
      : child_(TracedCommand(command, plan.interval), {.lines = ChildProcess::Lines::kOfStderr,
                                                       .reach = platform::Reach::kDescendants,
                                                       .patience = {}}),
        is_once_(plan.once),
        timeout_ns_(static_cast<std::uint64_t>(plan.timeout.count())) {
    display_.emplace(
        report::TopView{.title = fmt::format("Go: {}", config::Escaped(command.front(), 50)),
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
      // Another process may hold its stderr open.
      if (read != ChildProcess::Read::kLine && child_.HasEnded()) {
        return End();
      }
      if (is_once_ && timeout_ns_ > 0 && platform::NowNs() - begin_ns_ > timeout_ns_) {
        Say(fmt::format(
            "error: no snapshot for {:g} s (--timeout): not a Go program, or --interval "
            "is too long\n",
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

  // What the program itself has written.
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

}  // namespace

ExitCode TopOfGo(const std::vector<std::string>& command, const GoTopPlan& plan) {
  try {
    return GoTop(command, plan).Do();
  } catch (const std::system_error& error) {
    throw config::InputError(error.what());
  }
}

}  // namespace schedbench::cli
