#include "cli/command_line.hpp"
#include "cli/main.hpp"
#include "cli/output/output.hpp"
#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "fibers/diagnostics/crash_report.hpp"
#include "harness/agent/client.hpp"
#include "harness/session.hpp"
#include "platform/signals/crash_handler.hpp"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

ExitCode Dispatch(const std::string& program, const std::vector<std::string>& words) {
  CommandLine line = ParseCommandLine(words);
  if (line.command != nullptr) {
    line.arguments.program = program;
    if (std::filesystem::path(program).filename() != "schedbench") {
      line.arguments.command_line.front() = program;  // only a user's program can repeat the run
    }
    return line.command->run(line.arguments);
  }
  if (words.empty()) {
    Say(line.text);
    return ExitCode::kInput;
  }
  Print(line.text);
  return ExitCode::kDone;
}

ExitCode Guarded(const std::string& program, const std::vector<std::string>& words) {
  try {
    return Dispatch(program, words);
  } catch (const config::InputError& error) {
    const std::size_t count = error.Problems().size();
    const std::string head =
        count == 1 ? ""
                   : fmt::format("{}{} problems\n", error.MayBeCut() ? "the first " : "", count);
    Say(fmt::format("error: {}{}\n", head, error.what()));
    return ExitCode::kInput;
  } catch (const NotComparable& error) {
    Say(fmt::format("error: {}\n", error.what()));
    return ExitCode::kNotComparable;
  } catch (const harness::AgentCancelled&) {
    return ExitCode::kInterrupted;
  } catch (const harness::SetupError& error) {
    Say(fmt::format("error: {}\n", error.what()));
    return ExitCode::kInput;
  } catch (const platform::WriteError& error) {
    return ReportWriteError(error);
  } catch (const std::exception& error) {
    Say(
        fmt::format("error: unexpected: {}\nThis is a bug in schedbench: please report it with the "
                    "command and the text of schedbench --version.\n",
                    error.what()));
    return ExitCode::kBug;
  }
}

}  // namespace

int Main(int argc, char** argv) {
  platform::IgnoreWriteSignals();
  platform::InstallCrashHandler(&fibers::WriteCrashedFiber, static_cast<int>(ExitCode::kBug));
  const std::string program = argc > 0 ? argv[0] : "schedbench";
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(Guarded(program, words));
}

}  // namespace schedbench::cli
