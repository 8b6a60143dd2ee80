#include "tests/cli/process.hpp"
#include "tests/support/tier.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

// The same for memory, where the kernel itself refuses, in any thread and at any time.

namespace schedbench::tests {

namespace {

TEST(ShortMemory, EndsTheRunWithCode2AndAMessageHoweverShortItIs) {
  const ScratchFolder folder;
  const int step_kib = QuickOrFull(9000, 3000);
  constexpr int kFirstKib =
      9000;  // in less the kernel cannot map the program, and ends it by a signal
  int refused = 0;
  for (int kib = kFirstKib;; kib += step_kib) {
    ASSERT_LT(kib, 3'000'000) << "it never was enough";
    folder.Write("result.json", "former");
    const Finished run = Execute(
        {"sh", "-c",
         fmt::format("ulimit -v {}; exec timeout --signal=KILL 60 " SCHEDBENCH_BINARY
                     " run -s fast --set workers=2 -w million:fibers=3000 -n 2 -q -o result.json",
                     kib)},
        {.folder = folder.Path(), .environment = {}});
    const std::string what = fmt::format("{} KiB: code {}: {}", kib, run.code, run.error);
    const std::string file = folder.Read("result.json");
    ASSERT_TRUE(file == "former" || nlohmann::json::accept(file)) << what << "\ntorn: " << file;
    ASSERT_EQ(folder.Names(), std::vector<std::string>{"result.json"}) << what;
    if (run.code == 0) {
      EXPECT_GT(refused, QuickOrFull(6, 20));
      return;
    }
    // What the shell, `timeout` or the dynamic loader say is not ours.
    if (run.code == 127 || run.code == 126 || run.code == 125) {
      continue;
    }
    ++refused;
    ASSERT_EQ(run.code, 2) << what;
    ASSERT_TRUE(run.error.starts_with("error: ")) << what;
    ASSERT_TRUE(run.error.find("limits: ulimit") != std::string::npos ||
                run.error.find("not enough memory") != std::string::npos)
        << what;
  }
}

TEST(ShortMemory, EndsARecordingWithCode2AndAMessageWhereverItRunsOut) {
  const ScratchFolder folder;
  int refused = 0;
  for (int kib = 60'000;; kib += QuickOrFull(18000, 9000)) {
    ASSERT_LT(kib, 2'000'000) << "it never was enough";
    const Finished run = Execute(
        {"sh", "-c",
         fmt::format(
             "ulimit -v {}; exec timeout --signal=KILL 60 " SCHEDBENCH_BINARY
             " trace --set workers=4 -w pingpong:rounds=100 -n 2 -q --events 1000000 -o t.json",
             kib)},
        {.folder = folder.Path(), .environment = {}});
    const std::string what = fmt::format("{} KiB: code {}: {}", kib, run.code, run.error);
    if (run.code == 0) {
      EXPECT_TRUE(nlohmann::json::accept(folder.Read("t.json")));
      EXPECT_GT(refused, 2);
      return;
    }
    ++refused;
    ASSERT_EQ(run.code, 2) << what;
    ASSERT_TRUE(run.error.starts_with("error: ")) << what;
    if (!folder.Names().empty()) {  // a round ran out of memory: its last window is written, whole
      ASSERT_NE(run.error.find(" rounds were finished"), std::string::npos) << what;
      ASSERT_EQ(folder.Names(), std::vector<std::string>{"t.json"}) << what;
      ASSERT_TRUE(nlohmann::json::accept(folder.Read("t.json"))) << what;
      std::filesystem::remove(folder.Path() + "/t.json");
    }
  }
}

}  // namespace

}  // namespace schedbench::tests
