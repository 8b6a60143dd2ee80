#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Golden files: what the tool prints, for review at one place. A line "$ COMMAND" is a case, and
// what follows up to the next case or heading ("=== ...") is its expected output: stdout, then
// stderr, then the exit code unless it is 0.

namespace schedbench::tests::golden_test {

namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The folders of schedbench and of the tools with failing workloads.
std::vector<std::string> ToolFolders() {
  std::vector<std::string> folders;
  for (const char* const tool : {SCHEDBENCH_BINARY, FAULTY_TOOL, HANG_TOOL, CRASH_TOOL}) {
    folders.push_back(fs::path(tool).parent_path().string());
  }
  return folders;
}

void ReplaceAll(std::string& text, const std::string& part, std::string_view by) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.replace(at, part.size(), by);
  }
}

// Replaces what differs between machines, builds and runs.
std::string Normalized(std::string text, const std::string& folder) {
  static const std::array<std::pair<std::regex, const char*>, 9> rules{{
      {std::regex("0x[0-9a-f]{2,}"), "0xADDRESS"},
      {std::regex("(fiber|tid) [0-9]+"), "$1 N"},
      {std::regex("for [0-9.]+ s\\b"), "for TIME"},
      {std::regex("--seed [0-9]+\n"), "--seed N\n"},
      {std::regex("about [0-9]+ MB of RAM, but [0-9]+ MB"), "about N MB of RAM, but N MB"},
      {std::regex("million:fibers=[0-9]+\n"), "million:fibers=N\n"},
      {std::regex("schedbench [0-9]+\\.[0-9.]+"), "schedbench VERSION"},
      {std::regex("\"another\" in the file, \".*\" now"), "\"another\" in the file, \"CPU\" now"},
      {std::regex("(tests/cli/[a-z_/]+\\.cpp):[0-9]+"), "$1:LINE"},
  }};
  ReplaceAll(text, folder, "FOLDER");
  for (const std::string& tools : ToolFolders()) {
    ReplaceAll(text, tools + "/", "");
  }
  ReplaceAll(text, SCHEDBENCH_SOURCE_DIR "/", "");
  for (const auto& [pattern, replacement] : rules) {
    text = std::regex_replace(text, pattern, replacement);
  }
  return text;
}

std::string OutputOf(const std::string& command, const std::string& folder) {
  static const std::string path =
      fmt::format("{}:{}", fmt::join(ToolFolders(), ":"), std::getenv("PATH"));
  const Finished run =
      Execute({"sh", "-c", command}, {.folder = folder, .environment = {{"PATH", path}}});
  std::string text = Normalized(run.out + run.error, folder);
  if (!text.empty() && !text.ends_with('\n')) {
    text += '\n';
  }
  return text + (run.code == 0 ? "" : fmt::format("exit {}\n", run.code));
}

// Runs all cases of a golden file in one fresh folder. Returns what it should contain.
std::string Regenerated(const std::string& golden) {
  const ScratchFolder folder;
  std::istringstream lines(golden);
  std::string text;
  bool in_output = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ")) {
      text += line + "\n" + OutputOf(line.substr(2), folder.Path()) + "\n";
      in_output = true;
    } else if (line.starts_with("=== ") || !in_output) {
      text += line + "\n" + (in_output ? "\n" : "");
    }
  }
  return text;
}

class GoldenFile : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, GoldenFile, testing::Values("messages", "descriptions"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

TEST_P(GoldenFile, HasWhatTheToolPrints) {
  const std::string name = fmt::format("{}.golden", GetParam());
  const fs::path expected = fs::path(SCHEDBENCH_SOURCE_DIR) / "tests/cli" / name;
  const std::string golden = TextOf(expected);
  ASSERT_GT(golden.size(), 1000U) << expected;
  const std::string actual = Regenerated(golden);
  if (actual != golden) {
    const fs::path written = fs::path(SCHEDBENCH_BINARY).parent_path() / name;
    std::ofstream(written, std::ios::binary) << actual;
    ADD_FAILURE() << Execute({"diff", "-u", expected, written}).out
                  << "\nto accept the new texts: cp " << written.string() << " "
                  << expected.string();
  }
}

TEST(Messages, HaveACaseForTheHelpOfEachCommand) {
  const std::string golden = TextOf(fs::path(SCHEDBENCH_SOURCE_DIR) / "tests/cli/messages.golden");
  std::istringstream candidates(Schedbench({"completion", "candidates", "--", ""}).out);
  int commands = 0;
  for (std::string line; std::getline(candidates, line);) {
    const std::string command = line.substr(0, line.find('\t'));
    if (!command.starts_with("--")) {
      ++commands;
      EXPECT_NE(golden.find("\n$ schedbench " + command + " --help\n"), std::string::npos)
          << command;
    }
  }
  EXPECT_GT(commands, 20);
}

TEST(Messages, OfTheHelpHaveAtMost100Columns) {
  const std::string golden = TextOf(fs::path(SCHEDBENCH_SOURCE_DIR) / "tests/cli/messages.golden");
  const std::size_t start = golden.find("\n=== Help\n") + 1;
  ASSERT_NE(start, 0U);
  std::istringstream help(golden.substr(start, golden.find("\n=== ", start) - start));
  for (std::string line; std::getline(help, line);) {
    EXPECT_LE(line.size(), 100U) << line;
  }
}

}  // namespace

}  // namespace schedbench::tests::golden_test
