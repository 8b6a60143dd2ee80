#pragma once

#include "cli/exit_code.hpp"
#include "platform/files/file.hpp"
#include "report/parts/terminal_style.hpp"

#include <string_view>

namespace schedbench::cli {

// Writes a part of the result to stdout. Throws std::system_error, also if the pipe is closed.
void Print(std::string_view text);

// Reports that output cannot be written, and returns the exit code. That nothing reads stdout any more is no error: schedbench list
// | head -1.
ExitCode ReportWriteError(const platform::WriteError& error) noexcept;

// Returns what stdout can show.
report::TerminalStyle StdoutStyle();

// Writes a message to stderr. Ignores errors, which could not be reported.
void Say(std::string_view text) noexcept;

}  // namespace schedbench::cli
