#pragma once

#include "cli/exit_code.hpp"
#include "harness/live_run.hpp"
#include "platform/files/file.hpp"
#include "report/parts/terminal_style.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace schedbench::cli {

// Writes a part of the result to stdout. Throws std::system_error, also if the pipe is closed.
void Print(std::string_view text);

// Reports that output cannot be written, and returns the exit code. A reader of stdout that has
// ended is not an error: schedbench list | head -1.
ExitCode ReportWriteError(const platform::WriteError& error) noexcept;

// Returns what stdout can show.
report::TerminalStyle StdoutStyle();

// Writes a message to stderr. Ignores errors, which could not be reported.
void Say(std::string_view text) noexcept;

// Delivers the result of a run. If the run ended early, also reports the reason and the finished
// part, and ends the process without unwinding, because threads may still be running. `finished`:
// the default is "3 of 20 rounds were finished".
void DeliverOutcome(const harness::Outcome& outcome, const std::function<void()>& deliver,
                    const std::string& finished = "");

}  // namespace schedbench::cli
