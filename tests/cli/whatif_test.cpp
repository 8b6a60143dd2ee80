#include "tests/cli/process.hpp"
#include "tests/cli/schema.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests::whatif_test {

namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

Finished Tool(Names words, const ScratchFolder& folder,
              std::map<std::string, std::string> environment = {}) {
  return Schedbench(std::move(words),
                    {.folder = folder.Path(), .environment = std::move(environment)});
}

ScratchFolder& WithGraph(ScratchFolder& folder) {
  const Finished recorded =
      Tool({"record", "-s", "fast", "--workers", "1", "-n", "2", "-w",
            "taskgraph:width=4,steps=20,grain_ns=20000", "-o", "t.graph", "-q"},
           folder);
  EXPECT_EQ(recorded.code, 0) << recorded.error;
  return folder;
}

TEST(WhatIf, PredictsWorkersThatThisMachineDoesNotHave) {
  ScratchFolder folder;
  const Finished run = Tool({"whatif", "t.graph", "--workers", "1,2,64", "--over", "lifo_limit=0,3",
                             "--at", "2", "-f", "json", "-q"},
                            WithGraph(folder));
  ASSERT_EQ(run.code, 0) << run.error;
  folder.Write("whatif.json", run.out);
  EXPECT_EQ(WhyInvalid(folder, {"whatif.json", "whatif"}), "");
  const json result = json::parse(run.out);
  EXPECT_EQ(result.at("kind"), "whatif");
  EXPECT_EQ(result.at("graph").at("fibers"), 81);
  ASSERT_EQ(result.at("predictions").size(), 6u);
  const json& last = result.at("predictions").back();
  EXPECT_EQ(last.at("workers"), 64);
  EXPECT_EQ(last.at("extrapolated"), true);
  EXPECT_GT(last.at("makespan_ns").at("median").get<double>(),
            result.at("graph").at("span_ns").get<double>());
  EXPECT_EQ(result.at("levers").size(), 5u);
}

// Threads that wait for each other take turns on it.
TEST(WhatIf, MeasuresCostsOnOneCpu) {
  ScratchFolder folder;
  const Finished run = Execute({"sh", "-c",
                                "cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//'); "
                                R"(echo '{"request":"calibrate"}' | exec taskset -c "$cpu" "$0")",
                                std::string(SCHEDBENCH_BINARY) + "-simulator"},
                               {.folder = folder.Path()});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_GT(json::parse(run.out).at("costs").at("transfer").get<double>(), 0);
}

TEST(WhatIf, RefusesASimulatorOfAnotherRevision) {
  ScratchFolder folder;
  folder.Write("old",
               "#!/bin/sh\nread line\n"
               R"(echo '{"reply":"hello","revision":"abc","modified":false}')"
               "\n");
  std::filesystem::permissions(folder.Path() + "/old", std::filesystem::perms::owner_all);
  const Finished run = Tool({"whatif", "t.graph", "-q"}, WithGraph(folder),
                            {{"SCHEDBENCH_SIMULATOR", folder.Path() + "/old"}});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("the simulator is of revision abc, this program of "), std::string::npos)
      << run.error;
}

TEST(WhatIf, RefusesWhatItCannotSimulate) {
  ScratchFolder folder;
  WithGraph(folder);
  EXPECT_EQ(Tool({"whatif", "t.graph", "--workers", "0"}, folder).error,
            "error: --workers 0   '0' is not a whole number from 1 to 1024\n");
  EXPECT_EQ(Tool({"whatif", "t.graph", "--over", "lifo"}, folder).error,
            "error: --over lifo   expected FIELD=LIST, such as lifo_limit=0,3\n");
  EXPECT_EQ(Tool({"whatif", "t.graph", "-c", "global_fifo.json"}, folder).error,
            "error: --config   only fast is simulated, not global_fifo\n");
  const Finished missing =
      Tool({"whatif", "t.graph", "-q"}, folder, {{"SCHEDBENCH_SIMULATOR", "/no/such/program"}});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.error,
            "error: cannot start the simulator: /no/such/program: No such file or directory\n");
}

TEST(WhatIf, MakesNoPredictionWhenAReplayIsInterrupted) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const ScratchFolder folder;
  // A task of hours: its replay cannot end.
  folder.Write(
      "long.json",
      R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 0, "dur": 1e10, "pid": 1, "tid": 1}]})");
  ASSERT_EQ(Tool({"record", "--import", "long.json", "-o", "long.graph", "-q"}, folder).code, 0);
  Process process(
      SchedbenchCommand({"whatif", "long.graph", "--workers", "1"}),
      {.folder = folder.Path(), .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError("replaying here"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_NE(process.Error().find("a replay with 1 worker did not finish: there is no prediction"),
            std::string::npos)
      << process.Error();
}

}  // namespace

}  // namespace schedbench::tests::whatif_test
