#include "registry/scheduler.hpp"
#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Every line "$ schedbench ..." in a code block of docs/ and of the README files is run, so that
// they cannot go stale. A comment at its end names another exit code than 0: "# exit 2".

namespace schedbench::tests {

namespace {

struct Command {
  std::string place;
  std::string text;
  int exit_code;
};

const std::filesystem::path kSources = SCHEDBENCH_SOURCE_DIR;

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All of docs/, and the documents of the other folders.
std::vector<std::filesystem::path> Documents() {
  std::vector<std::filesystem::path> documents;
  const auto add = [&](const std::filesystem::directory_entry& entry) {
    if (entry.path().extension() == ".md") {
      documents.push_back(entry.path());
    }
  };
  for (const auto& entry : std::filesystem::directory_iterator(kSources)) {
    add(entry);
  }
  for (const char* const folder :
       {"configs", "docs", "examples", "flamegraph", "schedulers", "src", "tests", "workloads"}) {
    std::filesystem::recursive_directory_iterator entries(kSources / folder);
    for (const auto& entry : entries) {
      const std::string name = entry.path().filename();
      if (name == "node_modules" || name == "target") {
        entries.disable_recursion_pending();
      }
      add(entry);
    }
  }
  return documents;
}

int ExpectedCode(const std::string& text) {
  const std::string mark = "# exit ";
  const std::size_t at = text.rfind(mark);
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + mark.size()));
}

std::vector<Command> CommandsOf(const std::filesystem::path& document) {
  std::istringstream text(TextOf(document));
  std::vector<Command> commands;
  bool in_block = false;
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with("```")) {
      in_block = !in_block;
    } else if (in_block && line.starts_with("$ schedbench ")) {
      const std::string command = line.substr(2);
      commands.push_back({.place = fmt::format("{}:{}", document.filename().string(), number),
                          .text = command,
                          .exit_code = ExpectedCode(command)});
    }
  }
  return commands;
}

class DocumentTest : public testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(All, DocumentTest, testing::ValuesIn(Documents()),
                         [](const testing::TestParamInfo<std::filesystem::path>& info) {
                           std::string name =
                               std::filesystem::relative(info.param, kSources).replace_extension();
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '/'; }, '_');
                           return name;
                         });

TEST_P(DocumentTest, ShowsCommandsThatWork) {
  const ScratchFolder folder;
  const std::string tool_folder = std::filesystem::path(SCHEDBENCH_BINARY).parent_path();
  const std::string path = tool_folder + ":" + std::getenv("PATH");
  for (const Command& command : CommandsOf(GetParam())) {
    const Finished run = Execute({"sh", "-c", command.text},
                                 {.folder = folder.Path(), .environment = {{"PATH", path}}});
    EXPECT_EQ(run.code, command.exit_code) << command.place << ": " << command.text << "\n"
                                           << run.error;
  }
}

// The anchors of the headings, as GitHub makes them: "## What it does, and why" has
// "what-it-does-and-why".
std::set<std::string> Anchors(const std::string& document) {
  std::set<std::string> anchors;
  std::istringstream text(document);
  bool in_block = false;
  for (std::string line; std::getline(text, line);) {
    in_block ^= line.starts_with("```");
    const std::size_t begin = line.find_first_not_of('#');
    if (in_block || begin == 0 || begin == std::string::npos || line[begin] != ' ') {
      continue;
    }
    std::string anchor;
    for (const char c : line.substr(begin + 1)) {
      const auto letter = static_cast<unsigned char>(c);
      if (std::isalnum(letter) != 0 || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(letter));
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST_P(DocumentTest, LinksToFilesAndHeadingsThatExist) {
  std::istringstream text(TextOf(GetParam()));
  bool in_block = false;
  for (std::string line; std::getline(text, line);) {
    in_block ^= line.starts_with("```");
    for (std::size_t at = line.find("]("); !in_block && at != std::string::npos;
         at = line.find("](", at + 1)) {
      const std::string link = line.substr(at + 2, line.find(')', at) - at - 2);
      if (link.find("://") != std::string::npos) {
        continue;
      }
      const std::size_t end_of_file = std::min(link.find('#'), link.size());
      const std::filesystem::path file =
          end_of_file == 0 ? GetParam() : GetParam().parent_path() / link.substr(0, end_of_file);
      EXPECT_TRUE(std::filesystem::exists(file)) << link;
      if (end_of_file < link.size()) {
        EXPECT_TRUE(Anchors(TextOf(file)).contains(link.substr(end_of_file + 1))) << link;
      }
    }
  }
}

TEST(Readme, FitsThreeScreens) {
  EXPECT_LE(std::ranges::count(TextOf(kSources / "README.md"), '\n'), 130);
}

TEST(Documents, HaveTheExitCodesOfTheHelp) {
  const std::string help = Schedbench({"--help"}).out;
  const std::size_t start = help.find("Exit codes:\n");
  ASSERT_NE(start, std::string::npos) << help;
  EXPECT_NE(TextOf(kSources / "docs/exit-codes.md").find("```\n" + help.substr(start) + "```\n"),
            std::string::npos)
      << "to fix it: put the end of schedbench --help there";
}

TEST(Documents, HaveTheFieldsOfFast) {
  EXPECT_NE(TextOf(kSources / "schedulers/fast/README.md")
                .find(Schedbench({"describe", "scheduler", "fast", "--markdown"}).out),
            std::string::npos)
      << "to fix it: put the output of schedbench describe scheduler fast --markdown there";
}

// A metric of each, not the right one: speed is shown and never tested.
TEST(Readme, OfSchedulersHasMetricsOfEachScheduler) {
  const std::string readme = TextOf(kSources / "schedulers/README.md");
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
