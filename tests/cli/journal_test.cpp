// The journal of a sweep, without the sweep.
#include "cli/results/journal.hpp"

#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/schema_of.hpp"
#include "platform/files/file_checksum.hpp"
#include "registry/workload.hpp"
#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace schedbench::tests::journal_test {

namespace {

struct WorkParameters {
  config::Field<"graph", config::FileName{}, config::AnyOf{}, "A file"> graph;
};

const registry::WorkloadEntry kWork{.name = "work",
                                    .doc = "",
                                    .operation = "thing",
                                    .schema = &config::SchemaOf<WorkParameters>,
                                    .make = nullptr};

// A plan of one cell.
cli::JournaledPlan PlanOfWork(const std::string& parameters = "{}") {
  cli::JournaledPlan plan;
  plan.keys = {{.name = "x", .values = {"1"}}};
  plan.experiment.groups = {{.workload = {.entry = &kWork, .parameters = parameters},
                             .alternatives = {{.name = "a", .command = {}, .scheduler = "a"}},
                             .cells = {0}}};
  return plan;
}

TEST(Journal, KeepsAllWholeLinesOfAFileThatWasCutAtAnyByte) {
  const ScratchFolder folder;
  const std::string path = folder.Path() + "/j";
  cli::JournaledPlan plan = PlanOfWork();
  const platform::MachineInfo machine = platform::ThisMachine();
  harness::Series failed;
  failed.failure = "wrong answer";
  {
    cli::Journal journal(path, plan, machine, true);
    for (std::size_t block = 0; block < 2; ++block) {
      harness::Series series;
      series.blocks.push_back({{.wall_ns = 7 + block, .operations = 3}});
      journal.Add(0, block, series);
    }
    journal.Add(0, 2, failed);
  }
  const std::string whole = folder.Read("j");
  // Of the head some bytes: each takes a new head to the disk.
  constexpr std::size_t kSomeOfHead = 37;
  const std::size_t head = whole.find('\n');
  for (std::size_t size = 0; size <= whole.size();
       size += size + kSomeOfHead < head ? kSomeOfHead : 1) {
    const std::string cut = whole.substr(0, size);
    // A head that is so short may be of any file, and the file is kept.
    constexpr std::size_t kShortestHead = 41;
    folder.Write("j", cut);
    if (size > 0 && size < kShortestHead) {
      EXPECT_ANY_THROW(cli::Journal(path, plan, machine, true)) << size;
      EXPECT_EQ(folder.Read("j"), cut);
      continue;
    }
    const cli::Journal journal(path, plan, machine, true);
    const auto lines = static_cast<std::size_t>(std::ranges::count(cut, '\n'));
    EXPECT_EQ(journal.KnownBlocks(), lines == 0 ? 0 : lines - 1) << size;
    EXPECT_EQ(journal.Trouble().empty(), cut.empty() || cut.back() == '\n') << size;
    EXPECT_EQ(folder.Read("j"),
              whole.substr(0, lines == 0 ? whole.find('\n') + 1 : cut.rfind('\n') + 1));
  }
  const cli::Journal journal(path, plan, machine, true);
  EXPECT_EQ(journal.Known(0, 1)->blocks.front().front().wall_ns, 8U);
  EXPECT_EQ(journal.Known(0, 2)->failure, "wrong answer");
}

// Lines with a right checksum, as no schedbench writes them.
TEST(Journal, WithAWrongValueIsRefusedWithItsLine) {
  const ScratchFolder folder;
  const std::string path = folder.Path() + "/j";
  cli::JournaledPlan plan = PlanOfWork();
  const platform::MachineInfo machine = platform::ThisMachine();
  {
    cli::Journal journal(path, plan, machine, true);
    harness::Series series;
    series.blocks.push_back({{.wall_ns = 7, .operations = 3, .metrics = {{"from_stolen", 1.0}}}});
    journal.Add(0, 0, series);
  }
  const std::string head = folder.Read("j").substr(0, folder.Read("j").find('\n') + 1);
  const std::string line = folder.Read("j").substr(head.size());
  const auto error_of = [&](const std::string& from, const std::string& to) {
    std::string text = line.substr(17, line.size() - 18);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::string changed = platform::ChecksumOf(text) + " " + text + "\n";
    folder.Write("j", head + changed + line);
    try {
      const cli::Journal journal(path, plan, machine, true);
      return std::string();
    } catch (const config::InputError& error) {
      EXPECT_EQ(folder.Read("j"), head + changed + line) << "it is not changed";
      return std::string(error.what());
    }
  };
  for (const auto& [from, to] : {std::pair{"\"wall_ns\":7", "\"wall_ns\":\"\""},
                                 {"\"wall_ns\":7", "\"wall_ns\":NaN"},
                                 {"\"from_stolen\":1.0", "\"from_stolen\":\"\""},
                                 {"\"cell\":0", "\"cell\":null"},
                                 {"\"cell\":0,", ""},
                                 {"\"rounds\"", "\"audit\""},
                                 {"\"block\":0", "\"block\":1e308"},
                                 {"\"cell\":0", "\"cell\":-1"},
                                 {"\"cell\":0", "\"machine\":\"x\""},
                                 {"\"cell\":0", "\"cell\":0,\"effective_config\":7"},
                                 {"\"rounds\"", "\"runs\""}}) {
    EXPECT_NE(error_of(from, to).find("j: line 2"), std::string::npos) << to;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) {
    deep += "[";
  }
  EXPECT_NE(error_of("\"wall_ns\":7", "\"wall_ns\":" + deep), "");
  std::string keys;
  for (int i = 0; i < 100'000; ++i) {
    keys += fmt::format("\"k{}\":0,", i);
  }
  EXPECT_NE(error_of("\"wall_ns\":7", keys + "\"wall_ns\":7").find("with more than 4096 keys"),
            std::string::npos);
  EXPECT_EQ(error_of("\"wall_ns\":7", "\"wall_ns\":8"), "");
}

TEST(Journal, WithADamagedLastLineContinuesWithoutItAndReportsIt) {
  const ScratchFolder folder;
  const std::string path = folder.Path() + "/j";
  cli::JournaledPlan plan = PlanOfWork();
  const platform::MachineInfo machine = platform::ThisMachine();
  {
    const cli::Journal journal(path, plan, machine, true);
  }
  folder.Write("j", folder.Read("j") + "0123456789abcdef {\"cell\":0}\n");
  const cli::Journal journal(path, plan, machine, true);
  EXPECT_EQ(journal.Trouble(), "the last line was damaged, and is measured again");
}

TEST(Journal, OfVersion1IsRefusedByItsVersion) {
  const ScratchFolder folder;
  const std::string path = folder.Path() + "/j";
  cli::JournaledPlan plan = PlanOfWork();
  const platform::MachineInfo machine = platform::ThisMachine();
  {
    const cli::Journal journal(path, plan, machine, true);
  }
  std::string head = folder.Read("j").substr(17);
  head.pop_back();
  const std::size_t at = head.find("\"version\":2");
  ASSERT_NE(at, std::string::npos);
  head.replace(at, 11, "\"version\":1");
  const std::string old = platform::ChecksumOf(head) + " " + head + "\n";
  folder.Write("j", old);
  try {
    const cli::Journal journal(path, plan, machine, true);
    ADD_FAILURE() << "it continues";
  } catch (const cli::NotComparable& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("journal, version: 1 in the file, 2 now"), std::string::npos) << text;
  }
  EXPECT_EQ(folder.Read("j"), old);
}

TEST(Journal, IsRefusedIfAFileOfTheWorkloadHasAnotherContent) {
  const ScratchFolder folder;
  const std::string path = folder.Path() + "/j";
  const std::string graph = folder.Path() + "/id.graph";
  cli::JournaledPlan plan = PlanOfWork(R"({"graph":")" + graph + R"("})");
  const platform::MachineInfo machine = platform::ThisMachine();
  folder.Write("id.graph", std::string(100'000, 'a'));
  const auto open = [&] { const cli::Journal journal(path, plan, machine, true, "tune"); };
  open();
  open();
  const std::string before = folder.Read("j");
  folder.Write("id.graph", std::string(99'999, 'a') + 'b');
  try {
    open();
    ADD_FAILURE() << "it continues with another graph";
  } catch (const cli::NotComparable& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("is the journal of another schedbench tune:"), std::string::npos) << text;
    EXPECT_NE(text.find("plan: the content of '" + graph + "' has changed"), std::string::npos)
        << text;
  }
  EXPECT_EQ(folder.Read("j"), before);
  std::filesystem::remove(graph);
  EXPECT_THROW(open(), cli::NotComparable);
  folder.Write("id.graph", std::string(100'000, 'a'));
  open();
}

}  // namespace

}  // namespace schedbench::tests::journal_test
