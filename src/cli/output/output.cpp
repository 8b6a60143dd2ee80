#include "cli/output/output.hpp"

#include "config/quote.hpp"
#include "platform/files/terminal.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <system_error>

namespace schedbench::cli {

void Print(std::string_view text) {
  platform::WriteTo(platform::Stream::kOut, text);
}

ExitCode ReportWriteError(const platform::WriteError& error) noexcept {
  if (error.code() == std::errc::broken_pipe) {
    return ExitCode::kDone;
  }
  Say(fmt::format("error: {}\n", error.what()));
  return ExitCode::kInput;
}

report::TerminalStyle StdoutStyle() {
  report::TerminalStyle style{.unicode = platform::TakesUtf8(),
                              .colour = platform::TakesColour(platform::Stream::kOut)};
  if (const auto size = platform::SizeOf(platform::Stream::kOut)) {
    style.width = size->columns;
  }
  return style;
}

void Say(std::string_view text) noexcept {
  try {
    platform::WriteTo(platform::Stream::kError, text);
  } catch (const platform::WriteError&) {
    return;
  }
}

void DeliverOutcome(const harness::Outcome& outcome, const std::function<void()>& deliver,
                    const std::string& finished) {
  if (outcome.ending == harness::Ending::kComplete) {
    deliver();
    return;
  }
  const bool interrupted = outcome.ending == harness::Ending::kInterrupted;
  const ExitCode code = interrupted                                 ? ExitCode::kInterrupted
                        : outcome.ending == harness::Ending::kLimit ? ExitCode::kInput
                                                                    : ExitCode::kWrongAnswer;
  const harness::RunResult& result = outcome.result;
  Say(fmt::format("{}{}\n", interrupted ? "" : "error: ", config::Escaped(result.failure, 2000)));
  Say(result.diagnosis);
  Say(finished.empty()
          ? fmt::format("{} of {} rounds were finished\n", result.rounds.size(), result.plan.rounds)
          : finished + "\n");
  try {
    deliver();
  } catch (const std::exception& error) {
    Say(fmt::format("error: {}\n", error.what()));
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace schedbench::cli
