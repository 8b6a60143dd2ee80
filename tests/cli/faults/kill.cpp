#include "tests/cli/process.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

// kill -9 while the tool replaces a result: the file is the former one or the new one, and whole.
//   SCHEDBENCH_KILLS=1000 build/release/faults_test --gtest_filter='Kill*'

namespace schedbench::tests {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

int Kills() {
  const char* text = std::getenv("SCHEDBENCH_KILLS");
  return text == nullptr ? QuickOrFull(20, 100) : std::atoi(text);
}

// A result of some hundred KB, so that writing it takes a while.
Process StartRun(const ScratchFolder& folder) {
  return Process(SchedbenchCommand({"run", "-s", "fast", "--set", "workers=1", "-w",
                                    "yield:fibers=1,yields=1", "-n", "500", "--warmup", "0", "-q",
                                    "-o", folder.Path() + "/result.json"}));
}

// The process has a file open in the folder that has no name yet: the tool is writing.
bool IsBeingWritten(const ScratchFolder& folder, const Process& run) {
  std::error_code ignored;
  const std::string open = "/proc/" + std::to_string(run.Number()) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(open, ignored)) {
    if (std::filesystem::read_symlink(entry.path(), ignored)
            .string()
            .starts_with(folder.Path() + "/")) {
      return true;
    }
  }
  return false;
}

TEST(Kill, LeavesAWholeFileWheneverItComes) {
  std::mt19937_64 random(Seed());
  const ScratchFolder folder;
  const auto start = Clock::now();
  ASSERT_EQ(StartRun(folder).Finish(), 0);
  const auto whole_run = std::chrono::duration_cast<microseconds>(Clock::now() - start);
  const std::string former = folder.Read("result.json");

  int torn = 0;
  int replaced = 0;
  int half_way = 0;
  int left_behind = 0;
  for (int i = 0; i < Kills(); ++i) {
    folder.Write("result.json", former);
    {
      Process run = StartRun(folder);
      const auto begin = Clock::now();
      // Every other one somewhere in the run, the others while the file is written.
      if (i % 2 == 0) {
        // What is tested: a kill at any moment.
        std::this_thread::sleep_for(
            microseconds(random() % static_cast<std::uint64_t>(whole_run.count())));
      } else {
        while (!IsBeingWritten(folder, run) && Clock::now() - begin < 5 * whole_run) {
        }
        const auto moment = Clock::now() + microseconds(random() % 1000);
        while (Clock::now() < moment) {
        }
      }
      half_way += IsBeingWritten(folder, run) ? 1 : 0;
      run.Signal(SIGKILL);
      run.Finish();
    }
    const std::string file = folder.Read("result.json");
    if (!nlohmann::json::accept(file)) {
      ++torn;
    }
    replaced += file == former ? 0 : 1;
    for (const std::string& name : folder.Names()) {
      if (name != "result.json") {
        ++left_behind;
        std::filesystem::remove(folder.Path() + "/" + name);
      }
    }
  }
  fmt::print(
      "{} torn files in {} kills ({} came while the new file was written, {} after); {} left a "
      "file "
      "behind\n",
      torn, Kills(), half_way, replaced, left_behind);
  EXPECT_EQ(torn, 0);
  // A kill between the two calls that name the new file may leave it.
  EXPECT_LE(left_behind, Kills() / 10);
  EXPECT_GT(half_way, 0) << "no kill came while it mattered";
}

}  // namespace

}  // namespace schedbench::tests
