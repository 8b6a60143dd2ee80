#include "base/attributes.hpp"
#include "profile/folded_reader.hpp"
#include "registry/pages.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace schedbench::tests::profile_test {

namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Names Small(Names words) {
  return WithDefaults(
      std::move(words),
      {{"-s", "fast"}, {"--workers", "1"}, {"-w", "yield:fibers=100,yields=2000"}, {"-n", "10"}});
}

Finished Profile(Names words, const ScratchFolder& folder) {
  words.insert(words.begin(), "profile");
  return Schedbench(Small(std::move(words)), {.folder = folder.Path(), .environment = {}});
}

#if defined(SB_TSAN)

TEST(Profile, SaysWhyItCannotSample) {
  const ScratchFolder folder;
  const Finished run = Profile({}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "error: no clock for sampling: perf task clock: ")) << run.error;
}

#else

TEST(Profile, WritesItsFilesAndNamesThem) {
  const ScratchFolder folder;
  const Finished run = Profile({"-o", "new/out"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("yield on fast\n  ")) << run.out;
  EXPECT_TRUE(Has(run.out, "999 Hz requested; ")) << run.out;
  Names expected{"new/out/yield.perf.txt", "new/out/yield.folded", "new/out/yield.speedscope.json"};
  if (registry::FlameGraphPage().empty()) {
    EXPECT_TRUE(Has(run.out, ": make build\n")) << run.out;
  } else {
    expected.push_back("new/out/yield.html");
  }
  for (const std::string& name : expected) {
    EXPECT_TRUE(Has(run.out, "\n" + name + "\n")) << run.out;
    EXPECT_GT(std::filesystem::file_size(folder.Path() + "/" + name), 100u) << name;
  }
  EXPECT_TRUE(folder.Read("new/out/yield.perf.txt").starts_with("# ========\n# schedbench: yield"));
  const auto stacks =
      profile::ParseFolded(folder.Read("new/out/yield.folded"), "yield.folded").events[0].stacks;
  EXPECT_TRUE(std::ranges::any_of(
      stacks, [](const auto& entry) { return entry.first.starts_with("fiber:yield.cpp:"); }));
  const json speedscope = json::parse(folder.Read("new/out/yield.speedscope.json"));
  EXPECT_EQ(speedscope["profiles"].size(), 1u) << "one worker";
}

TEST(Profile, WantsTheNameOfAFolder) {
  const ScratchFolder folder;
  const Finished run = Profile({"-o", ""}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "error: --output   the name of the folder is empty")) << run.error;
}

TEST(Profile, HasTheRootsThatWereAskedFor) {
  const ScratchFolder folder;
  ASSERT_EQ(Profile({"--root", "worker,fiber"}, folder).code, 0);
  EXPECT_TRUE(folder.Read("out/yield.folded").starts_with("worker 0;"));
  ASSERT_EQ(Profile({"--root", "none"}, folder).code, 0);
  // A sample without calls still has a name.
  const auto yields = profile::ParseFolded(folder.Read("out/yield.folded"), "yield.folded");
  for (const auto& [stack, weight] : yields.events[0].stacks) {
    EXPECT_FALSE(stack.starts_with("fiber:") && Has(stack, ";")) << stack;
  }
  EXPECT_TRUE(Has(Profile({"--root", "none,fiber"}, folder).error,
                  "error: --root none,fiber   'none' cannot be combined with others"));
  const Finished run = Profile({"--root", "fibre"}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(
      Has(run.error, "'fibre' is not one of worker|fiber|created|none; did you mean 'fiber'?"))
      << run.error;
}

// Samples in an allocator without frame pointers, and in the middle of a switch, included.
TEST(Profile, ShowsEachStackOfAFiberDownToItsBaseOrCountsItAsTruncated) {
  const ScratchFolder folder;
  const Finished run = Profile(
      {"-w", "spawn_join:tasks=20000", "-n", "20", "-F", "4999", "--worker-frames"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  std::uint64_t all = 0;
  std::uint64_t without_base = 0;
  const auto joins =
      profile::ParseFolded(folder.Read("out/spawn_join.folded"), "spawn_join.folded");
  for (const auto& [stack, weight] : joins.events[0].stacks) {
    all += weight;
    without_base += Has(stack, "SchedbenchEnterStack") ? 0 : weight;
  }
  EXPECT_GT(all, 50u);
  std::smatch truncated;
  ASSERT_TRUE(std::regex_search(run.out, truncated, std::regex(" lost, ([0-9]+) truncated")));
  EXPECT_LE(without_base, 2 * std::stoull(truncated[1]) + all / 100) << run.out;
}

// Functions without a frame, such as the pop of a channel's waiter, do not hide their caller.
TEST(Profile, ShowsTheFunctionOfTheFiberInNearlyAllOfItsSamples) {
  const ScratchFolder folder;
  const Finished run =
      Profile({"-w", "pingpong:pairs=64,rounds=2000", "-n", "20", "-F", "4999"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  std::smatch counts;
  ASSERT_TRUE(std::regex_search(run.out, counts,
                                std::regex("; ([0-9]+) samples cover .*, ([0-9]+) without the "
                                           "function of their fiber")))
      << run.out;
  EXPECT_GT(std::stoull(counts[1]), 50u);
  EXPECT_LE(std::stoull(counts[2]), std::stoull(counts[1]) / 50) << run.out;
}

TEST(Profile, OfARunThatIsShorterThanOneSampleSaysSo) {
  const ScratchFolder folder;
  const Finished run = Profile({"-w", "yield:fibers=1,yields=1", "-n", "1", "-F", "1"}, folder);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "no sample: ")) << run.out;
  EXPECT_TRUE(folder.Read("out/yield.folded").empty());
}

TEST(Profile, ByTheTimerOfTheThreadNeedsNoPerf) {
  const ScratchFolder folder;
  const Finished run = Profile({"--clock", "timer"}, folder);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "thread CPU timer, 999 Hz requested; ")) << run.out;
  EXPECT_TRUE(Has(folder.Read("out/yield.perf.txt"), " cpu-timer: \n"));
}

TEST(RunPerf, WritesTheStacksNextToTheMetricsAndMarksThem) {
  const ScratchFolder folder;
  Names words{"run", "--perf", "y.perf.txt", "-f", "json"};
  words = Small(std::move(words));
  const Finished run = Schedbench(words, {.folder = folder.Path(), .environment = {}});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.error, "y.perf.txt: ")) << run.error;
  EXPECT_TRUE(Has(folder.Read("y.perf.txt"), "\nsb-w0 "));
  const json result = json::parse(run.out);
  EXPECT_TRUE(Has(result["observed"], "sampled at 999 Hz by the ")) << result["observed"];
}

TEST(RunPerf, IsRefusedAsABaseline) {
  const ScratchFolder folder;
  Names words{"run", "--perf", "y.perf.txt", "-o", "r.json"};
  words = Small(std::move(words));
  ASSERT_EQ(Schedbench(words, {.folder = folder.Path(), .environment = {}}).code, 0);
  const Finished run = Schedbench({"compare", "fast", "-w", "yield", "--baseline", "r.json"},
                                  {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 5);
  EXPECT_TRUE(Has(run.error,
                  "'r.json' is from a run with costs of its own: it was sampled at 999 Hz by the "))
      << run.error;
}

#endif

TEST(Profile, ToAPlaceThatIsNotAFolderIsRefusedBeforeTheRun) {
  const ScratchFolder folder;
  folder.Write("file", "mine");
  // Would take hours.
  const Finished run = Profile({"-w", "pingpong:rounds=1000000000", "-o", "file"}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.error.starts_with("error: cannot create the folder file: ")) << run.error;
  EXPECT_EQ(folder.Read("file"), "mine");
}

TEST(Profile, TakesOnlyRatesThatAWorkerSurvives) {
  const ScratchFolder folder;
  for (const char* const rate : {"0", "20001", "-3", "much"}) {
    const Finished run = Profile({"-F", rate}, folder);
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(Has(run.error, "--frequency")) << run.error;
  }
}

TEST(Profile, KnowsItsClocksByName) {
  const ScratchFolder folder;
  const Finished run = Profile({"--clock", "time"}, folder);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(
      Has(run.error, "--clock time   'time' is not one of auto|perf|timer; did you mean 'timer'?"))
      << run.error;
}

TEST(RunPerf, IsNeededForItsFlagsToHaveAnEffect) {
  const Finished run = Schedbench({"run", "-s", "fast", "-F", "99"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "--frequency   has no effect without --perf FILE")) << run.error;
}

}  // namespace

}  // namespace schedbench::tests::profile_test
