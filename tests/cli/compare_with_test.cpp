// compare with foreign runtimes. The one here is a shell script that keeps the protocol and
// measures nothing.
#include "tests/cli/process.hpp"
#include "tests/cli/script_agent.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::tests::compare_with_test {

namespace {

using nlohmann::json;

class CompareWith : public testing::Test {
 protected:
  // Puts the script where the tool looks for the peer "go".
  void Install(const ScriptAnswers& answers = {}) const {
    WriteScriptAgent(folder_, "go", answers);
  }

  Finished Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return Schedbench(std::move(arguments),
                      {.folder = "", .environment = {{"SCHEDBENCH_PEERS", folder_.Path()}}});
  }

  std::string Program() const {
    return folder_.Path() + "/go";
  }

  // Its one workload, as small as the script says.
  Finished RunYield(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"-w", "yield:fibers=10,yields=20", "-b", "2", "-n", "1"});
    return Run(std::move(arguments));
  }

  const ScratchFolder folder_;
};

void ExpectIn(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(CompareWith, MeasuresAForeignRuntimeNextToFastAndSaysWhatItIs) {
  Install();
  const Finished run = RunYield({"--with", "go"});
  EXPECT_EQ(run.code, 0) << run.error;
  ExpectIn(run.out, {"go against fast\n", "  runtime go: imaginary 7, wishes\n", "  200 k ops/s",
                     "  work 10 spawns, all the same\n", "  work 210 switches, all the same\n"});
}

TEST_F(CompareWith, ComparesWithTheFirstAlternativeOfTheCommandLine) {
  Install();
  EXPECT_NE(RunYield({"fast", "--with", "go"}).out.find("go against fast\n"), std::string::npos);
  EXPECT_NE(RunYield({"--with", "go", "fast"}).out.find("fast against go\n"), std::string::npos);
  EXPECT_NE(RunYield({"fast", "--with", "mine='" + Program() + "' agent"})
                .out.find("mine against fast\n"),
            std::string::npos);
}

TEST_F(CompareWith, MeasuresOneSchedulerOfAnAgentUnlessItIsAskedForAll) {
  ScriptAnswers answers;
  answers.schedulers = R"("slow","fast")";
  WriteScriptAgent(folder_, "mine", answers);
  const std::string command = folder_.Path() + "/mine";
  const Finished one = RunYield({"--with", "mine=" + command, "-f", "json"});
  ASSERT_EQ(one.code, 0) << one.error;
  EXPECT_EQ(json::parse(one.out)["alternatives"].size(), 2U);
  EXPECT_EQ(json::parse(one.out)["alternatives"][1]["scheduler"], "fast");
  ExpectIn(RunYield({"--with", "mine=" + command}).out,
           {"mine has 2 schedulers, and fast is measured", "--with 'mine/*=COMMAND'"});
  const Finished all = RunYield({"--with", "mine/*=" + command, "-f", "json"});
  EXPECT_EQ(json::parse(all.out)["alternatives"].size(), 3U) << all.error;
}

TEST_F(CompareWith, NamesAndConfiguresForeignRuntimes) {
  Install();
  const Finished run =
      RunYield({"--with", "small=go:gc_percent=50,x=off,big=go:gc_percent=400,go", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json alternatives = json::parse(run.out)["alternatives"];
  ASSERT_EQ(alternatives.size(), 4U);
  EXPECT_EQ(alternatives[1]["name"], "small");
  EXPECT_EQ(alternatives[1]["config"], json({{"gc_percent", 50}, {"x", "off"}}));
  EXPECT_EQ(alternatives[2]["name"], "big");
  EXPECT_EQ(alternatives[2]["config"], json({{"gc_percent", 400}}));
  EXPECT_EQ(alternatives[3]["name"], "go");
  const Finished unknown = RunYield({"--with", "go:gc_percent"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.error.find("expected PEER:KEY=VALUE or NAME=COMMAND"), std::string::npos)
      << unknown.error;
}

TEST_F(CompareWith, LeavesOutMetricsThatAnAgentDoesNotReport) {
  Install();
  const Finished run = RunYield({"--with", "go", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  for (const json& row : result["rows"]) {
    if (row["alternative"] == "go" && row["metric"] == "wakeup_p50") {
      EXPECT_EQ(row["reason"], "not reported");
    }
  }
  EXPECT_EQ(RunYield({"--with", "go"}).out.find("not reported"), std::string::npos);
}

TEST_F(CompareWith, TakesAnAgentOfTheUsersByItsCommand) {
  Install();
  const Finished run = RunYield({"global_fifo", "--with", "mine=" + Program() + " --anything"});
  EXPECT_EQ(run.code, 0) << run.error;
  ExpectIn(run.out, {"mine against global_fifo\n", "  runtime mine: imaginary 7, wishes\n"});
}

// The agent starts a process in a session of its own, and stays its parent or does not.
TEST_F(CompareWith, StartsItsAgentsInBothOrders) {
  Install();
  const auto agent = [&](const std::string& name) {
    return name + "=sh -c 'echo " + name + " >> " + folder_.Path() + "/starts; exec " + Program() +
           "'";
  };
  constexpr std::size_t kBlocks = 8;
  const Finished run =
      Run({"--with", agent("a"), "--with", agent("b"), "-w", "yield:fibers=10,yields=20", "-b",
           std::to_string(kBlocks), "-n", "1", "--seed", "1", "-q"});
  ASSERT_EQ(run.code, 0) << run.error;
  std::istringstream lines(folder_.Read("starts"));
  std::vector<std::string> starts;
  for (std::string line; std::getline(lines, line);) {
    starts.push_back(line);
  }
  ASSERT_GE(starts.size(), 2 * kBlocks);
  std::set<std::string> first;  // of each block; the plan has started the agents before
  for (std::size_t i = starts.size() - 2 * kBlocks; i < starts.size(); i += 2) {
    EXPECT_NE(starts[i], starts[i + 1]);
    first.insert(starts[i]);
  }
  EXPECT_EQ(first, (std::set<std::string>{"a", "b"}));
}

TEST_F(CompareWith, LeavesNothingBehindThatAnAgentStarted) {
  const std::string pids = folder_.Path() + "/pids";
  for (const std::string& start :
       {"setsid sleep 1000 & echo $! >>'" + pids + "'",
        "(setsid sh -c 'echo $$ >>\"" + pids + "\"; exec sleep 1000' &)"}) {
    for (const bool is_interrupted : {false, true}) {
      ScriptAnswers answers;
      answers.seconds = is_interrupted ? "600" : "0.1";
      const std::string script = ScriptOf(answers);
      folder_.Write("mine", script.substr(0, script.find('\n') + 1) + "n=$(wc -l <'" + pids +
                                "'); " + start + "\nuntil [ $(wc -l <'" + pids +
                                "') -gt $n ]; do sleep 0.01; done\n" + script);
      std::filesystem::permissions(folder_.Path() + "/mine", std::filesystem::perms::owner_all);
      folder_.Write("pids", "");
      Process process(
          SchedbenchCommand({"compare", "fast", "--with", "mine=" + folder_.Path() + "/mine", "-w",
                             "yield:fibers=10,yields=20", "-b", "1", "-n", "1"}));
      if (is_interrupted) {
        // One process is of the agent that answered hello.
        while (std::ranges::count(folder_.Read("pids"), '\n') < 2) {
          std::this_thread::yield();
        }
        process.Signal(SIGINT);
      }
      EXPECT_EQ(process.Finish(), is_interrupted ? 130 : 0) << process.Error();
      std::istringstream started(folder_.Read("pids"));
      int count = 0;
      for (pid_t pid = 0; started >> pid; ++count) {
        EXPECT_EQ(::kill(pid, 0), -1) << start;
      }
      EXPECT_EQ(count, 2);
    }
  }
}

TEST_F(CompareWith, RefusesAnAgentOfAnotherProtocolBeforeItMeasures) {
  const Finished run = RunYield(
      {"--with",
       R"(mine=sh -c 'read line; echo "{\"reply\":\"hello\",\"protocol\":7,\"runtime\":\"r\",\"version\":\"1\",)"
       R"(\"tasks\":\"t\",\"schedulers\":[\"a\"],\"workloads\":[\"yield\"]}"')"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: --with mine   the agent speaks protocol 7, not 1\n");
}

TEST_F(CompareWith, ReadsACommandAsAShellDoes) {
  WriteScriptAgent(folder_, "my agent", {});
  const Finished run = RunYield({"--with", "mine='" + folder_.Path() + "/my agent' \"a word\""});
  EXPECT_EQ(run.code, 0) << run.error;
  ExpectIn(run.out, {"  runtime mine: imaginary 7, wishes\n"});
  const Finished empty = RunYield({"--with", "mine=''"});
  EXPECT_EQ(empty.code, 2);
  ExpectIn(empty.error, {"--with mine=''   expected NAME=COMMAND or NAME/SCHEDULER=COMMAND"});
  const Finished piped = RunYield({"--with", "mine=a | b"});
  EXPECT_EQ(piped.code, 2);
  ExpectIn(piped.error, {"--with mine=a | b   the command needs a shell    sh -c '...'\n"});
}

// As of a build of a former revision.
TEST_F(CompareWith, TakesOneSchedulerOfAnAgentOrAllUnderItsName) {
  const std::string command = std::string("='") + SCHEDBENCH_BINARY + "' agent";
  const Finished one = RunYield({"--with", "old/fast" + command, "-v"});
  EXPECT_EQ(one.code, 0) << one.error;
  ExpectIn(one.out, {"old against fast\n", " agent    fast {}\n"});
  const Finished all = RunYield({"--with", "old/*" + command, "-f", "json"});
  ASSERT_EQ(all.code, 0) << all.error;
  const json result = json::parse(all.out);
  EXPECT_EQ(result["alternatives"][1]["name"],
            "old/" + result["alternatives"][1]["scheduler"].get<std::string>());
  EXPECT_GE(result["alternatives"].size(), 10U);
  const Finished two =
      RunYield({"--with", "old/fast" + command, "--with", "old/global_fifo" + command});
  ExpectIn(two.out, {"old/fast against fast: ", "old/global_fifo against fast: "});
  const Finished none = RunYield({"--with", "old/fats" + command});
  EXPECT_EQ(none.code, 2);
  ExpectIn(none.error, {"the agent has no scheduler 'fats'; did you mean 'fast'?"});
}

TEST_F(CompareWith, DisqualifiesAnAgentWithOtherParametersOrOtherOperations) {
  Install({.parameters = R"("fibers":10,"yields":30,"front_end":"fiber")"});
  const Finished parameters = RunYield({"--with", "go"});
  EXPECT_EQ(parameters.code, 4);
  ExpectIn(parameters.out, {"DNF  go: yields is 30 instead of 20\n"});
  Install({.operations = "199"});
  const Finished operations = RunYield({"--with", "go"});
  EXPECT_EQ(operations.code, 4);
  ExpectIn(operations.out, {"DNF  go: the agent counts 199 operations in a round, but another "
                            "alternative counts 200: only equal work is compared."});
}

TEST_F(CompareWith, SaysWhereTheWorkIsMadeOfSomethingElse) {
  Install({.counts = R"("spawns":11,"switches":5)"});
  const Finished run = RunYield({"--with", "go"});
  EXPECT_EQ(run.code, 0) << run.error;
  ExpectIn(run.out,
           {"  work spawns differ: fast 10, go 11\n", "  work switches: fast 210, go 5\n"});
  EXPECT_EQ(run.out.find("inline calls"), std::string::npos) << "no fiber is called inline";
  const json result = json::parse(RunYield({"--with", "go", "-f", "json"}).out);
  const json expected = {{{"count", "spawns"}, {"must_agree", true}, {"same", false}},
                         {{"count", "inline_calls"}, {"must_agree", true}, {"same", true}},
                         {{"count", "switches"}, {"must_agree", false}, {"same", false}}};
  EXPECT_EQ(result["workloads"][0]["work"], expected);
}

TEST_F(CompareWith, LeavesOutWorkloadsThatAPeerDoesNotHave) {
  Install();
  const Finished run = RunYield({"--with", "go", "-w", "mutex:sections=5"});
  EXPECT_EQ(run.code, 0) << run.error;
  ExpectIn(run.out, {"go: the agent does not have this workload, or is too old for it    run "
                     "`make peers` in a source tree\n",
                     "\nThroughput under all workloads\n"});
}

TEST_F(CompareWith, SaysWhichPeersThereAreAndHowToBuildWhatIsMissing) {
  Install();
  const Finished run = RunYield({"--with", "gp,tokio", "--with", "=x", "--with", "mine=/no/such"});
  EXPECT_EQ(run.code, 2);
  ExpectIn(run.error,
           {"--with gp,tokio   unknown peer 'gp'; did you mean 'go'?    --with NAME=COMMAND adds "
            "your own agent\n",
            "the peer tokio is not built: there is no program ",
            "/tokio    run `make peers` in a source tree",
            "--with =x         expected NAME=COMMAND or NAME/SCHEDULER=COMMAND; no part may be "
            "empty\n"});
  for (const std::string value :
       {"gp:gc_percent=4", "go,gp:gc_percent=4", "go,x=gp:gc_percent=4"}) {
    const Finished other = RunYield({"--with", value});
    EXPECT_EQ(other.code, 2);
    ExpectIn(other.error, {"--with " + value + "   unknown peer 'gp'; did you mean 'go'?"});
  }
  const Finished described = Schedbench({"describe", "runtime", "tokoi"});
  EXPECT_EQ(described.code, 2);
  EXPECT_EQ(described.error,
            "error: describe runtime   unknown peer 'tokoi'; did you mean 'tokio'?\n");
  const Finished none = RunYield({"--with", "mine=/no/such"});
  EXPECT_EQ(none.code, 2);
  ExpectIn(none.error, {"--with mine   cannot start the agent: /no/such: No such file"});
}

TEST_F(CompareWith, ComparesChosenMetricsAlone) {
  const Finished run = RunYield({"fast", "fast", "--metric", "cpu_per_operation", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  for (const json& row : result["rows"]) {
    EXPECT_EQ(row["metric"], "cpu_per_operation");
  }
  const Finished unknown = RunYield({"fast", "fast", "--metric", "troughput"});
  EXPECT_EQ(unknown.code, 2);
  ExpectIn(unknown.error, {"; did you mean 'throughput'?"});
}

TEST_F(CompareWith, TakesSuitesForTheirWorkloads) {
  const Finished unknown = Run({"fast", "fast", "-w", "suite:peer"});
  EXPECT_EQ(unknown.code, 2);
  ExpectIn(unknown.error, {"--workload suite:peer   unknown suite 'peer'; did you mean 'peers'?"});
  ExpectIn(Schedbench({"list", "suites"}).out, {"  peers ", "  schedulers "});
  const Finished run = Run({"fast", "fast", "-w", "suite:schedulers", "-b", "1", "-n", "1",
                            "--warmup", "0", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(json::parse(run.out)["workloads"].size(), 4U);
}

TEST_F(CompareWith, WithoutAnythingComparesTheFamiliesOfSchedulersWithFastOrAll) {
  const auto count = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"-w", "yield:fibers=2,yields=2", "-b", "1", "-n", "1", "--warmup", "0",
                             "-f", "json"});
    const Finished run = Run(std::move(more));
    EXPECT_EQ(run.code, 0) << run.error;
    const json result = json::parse(run.out);
    EXPECT_EQ(result["alternatives"][0]["name"], "fast");
    return result["alternatives"].size();
  };
  EXPECT_EQ(count({}), 7U);
  EXPECT_EQ(count({"--all"}), 15U);
}

}  // namespace

}  // namespace schedbench::tests::compare_with_test
