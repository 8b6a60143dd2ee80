#include "tests/cli/script_agent.hpp"
#include "tests/container/confined.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

// What the limits of a container do to the sizes that the tool chooses, and what it reports where a
// command cannot succeed.

namespace schedbench::tests {

namespace {

using nlohmann::json;

json ResultIn(const Finished& run) {
  EXPECT_EQ(run.code, 0) << run.error;
  return json::parse(run.out, nullptr, false);
}

TEST(Quota, DecidesHowManyWorkersThereAreByDefault) {
  const auto cpus = static_cast<int>(std::thread::hardware_concurrency());
  const SharedFolder folder;
  for (const auto& [percent, workers] :
       std::vector<std::pair<const char*, int>>{{"30", 1}, {"100", 1}, {"150", 2}}) {
    const Finished run =
        Confined({std::string("--quota=") + percent},
                 {"run", "-w", "yield:fibers=2,yields=100", "-n", "2", "-q", "-f", "json"}, folder);
    SCHEDBENCH_REQUIRE_CONFINED(run);
    const json result = ResultIn(run);
    ASSERT_TRUE(result.is_object());
    EXPECT_EQ(result["workers"].size(), std::min(workers, cpus)) << percent;
    EXPECT_EQ(result["rounds"].size(), 2);
    EXPECT_EQ(result["machine"]["restrictions"].size() > 0, cpus * 100 > std::stoi(percent));
  }
}

TEST(Quota, ThatIsUsedUpIsReportedByEachCommandOnce) {
  const SharedFolder folder;
  const std::string work = "fib:n=23";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", "-w", work, "-n", "1", "-q"},
                                             {"trace", "-w", work, "-n", "1", "-q"},
                                             {"profile", "-w", work, "-n", "1", "-q"}}) {
    const Finished run = Confined({"--quota=20"}, command, folder);
    SCHEDBENCH_REQUIRE_CONFINED(run);
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_EQ(CountOf("quota of CPU time was used up", run.out + run.error), 1U)
        << run.out << run.error;
  }
}

TEST(MemoryLimit, RefusesWhatDoesNotFitBeforeTheKernelKillsIt) {
  const SharedFolder folder;
  const Finished run = Confined({"--memory=256"}, {"run", "-w", "million:fibers=200000"}, folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("200000 suspended fibers need about"), std::string::npos) << run.error;
  const Finished trace = Confined({"--memory=256"}, {"trace", "--events", "4000000"}, folder);
  EXPECT_EQ(trace.code, 2);
  EXPECT_NE(trace.error.find("use fewer --events"), std::string::npos) << trace.error;
}

TEST(MemoryLimit, ShrinksTheRingsOfATrace) {
  const SharedFolder folder;
  const Finished run = Confined(
      {"--memory=256"}, {"trace", "-w", "pingpong", "--for", "1s", "-n", "20", "-q"}, folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("events before it were overwritten"), std::string::npos) << run.out;
}

TEST(MemoryLimit, ThatAnAgentHitsIsTheReasonWhyItDidNotFinish) {
  const SharedFolder folder;
  // In a round the agent becomes a program that takes all memory.
  std::string script = ScriptOf({.seconds = "7"});
  script.replace(script.find("sleep 7"), 7, "exec tail /dev/zero");
  folder.Write("big.sh", script);
  const Finished run = Confined({"--memory=64"},
                                {"compare", "fast", "--with", "big=sh big.sh", "-w",
                                 "yield:fibers=10,yields=20", "-b", "1", "-n", "1", "-q"},
                                folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 4) << run.error;
  EXPECT_NE(run.out.find("DNF  big: the agent ended before it answered (signal 9 (Killed): "
                         "the kernel has ended a process of its cgroup for lack of memory)"),
            std::string::npos)
      << run.out << run.error;
}

TEST(ReadOnlyFiles, AreReportedWhereAWorkloadNeedsAFile) {
  const SharedFolder folder;
  const Finished run = Confined({"--read-only=" + folder.Path(), "--env=TMPDIR=/usr"},
                                {"run", "-w", "file_vs_net:writers=1,blocks=1", "-q"}, folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("no temporary file in /usr: Read-only file system"), std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("TMPDIR=FOLDER"), std::string::npos) << run.error;
}

TEST(Filter, ThatRefusesAffinityRefusesToPin) {
  const SharedFolder folder;
  const Finished run = Confined({"--deny=sched_setaffinity"}, {"run", "--pin", "-q"}, folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.error.starts_with("error: --pin   sched_setaffinity: ")) << run.error;
}

TEST(Filter, ThatRefusesClone3WithEpermIsNamed) {
  const SharedFolder folder;
  for (const char* const command : {"run", "profile"}) {
    const Finished run =
        Confined({"--deny=clone3"}, {command, "-w", "yield", "-n", "1", "-q"}, folder);
    SCHEDBENCH_REQUIRE_CONFINED(run);
    EXPECT_EQ(run.code, 2) << run.error;
    EXPECT_NE(run.error.find("must refuse clone3 with ENOSYS"), std::string::npos) << run.error;
  }
}

}  // namespace

}  // namespace schedbench::tests
