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
#include <string_view>
#include <system_error>

namespace schedbench::cli {

namespace {

using platform::ChildProcess;

// The program writes a whole trace at once: after this time without a line, it is complete.
constexpr std::chrono::milliseconds kQuiet{50};

// The command with the variable of its runtime. `env` also resolves the program in PATH.
std::vector<std::string> TracedCommand(const std::vector<std::string>& command,
                                       std::chrono::nanoseconds interval) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(interval).count();
  const char* const before = std::getenv("GODEBUG");
  std::vector<std::string> traced{
      "env",
      fmt::format("GODEBUG={}{}schedtrace={},scheddetail=1", before == nullptr ? "" : before,
                  before == nullptr || *before == '\0' ? "" : ",", std::max<decltype(ms)>(1, ms))};
  traced.insert(traced.end(), command.begin(), command.end());
  return traced;
}

class GoTop {
 public:
  GoTop(const std::vector<std::string>& command, std::chrono::nanoseconds interval, bool once)
      : view_{.title = fmt::format("Go: {}", config::Escaped(command.front(), 50)),
              .operation = "",
              .is_go = true,
              .unicode = platform::TakesUtf8()},
        child_(TracedCommand(command, interval), ChildProcess::Lines::kOfStderr) {
    if (!once) {
      display_.emplace(view_);
    }
  }

  ExitCode Do() {
    std::string line;
    while (true) {
      if (interrupt_.WaitFor(std::chrono::nanoseconds::zero())) {
        display_.reset();
        return ExitCode::kInterrupted;
      }
      if (display_ && !display_->HandleInput()) {
        display_.reset();
        return ExitCode::kDone;
      }
      const ChildProcess::Read read = child_.ReadLine(line, kQuiet);
      if (read == ChildProcess::Read::kLine) {
        TakeLine(line);
      } else {
        parser_.Flush();
      }
      if (const auto reading = parser_.Next(); reading && !Take(*reading)) {
        return ExitCode::kDone;
      }
      if (read == ChildProcess::Read::kTooLong) {
        return End();
      }
      if (read == ChildProcess::Read::kEnd) {
        if (child_.HasEnded()) {
          return End();
        }
        // It has closed its stderr and runs without reports.
        platform::SleepForNs(static_cast<std::uint64_t>(std::chrono::nanoseconds(kQuiet).count()));
      }
    }
  }

 private:
  void TakeLine(const std::string& line) {
    if (parser_.Take(line)) {
      return;
    }
    if (display_) {
      display_->SetMessage(config::Escaped(line, 500));
    } else {
      Say(line + "\n");
    }
  }

  // Returns false after the snapshot of --once.
  bool Take(const harness::TopReading& reading) {
    ++readings_;
    if (display_) {
      display_->Add(reading);
      return true;
    }
    if (!first_) {
      first_ = reading;
      return true;
    }
    Print(report::TopText(view_, harness::SnapshotBetween(*first_, reading, first_->time_ns)));
    return false;
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
    if (first_) {
      Say("error: it ended before a second snapshot; shorten --interval\n");
      return ExitCode::kInput;
    }
    return ExitCode::kDone;
  }

  const report::TopView view_;
  platform::InterruptibleEvent interrupt_;
  ChildProcess child_;
  harness::SchedtraceParser parser_;
  std::optional<TopDisplay> display_;         // none with --once
  std::optional<harness::TopReading> first_;  // of --once
  std::uint64_t readings_ = 0;
};

}  // namespace

ExitCode TopOfGo(const std::vector<std::string>& command, std::chrono::nanoseconds interval,
                 bool once) {
  try {
    return GoTop(command, interval, once).Do();
  } catch (const std::system_error& error) {
    throw config::InputError(error.what());
  }
}

}  // namespace schedbench::cli
