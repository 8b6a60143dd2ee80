#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <string>

namespace schedbench::tests::audit_test {

namespace {

using nlohmann::json;

TEST(Audit, SplitsTheTimeOfEachSchedulerAndNamesWhatDominates) {
  const Finished run =
      Schedbench({"audit", "single_spawner:tasks=20", "global_fifo", "fast:workers=1", "--for",
                  "100ms", "--blocks", "6", "--format", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["kind"], "audit");
  ASSERT_EQ(result["schedulers"].size(), 2U);
  for (const json& scheduler : result["schedulers"]) {
    double sum = 0;
    for (const json& share : scheduler["shares"]) {
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    // Each step sleeps in the kernel, which takes longer than all the rest.
    EXPECT_GT(scheduler["shares"]["kernel_sleep"].get<double>(),
              scheduler["shares"]["task_body"].get<double>());
  }
  EXPECT_EQ(result["difference"]["name"], "fast:workers=1");
  EXPECT_EQ(result["fairer"]["command"],
            "schedbench audit single_spawner:tasks=20,mode=spin global_fifo fast:workers=1");
}

TEST(Audit, TakesAPatternOfSchedulersAndComparesNothingWithoutBlocks) {
  const Finished run = Schedbench({"audit", "merge_sort:preset=smoke", "*GetAllFromGlob:workers=1",
                                   "--for", "1ms", "-b", "0", "--format", "csv"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("\nmerge_sort:preset=smoke,WorkStealing_MutexQueue_MutexQueue_StealHalf_"
                         "GetAllFromGlob:workers=1,"),
            std::string::npos);
  EXPECT_NE(run.out.find("_StealOne_GetAllFromGlob:workers=1,"), std::string::npos);
}

TEST(Compare, TakesAPatternOfSchedulers) {
  const Finished run = Schedbench({"compare", "glob*:workers=1", "--workers", "1", "-w",
                                   "yield:fibers=2,yields=3", "-b", "1", "-q"});
  EXPECT_EQ(run.code, 2) << run.out;
  const Finished both =
      Schedbench({"compare", "*_StealOne_GetAllFromGlob", "*_StealOne_GetOneFromGlob", "-w",
                  "yield:fibers=2,yields=3", "-b", "1", "-q", "--format", "csv"});
  EXPECT_EQ(both.code, 0) << both.error;
  EXPECT_NE(both.out.find("WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob"),
            std::string::npos);
}

TEST(Audit, ThatIsInterruptedReportsTheSchedulersThatWereObserved) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  Process process(SchedbenchCommand({"audit", "yield:preset=smoke", "fast", "global_fifo", "--for",
                                     "300ms", "-f", "json"}),
                  {.environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError("round 1 of 2"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130) << process.Error();
  const json result = json::parse(process.Out());
  EXPECT_EQ(result["complete"], false);
  ASSERT_EQ(result["schedulers"].size(), 1U);
  EXPECT_EQ(result["schedulers"][0]["name"], "fast");
}

}  // namespace

}  // namespace schedbench::tests::audit_test
