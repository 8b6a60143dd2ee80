#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::tests::record_test {

namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Finished Tool(Names words, const ScratchFolder& folder) {
  return Schedbench(std::move(words), {.folder = folder.Path(), .environment = {}});
}

std::string HashIn(const std::string& text) {
  const std::size_t at = text.find("  hash ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

Finished Record(const ScratchFolder& folder, const std::string& workers,
                const std::string& workload = "pingpong:pairs=4,rounds=50") {
  return Tool({"record", "-s", "fast", "--workers", workers, "-w", workload, "-n", "2", "-o",
               "p.graph", "-q"},
              folder);
}

TEST(Record, HasTheSameHashEachTimeWithOneWorker) {
  const ScratchFolder folder;
  const Finished first = Record(folder, "1");
  ASSERT_EQ(first.code, 0) << first.error;
  EXPECT_TRUE(Has(first.out, "  8 fibers, 0 plain tasks, ")) << first.out;
  EXPECT_NE(HashIn(first.out), "");
  EXPECT_EQ(HashIn(first.out), HashIn(Record(folder, "1").out));
}

// With several workers a fiber may find what it would otherwise wait for.
TEST(Record, HasTheSameHashWithAnyNumberOfWorkersIfNoFiberWaits) {
  const ScratchFolder folder;
  const Finished one = Record(folder, "1", "yield:fibers=20,yields=10");
  ASSERT_EQ(one.code, 0) << one.error;
  EXPECT_NE(HashIn(one.out), "");
  EXPECT_EQ(HashIn(one.out), HashIn(Record(folder, "2", "yield:fibers=20,yields=10").out));
}

TEST(Record, DoesNotCompareMakespansIfEventsWereLost) {
  const ScratchFolder folder;
  const Finished run =
      Tool({"record", "-s", "fast", "--workers", "1", "-w", "pingpong:pairs=4,rounds=1000",
            "--events", "1024", "-n", "2", "-o", "p.graph", "-q"},
           folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "of the recorded part")) << run.out;
  EXPECT_FALSE(Has(run.out, "of a replay")) << run.out;
  EXPECT_EQ(Tool({"replay", "p.graph", "-n", "2", "-q"}, folder).code, 0);
}

TEST(Replay, RunsInTheRecordedConfigurationAndInOthers) {
  const ScratchFolder folder;
  ASSERT_EQ(Record(folder, "2").code, 0);
  const Finished same = Tool({"replay", "p.graph", "-n", "2", "-f", "json", "-q"}, folder);
  ASSERT_EQ(same.code, 0) << same.error;
  const json result = json::parse(same.out);
  EXPECT_EQ(result.at("scheduler"), "fast") << same.out;
  EXPECT_EQ(result.at("config").at("workers"), 2);
  for (const Names& flags :
       {Names{"-s", "global_fifo"}, Names{"--workers", "1", "--open"}, Names{"--work", "0"}}) {
    Names words{"replay", "p.graph", "-n", "2", "-q"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Finished run = Tool(words, folder);
    EXPECT_EQ(run.code, 0) << flags.front() << run.error;
  }
}

TEST(Replay, RefusesWhatIsNotAGraph) {
  const ScratchFolder folder;
  folder.Write("x.graph", "hello");
  const Finished wrong = Tool({"replay", "x.graph"}, folder);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.error,
            "error: x.graph: this is not a task graph of schedbench record    schedbench record "
            "--import makes one of a trace\n");
  const Finished missing = Tool({"replay", "y.graph"}, folder);
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.error, "error: y.graph cannot be read: No such file or directory\n");
}

TEST(Record, NeverOverwritesItsInput) {
  const ScratchFolder folder;
  folder.Write("t.json", "[]");
  const Finished run = Tool({"record", "--import", "t.json", "-o", "t.json"}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(folder.Read("t.json"), "[]");
}

TEST(Record, ImportsTheTimelineThatTraceWrites) {
  const ScratchFolder folder;
  ASSERT_EQ(Tool({"trace", "-s", "fast", "-w", "pingpong:pairs=2,rounds=50", "-n", "1", "-o",
                  "t.json", "-q"},
                 folder)
                .code,
            0);
  const Finished run = Tool({"record", "--import", "t.json", "-o", "t.graph"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "Task graph of Chrome JSON")) << run.out;
  EXPECT_TRUE(Has(run.out, " waits: a resume"))
      << "the slices of a fiber are one task: " << run.out;
  EXPECT_EQ(Tool({"replay", "t.graph", "-n", "1", "-q"}, folder).code, 0);
}

TEST(Record, RefusesFlagsThatImportDoesNotUse) {
  const ScratchFolder folder;
  folder.Write("t.json", "[]");
  const Finished run = Tool({"record", "--import", "t.json", "--workers", "2"}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: --workers   has no effect with --import, which runs nothing\n");
}

}  // namespace

}  // namespace schedbench::tests::record_test
