#include "cli/output/output.hpp"

#include "platform/files/terminal.hpp"

#include <fmt/core.h>

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

}  // namespace schedbench::cli
