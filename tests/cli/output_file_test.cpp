#include "base/attributes.hpp"
#include "registry/pages.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace schedbench::tests::output_file_test {

namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

Finished RunTo(const std::string& file, const ScratchFolder& folder,
               std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", "-s", "fast", "-o", file});
  return Schedbench(WithDefaults(std::move(more), {{"-w", "yield:fibers=1,yields=1"}, {"-n", "2"}}),
                    {.folder = folder.Path(), .environment = {}});
}

TEST(OutputFile, GetsTheResultAndStdoutTheTableUnlessItIsQuiet) {
  const ScratchFolder folder;
  const Finished run = RunTo("result.json", folder);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("fast  ·  ")) << run.out;
  EXPECT_NE(run.out.find("  again   schedbench run"), std::string::npos) << run.out;
  EXPECT_EQ(RunTo("result.json", folder, {"-q"}).out, "");
  EXPECT_EQ(json::parse(folder.Read("result.json"))["complete"], true);
  EXPECT_EQ(folder.Names(), Names{"result.json"}) << "nothing else is left";
}

TEST(OutputFile, MayBeSeveralEachInTheFormOfItsName) {
  const ScratchFolder folder;
  const Finished run = RunTo("result.json", folder, {"-o", "result.csv", "-q"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(json::accept(folder.Read("result.json")));
  EXPECT_TRUE(folder.Read("result.csv").starts_with("scheduler,workload,metric,"));
}

TEST(OutputFile, ThatIsProtectedIsRefusedBeforeTheRunAndKept) {
  const ScratchFolder folder;
  folder.Write("result.json", "kept");
  std::filesystem::permissions(folder.Path() + "/result.json", std::filesystem::perms::owner_read);
  const Finished run = RunTo("result.json", folder, {"-w", "pingpong:rounds=1000000000"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write result.json: Permission denied\n");
  EXPECT_EQ(folder.Read("result.json"), "kept");
}

TEST(OutputFile, IsATableUnlessItsNameOrTheFormatSaysJson) {
  const ScratchFolder folder;
  RunTo("result.txt", folder);
  EXPECT_TRUE(folder.Read("result.txt").starts_with("fast  ·  "));
  RunTo("result.txt", folder, {"-f", "json"});
  EXPECT_TRUE(json::accept(folder.Read("result.txt")));
  RunTo("result.json", folder, {"-f", "table"});
  EXPECT_TRUE(folder.Read("result.json").starts_with("fast  ·  "));
}

TEST(OutputFile, DashIsStdout) {
  const ScratchFolder folder;
  EXPECT_TRUE(json::accept(RunTo("-", folder, {"-f", "json"}).out));
  EXPECT_EQ(folder.Names(), Names{});
}

TEST(OutputFile, InAMissingFolderIsRefusedBeforeTheRun) {
  const ScratchFolder folder;
  // Would take hours.
  const Finished run = RunTo("none/result.json", folder, {"-w", "pingpong:rounds=1000000000"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write none/result.json: No such file or directory\n");
}

TEST(OutputFile, WithoutANameIsRefusedBeforeTheRun) {
  for (const char* const command : {"run", "record"}) {
    const Finished run = Schedbench({command, "-w", "yield", "-o", ""});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.error.find("--output   the name of the file is empty"), std::string::npos)
        << run.error;
  }
}

TEST(OutputFile, ThatIsAFolderIsRefusedBeforeTheRun) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.Path() + "/result.json");
  const Finished run = RunTo("result.json", folder, {"-w", "pingpong:rounds=1000000000"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write result.json: Is a directory\n");
}

TEST(OutputFile, OnAFullDiskIsAnErrorAndTheResultGoesToStdout) {
  const ScratchFolder folder;
  const Finished run = RunTo("/dev/full", folder, {"-f", "json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write /dev/full: No space left on device\n");
  EXPECT_EQ(json::parse(run.out)["complete"], true);
}

TEST(OutputFile, OnAFullDiskIsATableOnStdoutInsteadOfAPage) {
  const ScratchFolder folder;
  const Finished run = RunTo("/dev/full", folder, {"-f", "html"});
  EXPECT_EQ(run.code, 2);
  if (!registry::ChartPage().empty()) {
    EXPECT_EQ(run.error, "error: cannot write /dev/full: No space left on device\n");
    EXPECT_TRUE(run.out.starts_with("fast  ·  ")) << run.out.substr(0, 200);
  }
}

TEST(OutputFile, KeepsTheFormerContentWhenWritingFails) {
  const ScratchFolder folder;
  folder.Write("result.json", "former");
  // No file may grow beyond 1 KiB: the write fails in the middle.
  const Finished run = Execute({"sh", "-c",
                                "ulimit -f 1; exec " SCHEDBENCH_BINARY
                                " run -s fast -w yield:fibers=1,yields=1 -n 6 -o result.json"},
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write result.json: File too large\n");
  EXPECT_EQ(folder.Read("result.json"), "former");
  EXPECT_EQ(folder.Names(), Names{"result.json"}) << "the half file is gone";
}

TEST(OutputFile, IsNotTouchedByARunThatIsRefused) {
  const ScratchFolder folder;
  folder.Write("result.json", "former");
  EXPECT_EQ(RunTo("result.json", folder, {"--rounds", "0"}).code, 2);
  EXPECT_EQ(folder.Read("result.json"), "former");
}

const Names kQuickRun{"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "2"};

Names Words(Names words, const Names& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string ShellText(const Names& words) {
  std::string text = SCHEDBENCH_BINARY;
  for (const std::string& word : words) {
    text += " '" + word + "'";
  }
  return text;
}

struct FilesCase {
  Names words;
  Names files;
};

const std::vector<FilesCase>& CommandsWithFiles() {
  static const std::vector<FilesCase> cases = [] {
    std::vector<FilesCase> all{
        {Words({"run", "--trace", "t.json"}, kQuickRun), {"t.json"}},
        {Words({"trace", "-o", "t.json", "-o", "t.pftrace", "--summary"}, kQuickRun),
         {"t.json", "t.pftrace"}}};
#if !defined(SB_TSAN)  // under which nothing is sampled
    all.push_back({Words({"run", "--perf", "p.txt"}, kQuickRun), {"p.txt"}});
#endif
    return all;
  }();
  return cases;
}

TEST(OutputFile, IsWrittenWhateverHappensToStdout) {
  for (const FilesCase& one : CommandsWithFiles()) {
    const ScratchFolder closed;
    EXPECT_EQ(
        Execute({"sh", "-c", ShellText(one.words) + " | true"}, {.folder = closed.Path()}).code, 0);
    EXPECT_EQ(closed.Names(), one.files) << one.words.front();
    const ScratchFolder full;
    const Finished run =
        Execute({"sh", "-c", ShellText(one.words) + " > /dev/full"}, {.folder = full.Path()});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.error.find("error: cannot write standard output: No space left on device\n"),
              std::string::npos)
        << run.error;
    EXPECT_EQ(full.Names(), one.files) << one.words.front();
  }
}

#if !defined(SB_TSAN)  // under which nothing is sampled
TEST(OutputFile, OfAProfileIsWrittenWhateverHappensToStdout) {
  const ScratchFolder folder;
  const std::string command = ShellText(Words({"profile", "-q", "-o", "p"}, kQuickRun));
  EXPECT_EQ(Execute({"sh", "-c", command + " | true"}, {.folder = folder.Path()}).code, 0);
  EXPECT_FALSE(folder.Read("p/yield.speedscope.json").empty());
}

TEST(OutputFile, ThatCannotBeWrittenDoesNotLoseTheResultOnStdout) {
  const Finished run =
      Schedbench(Words({"run", "--perf", "/dev/full", "--format", "json"}, kQuickRun));
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write /dev/full: No space left on device\n");
  EXPECT_EQ(json::parse(run.out)["complete"], true);
}
#endif

TEST(OutputFile, NeverOverwritesAnInput) {
  const ScratchFolder folder;
  const std::string config = R"({"scheduler": "fast"})";
  folder.Write("mine.json", config);
  std::filesystem::create_symlink("mine.json", folder.Path() + "/link.json");
  for (const char* const name : {"/hard.json", "/hard.html"}) {
    std::filesystem::create_hard_link(folder.Path() + "/mine.json", folder.Path() + name);
  }
  std::filesystem::create_symlink("../mine.json", folder.Path() + "/pingpong.html");
  const std::string other = "would overwrite the input 'mine.json'    choose another name";
  const std::vector<Names> cases{
      {"run", "-c", "mine.json", "-o", "mine.json"},
      {"run", "-c", "mine.json", "-o", "./link.json"},
      {"run", "-c", "mine.json", "--perf", "hard.json"},
      {"run", "-c", "mine.json", "--trace", "mine.json"},
      {"trace", "-c", "mine.json", "-o", "mine.json"},
      {"compare", "mine.json", "fast", "-o", "link.json"},
      {"compare", "fast", "b=mine.json", "-o", "link.json"},
      {"compare", "fast", "--baseline", "mine.json", "-o", "mine.json"},
      {"compare", "fast", "fast", "--doctor", "mine.json", "-o", "mine.json"},
      {"flamegraph", "render", "mine.json", "-o", "hard.html"}};
  for (const Names& words : cases) {
    const Finished run = Schedbench(words, {.folder = folder.Path()});
    EXPECT_EQ(run.code, 2) << words[0];
    EXPECT_NE(run.error.find(other), std::string::npos) << run.error;
    EXPECT_EQ(folder.Read("mine.json"), config);
  }
  const Finished from_stdin =
      Execute({"sh", "-c", SCHEDBENCH_BINARY " run -c - -o mine.json < mine.json"},
              {.folder = folder.Path()});
  EXPECT_EQ(from_stdin.code, 2);
  EXPECT_NE(from_stdin.error.find("would overwrite the input '-'"), std::string::npos)
      << from_stdin.error;
}

// Files that parameters of a workload name.
TEST(OutputFile, NeverOverwritesAFileOfAWorkload) {
  const ScratchFolder folder;
  const std::string workload = "replay:graph=g.json";
  folder.Write("g.json", "graph");
  std::filesystem::create_symlink("g.json", folder.Path() + "/link.json");
  const std::vector<Names> cases{
      {"run", "-w", workload, "-o", "g.json"},
      {"run", "-w", workload, "--trace", "link.json"},
      {"record", "-w", workload, "-o", "g.json"},
      {"trace", "-w", workload, "-o", "g.json"},
      {"tune", "fast", "-w", workload, "-o", "g.json"},
      {"tune", "fast", "-w", workload, "--journal", "g.json"},
      {"compare", "fast", "fast", "-w", "yield", "-w", workload, "-o", "link.json"},
      {"sweep", "fast", "-w", workload, "--over", "workers=1,2", "-o", "g.json"},
      {"sweep", "fast", "-w", "replay", "--over", "graph=none.json,g.json", "-o", "link.json"},
      {"sweep", "fast", "-w", "replay", "--over", "workload.graph=g.json", "-o", "link.json"},
      {"audit", workload, "fast", "-o", "g.json"}};
  for (const Names& words : cases) {
    const Finished run = Schedbench(words, {.folder = folder.Path()});
    EXPECT_EQ(run.code, 2) << words[0];
    EXPECT_NE(run.error.find("would overwrite the input 'g.json'    choose another name"),
              std::string::npos)
        << words[0] << ": " << run.error;
    EXPECT_EQ(folder.Read("g.json"), "graph") << words[0];
  }
  folder.Write("replay.folded", "graph");
  const Finished profile = Schedbench({"profile", "-w", "replay:graph=replay.folded", "-o", "."},
                                      {.folder = folder.Path()});
  EXPECT_EQ(profile.code, 2);
  EXPECT_NE(profile.error.find("would overwrite the input 'replay.folded'"), std::string::npos)
      << profile.error;
}

TEST(OutputFile, MayHaveTheNameOfAShippedConfigThatIsNotAFileHere) {
  const ScratchFolder folder;
  const Names words{"run", "-c", "fast.json", "-w",       "yield:fibers=2,yields=3",
                    "-n",  "1",  "-o",        "fast.json"};
  const Finished first = Schedbench(words, {.folder = folder.Path()});
  EXPECT_EQ(first.code, 0) << first.error;
  EXPECT_EQ(json::parse(folder.Read("fast.json"))["kind"], "run");
  const Finished second = Schedbench(words, {.folder = folder.Path()});
  EXPECT_EQ(second.code, 2) << "now it is an input";
}

TEST(OutputFile, OfAProfileNeverOverwritesAnInput) {
  const ScratchFolder folder;
  folder.Write("yield.folded", R"({"scheduler": "fast"})");
  const Finished run = Schedbench({"profile", "-c", "yield.folded", "-w", "yield", "-o", "."},
                                  {.folder = folder.Path()});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("would overwrite the input 'yield.folded'    choose another folder"),
            std::string::npos)
      << run.error;
}

}  // namespace

}  // namespace schedbench::tests::output_file_test
