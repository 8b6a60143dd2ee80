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
  std::vector<std::string> arguments{"run", "-s", "fast", "-w", "yield:fibers=1,yields=1",
                                     "-n",  "2",  "-o",   file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Schedbench(std::move(arguments), {.folder = folder.Path(), .environment = {}});
}

TEST(OutputFile, GetsTheResultInPlaceOfStdout) {
  const ScratchFolder folder;
  const Finished run = RunTo("result.json", folder);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(json::parse(folder.Read("result.json"))["complete"], true);
  EXPECT_EQ(folder.Names(), Names{"result.json"}) << "nothing else is left";
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

}  // namespace

}  // namespace schedbench::tests::output_file_test
