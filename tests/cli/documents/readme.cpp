#include "registry/scheduler.hpp"
#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// Every line "$ schedbench ..." in a code block of README.md is run, so that the README cannot go stale. A
// comment at its end names another exit code than 0: "# exit 2".

namespace schedbench::tests {

namespace {

struct Command {
  std::size_t line;
  std::string text;
  int exit_code;
};

int ExpectedCode(const std::string& text) {
  const std::string mark = "# exit ";
  const std::size_t at = text.rfind(mark);
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + mark.size()));
}

std::vector<Command> CommandsOfReadme() {
  std::ifstream readme(SCHEDBENCH_SOURCE_DIR "/README.md");
  std::vector<Command> commands;
  bool in_block = false;
  std::size_t number = 0;
  for (std::string line; std::getline(readme, line);) {
    ++number;
    if (line.starts_with("```")) {
      in_block = !in_block;
    } else if (in_block && line.starts_with("$ schedbench ")) {
      const std::string text = line.substr(2);
      commands.push_back({.line = number, .text = text, .exit_code = ExpectedCode(text)});
    }
  }
  return commands;
}

std::string Readme(const std::string& folder = "") {
  std::ifstream file(SCHEDBENCH_SOURCE_DIR "/" + folder + "README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Readme, CommandsDoWhatItSays) {
  const std::vector<Command> commands = CommandsOfReadme();
  ASSERT_FALSE(commands.empty()) << "README.md is missing, or shows no command";
  const ScratchFolder folder;
  const std::string tool_folder = std::filesystem::path(SCHEDBENCH_BINARY).parent_path();
  const std::string path = tool_folder + ":" + std::getenv("PATH");
  for (const Command& command : commands) {
    const Finished run = Execute({"sh", "-c", command.text},
                                 {.folder = folder.Path(), .environment = {{"PATH", path}}});
    EXPECT_EQ(run.code, command.exit_code)
        << "README.md:" << command.line << ": " << command.text << "\n"
        << run.error;
  }
}

TEST(Readme, ExitCodesAreThoseOfTheHelp) {
  const std::string help = Schedbench({"--help"}).out;
  const std::size_t start = help.find("Exit codes:\n");
  ASSERT_NE(start, std::string::npos) << help;
  EXPECT_NE(Readme().find("```\n" + help.substr(start) + "```\n"), std::string::npos)
      << "to fix it: put the end of schedbench --help there";
}

TEST(Readme, FieldsOfFastAreThoseOfTheTool) {
  EXPECT_NE(Readme().find(Schedbench({"describe", "scheduler", "fast", "--markdown"}).out),
            std::string::npos)
      << "to fix it: put the output of schedbench describe scheduler fast --markdown there";
}

// A figure of each, not the right one: speed is shown and never tested.
TEST(Readme, OfSchedulersHasFiguresOfEachScheduler) {
  const std::string readme = Readme("schedulers/");
  for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
    for (const char* const workload : {"pingpong", "yield", "spawn_join"}) {
      EXPECT_NE(readme.find(fmt::format("| {} | `{}` |", workload, entry->name)), std::string::npos)
          << workload << " on " << entry->name
          << " is missing; to fix it: put the output of build/release/bench_schedulers --table "
             "there";
    }
  }
}

}  // namespace

}  // namespace schedbench::tests
