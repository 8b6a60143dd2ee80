#include "cli/command.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace schedbench::tests::completion_test {

namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// What bash completes a command line to, by the installed script.
std::vector<std::string> InBash(const std::string& line, const std::string& folder = "") {
  const std::string script =
      "source <(\"$1\" completion bash); COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; _schedbench "
      "\"$1\"; "
      "[[ -z ${COMPREPLY[*]} ]] || printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Finished bash = Execute({"bash", "-c", script, "bash", SCHEDBENCH_BINARY, line},
                                {.folder = folder, .environment = {}});
  EXPECT_EQ(bash.error, "");
  return LinesOf(bash.out);
}

// What the script asks for: the candidates without their descriptions.
std::vector<std::string> Candidates(std::vector<std::string> words) {
  words.insert(words.begin(), {"completion", "candidates", "--"});
  std::vector<std::string> texts;
  for (const std::string& line : LinesOf(Schedbench(words).out)) {
    texts.push_back(line.substr(0, line.find('\t')));
  }
  return texts;
}

using Words = std::vector<std::string>;

TEST(BashCompletion, KnowsCommandsFlagsAndNames) {
  EXPECT_EQ(InBash("schedbench desc"), Words{"describe"});
  EXPECT_EQ(InBash("schedbench run --sch"), Words{"--scheduler"});
  EXPECT_EQ(InBash("schedbench run -s glob"), Words{"global_fifo"});
  EXPECT_EQ(InBash("schedbench list m"), Words{"metrics"});
}

TEST(BashCompletion, ReplacesOnlyWhatFollowsTheLastCharacterThatSplitsWords) {
  EXPECT_EQ(InBash("schedbench run --workload=ping"), Words{"pingpong"});
  EXPECT_EQ(InBash("schedbench run -w pingpong:hint=n"), (Words{"none", "next"}));
  EXPECT_EQ(InBash("schedbench compare mine=fast:lifo_l"), Words{"lifo_limit="});
}

TEST(BashCompletion, KnowsFilesAndFolders) {
  const ScratchFolder folder;
  folder.Write("mine.json", "{}");
  EXPECT_EQ(InBash("schedbench validate mi", folder.Path()), Words{"mine.json"});
  EXPECT_EQ(InBash("schedbench run -o mi", folder.Path()), Words{"mine.json"});
  EXPECT_EQ(InBash("schedbench profile -o mi", folder.Path()), Words{});
}

TEST(Completion, KnowsTheNamesOfEachKind) {
  EXPECT_EQ(Candidates({"describe", "metric", "parks"}), (Words{"parks", "parks_cancelled"}));
  EXPECT_EQ(Candidates({"describe", "workload", "pip"}), Words{"pipeline"});
  EXPECT_EQ(Candidates({"run", "-c", "fast"}), (Words{"fast.json", ":file"}));
  EXPECT_EQ(Candidates({"run", "-s", "single_thread", "--set", "ord"}), Words{"order="});
  EXPECT_EQ(Candidates({"compare", "-w", "suite:p"}), Words{"suite:peers"});
  EXPECT_EQ(Candidates({"compare", "--with", "go,to"}), Words{"go,tokio"});
  EXPECT_EQ(Candidates({"compare", "--fail-if", "thr"}), Words{"throughput"});
  EXPECT_EQ(Candidates({"profile", "--root=worker,f"}), Words{"--root=worker,fiber"});
  EXPECT_EQ(Candidates({"help", "tr"}), Words{"trace"});
  EXPECT_EQ(Candidates({"run", "-w", "yield:pres"}), Words{"yield:preset="});
  EXPECT_EQ(Candidates({"run", "-w", "yield:yields=5,preset=sm"}),
            (Words{"yield:yields=5,preset=smoke", "yield:yields=5,preset=small"}));
}

TEST(Completion, OffersNoNamesForTheWordThatTheUserInvents) {
  EXPECT_EQ(Candidates({"study", "glob"}), Words{});
  EXPECT_EQ(Candidates({"study", "--budget", "5m", "-q", "glob"}), Words{});
  const Words alternatives{"global_fifo", "global_fifo.json", ":file"};
  EXPECT_EQ(Candidates({"study", "fast", "glob"}), alternatives);
  EXPECT_EQ(Candidates({"study", "--budget", "5m", "fast", "glob"}), alternatives);
}

TEST(Completion, KnowsTheFirstWordAfterFlagsWithValues) {
  EXPECT_EQ(Candidates({"list", "-q", "-f", "json", "met"}), Words{"metrics"});
  EXPECT_EQ(Candidates({"list", "--format=json", "met"}), Words{"metrics"});
}

TEST(Completion, KnowsEachFlagOfEachCommand) {
  for (const cli::Command* const command : cli::Commands()) {
    const Words found = Candidates({std::string(command->name), "-"});
    for (const cli::Flag& flag : command->flags) {
      EXPECT_EQ(std::ranges::count(found, flag.name), 1) << command->name << " " << flag.name;
    }
  }
}

TEST(Completion, OfAWrongCommandLineIsEmpty) {
  EXPECT_EQ(Candidates({"runn", "--"}), Words{});
  EXPECT_EQ(Candidates({"run", "-s", "no such"}), Words{});
  EXPECT_EQ(Candidates({"run", "-w", "nothing:a"}), Words{});
}

TEST(Completion, OfAnotherShellIsRefusedWithTheNames) {
  const Finished run = Schedbench({"completion", "tcsh"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: completion tcsh   'tcsh' is not one of bash|zsh|fish|candidates\n");
}

TEST(ManPage, OfEachCommandHasItsFlagsAndIsCorrectRoff) {
  const ScratchFolder folder;
  Words roff{"groff", "-man", "-ww", "-z", "-Tutf8"};
  std::vector<const cli::Command*> commands(cli::Commands().begin(), cli::Commands().end());
  commands.push_back(nullptr);  // the tool
  for (const cli::Command* const command : commands) {
    const std::string name(command == nullptr ? "schedbench" : command->name);
    const Finished page = command == nullptr ? Schedbench({"man"}) : Schedbench({"man", name});
    ASSERT_EQ(page.code, 0) << page.error;
    folder.Write(name + ".1", page.out);
    roff.push_back(folder.Path() + "/" + name + ".1");
    for (const cli::Flag& flag :
         command == nullptr ? std::span<const cli::Flag>{} : command->flags) {
      EXPECT_NE(
          page.out.find("\\-\\-" + std::string(flag.name.substr(2, flag.name.find('-', 2) - 2))),
          std::string::npos)
          << flag.name;
    }
  }
  const Finished groff = Execute(roff);
  EXPECT_EQ(groff.code, 0);
  EXPECT_EQ(groff.error, "");
}

TEST(ManPage, OfAnUnknownCommandIsRefusedWithTheNearest) {
  const Finished run = Schedbench({"man", "runn"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: unknown command 'runn'; did you mean 'run'?    schedbench --help\n");
}

}  // namespace

}  // namespace schedbench::tests::completion_test
