#include "cli/command.hpp"
#include "cli/flags/help.hpp"
#include "cli/flags/parse.hpp"
#include "cli/main.hpp"
#include "cli/output/output.hpp"
#include "cli/results/not_comparable.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "fibers/diagnostics/crash_report.hpp"
#include "harness/session.hpp"
#include "platform/files/file.hpp"
#include "platform/signals/crash_handler.hpp"

#include <fmt/core.h>

#include <exception>
#include <string>
#include <system_error>
#include <vector>

namespace schedbench::cli {

namespace {

bool AsksFor(std::string_view name, std::string_view short_name,
             const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") {
      return false;
    }
    if (word == name || word == short_name) {
      return true;
    }
  }
  return false;
}

[[noreturn]] void RefuseCommand(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command* command : Commands()) {
    names.push_back(command->name);
  }
  if (word.starts_with("-")) {
    names = {"--help", "--version"};
  }
  throw config::InputError(fmt::format("unknown {} {}{}    schedbench --help",
                                       word.starts_with("-") ? "flag" : "command",
                                       config::Quoted(word), config::DidYouMean(word, names)));
}

ExitCode Dispatch(const std::string& program, const std::vector<std::string>& words) {
  if (words.empty()) {
    Say(HelpOfTool());
    return ExitCode::kInput;
  }
  const std::string& name = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (name == "--help" || name == "-h" || (name == "help" && rest.empty())) {
    Print(HelpOfTool());
    return ExitCode::kDone;
  }
  if (name == "--version" || name == "-V") {
    Print(VersionText());
    return ExitCode::kDone;
  }
  const Command* command = FindCommand(name == "help" ? rest.front() : name);
  if (command == nullptr) {
    RefuseCommand(name == "help" ? rest.front() : name);
  }
  if (name == "help" || AsksFor("--help", "-h", rest)) {
    Print(HelpOf(*command));
    return ExitCode::kDone;
  }
  Arguments arguments = Parse(*command, rest);
  arguments.command_line = words;
  arguments.command_line.insert(arguments.command_line.begin(), "schedbench");
  arguments.program = program;
  return command->run(arguments);
}

ExitCode Guarded(const std::string& program, const std::vector<std::string>& words) {
  try {
    return Dispatch(program, words);
  } catch (const config::InputError& error) {
    const std::size_t count = error.Problems().size();
    Say(fmt::format("error: {}{}\n", count > 1 ? fmt::format("{} problems\n", count) : "",
                    error.what()));
    return ExitCode::kInput;
  } catch (const NotComparable& error) {
    Say(fmt::format("error: {}\n", error.what()));
    return ExitCode::kNotComparable;
  } catch (const harness::SetupError& error) {
    Say(fmt::format("error: {}\n", error.what()));
    return ExitCode::kInput;
  } catch (const platform::WriteError& error) {
    if (error.code() == std::errc::broken_pipe) {
      return ExitCode::kDone;  // who reads has seen enough (schedbench list | head -1)
    }
    Say(fmt::format("error: {}\n", error.what()));
    return ExitCode::kInput;
  } catch (const std::exception& error) {
    Say(fmt::format(
        "error: unexpected: {}\nThis is a bug in schedbench: please report it with the command and "
        "the text of schedbench --version.\n",
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
