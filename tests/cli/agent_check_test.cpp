#include "tests/cli/process.hpp"
#include "tests/cli/script_agent.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace schedbench::tests::agent_check_test {

namespace {

Finished CheckOf(std::vector<std::string> agent, const std::string& limit = "60s") {
  std::vector<std::string> arguments{"agent-check", "--timeout", limit, "--"};
  arguments.insert(arguments.end(), agent.begin(), agent.end());
  return Schedbench(arguments);
}

// An agent in a shell that answers all requests with the same line.
std::vector<std::string> Parrot(const std::string& reply) {
  return {"sh", "-c", "while read request; do echo '" + reply + "'; done"};
}

bool Has(const Finished& run, const std::string& text) {
  return run.out.find(text) != std::string::npos;
}

TEST(AgentCheck, FindsTheAgentOfEveryProgramThatIsTheToolGood) {
  // Of a program whose workloads are small; each is wrong in a round later than those that are
  // tried.
  const Finished run = CheckOf({FAULTY_TOOL, "agent"});
  EXPECT_TRUE(Has(run, "  ok    answers hello with its schedulers and workloads\n")) << run.out;
  EXPECT_TRUE(Has(run, "  ok    refuses an unknown parameter\n")) << run.out;
  EXPECT_TRUE(Has(run, "  ok    ends with exit code 0 when its input ends\n")) << run.out;
  EXPECT_TRUE(Has(run, " keeps all ")) << run.out;
  EXPECT_EQ(run.code, 0);
}

TEST(AgentCheck, SaysWhichRuleIsBrokenAndEndsWithCode4) {
  const Finished run = CheckOf(Parrot(
      R"({"reply":"hello","protocol":1,"runtime":"parrot","version":"1","tasks":"echoes","schedulers":["a"],"workloads":["b"]})"));
  EXPECT_EQ(run.code, 4);
  EXPECT_TRUE(Has(run, "  ok    answers hello with its schedulers and workloads\n")) << run.out;
  EXPECT_TRUE(Has(run, "  FAIL  refuses another protocol\n        it accepts it\n")) << run.out;
  EXPECT_TRUE(Has(
      run,
      "  FAIL  runs b on a\n        the agent answered another request: its reply is \"hello\""))
      << run.out;
  EXPECT_TRUE(Has(run, "  ok    ends with exit code 0 when its input ends\n")) << run.out;
  EXPECT_TRUE(Has(run, "parrot 1 breaks ")) << run.out;
}

// What the agent check finds wrong with the script's one workload.
std::string WrongWithYield(ScriptAnswers answers) {
  answers.wall_ns = "1";
  const ScratchFolder folder;
  const Finished run = Schedbench({"agent-check", "-w", "yield:fibers=10,yields=20", "--",
                                   WriteScriptAgent(folder, "agent", answers)});
  const std::string rule = "  FAIL  runs yield on go\n        ";
  const std::size_t begin = run.out.find(rule);
  return begin == std::string::npos
             ? ""
             : run.out.substr(begin + rule.size(),
                              run.out.find('\n', begin + rule.size()) - begin - rule.size());
}

TEST(AgentCheck, RefusesWhatCompareWouldRefuse) {
  EXPECT_EQ(WrongWithYield({}), "");
  EXPECT_EQ(WrongWithYield({.parameters = R"("fibers":10,"yields":20)"}),
            "in its reply to open, \"parameters\" has no front_end");
  EXPECT_EQ(WrongWithYield({.parameters = R"("fibers":10,"yields":30,"front_end":"fiber")"}),
            "in its reply to open, yields is 30 instead of 20");
  EXPECT_EQ(WrongWithYield({.operations = "199"}),
            "it counts 199 operations in a round, but schedbench counts 200");
  EXPECT_EQ(WrongWithYield({.counts = R"("spawns":10)"}), "");
  EXPECT_EQ(WrongWithYield({.counts = R"("spawns":15)"}),
            "it counts 15 spawns in the audit, but schedbench counts 10");
  EXPECT_EQ(
      WrongWithYield({.counts = R"("spawns":10,"spawns":11)"}),
      "the agent's answer is invalid: reply round: the key 'spawns' occurs twice in one object "
      "(exit code 0)");
}

TEST(AgentCheck, RefusesFiguresThatNothingMeasured) {
  EXPECT_EQ(WrongWithYield({.figures = R"("wakeup_p50":0,"wakeup_p99":null)"}), "");
  EXPECT_EQ(
      WrongWithYield({.figures = R"("wakeup_p99":-5)"}),
      "the agent's answer is invalid: reply round: /figures/wakeup_p99: -5 is not a number from 0 "
      "(exit code 0)");
  const std::string wrong = WrongWithYield({.seconds = "1"});
  EXPECT_TRUE(wrong.starts_with("round 1: wall_ns is 1, but the reply came after 1")) << wrong;
}

TEST(AgentCheck, FindsAnAgentThatAcceptsOnlyTheDefaultParameters) {
  const ScratchFolder folder;
  const std::string agent =
      WriteScriptAgent(folder, "agent",
                       {.parameters = R"("fibers":1000,"yields":1000,"front_end":"fiber")",
                        .operations = "1000000",
                        .wall_ns = "1",
                        .counts = ""});
  const Finished run = Schedbench({"agent-check", "--", agent});
  EXPECT_TRUE(Has(run, "  ok    runs yield on go\n")) << run.out;
  EXPECT_TRUE(
      Has(run,
          "  FAIL  opens yield with another parameter\n        in its reply to open, fibers "
          "is 1000 instead of 500\n"))
      << run.out;
}

TEST(AgentCheck, DoesNotCountARuleThatItSkipsAsKept) {
  const ScratchFolder folder;
  const std::string agent = folder.Path() + "/agent.py";
  std::string source = Execute({"cat", SCHEDBENCH_SOURCE_DIR "/examples/agent.py"}).out;
  const std::string config = R"("config": {"workers": 1})";
  const std::size_t at = source.find(config);
  ASSERT_NE(at, std::string::npos);
  source.replace(at, config.size(), R"("config": {})");
  folder.Write("agent.py", source);
  const Finished run = CheckOf({"python3", agent});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_TRUE(Has(run, "        its config has no workers\n")) << run.out;
  EXPECT_TRUE(Has(run, " rules, 1 skipped\n")) << run.out;
  EXPECT_FALSE(Has(run, "keeps all")) << run.out;
}

TEST(AgentCheck, FindsAnAgentThatDoesNotHaveAWorkloadThatWasChosen) {
  const ScratchFolder folder;
  const Finished run = Schedbench({"agent-check", "-w", "yield:fibers=10,yields=20", "-w",
                                   "fib:n=5", "--", WriteScriptAgent(folder, "agent", {})});
  EXPECT_TRUE(
      Has(run, "  FAIL  runs fib on go\n        its reply to hello does not list that workload\n"))
      << run.out;
}

TEST(AgentCheck, SkipsAWorkloadWhoseChosenParametersTheAgentRefuses) {
  const ScratchFolder folder;
  const std::string agent = WriteScriptAgent(folder, "agent", {.refusal = "not those"});
  const std::string line = "runs yield on go\n        it refuses (input): not those\n";
  const Finished chosen =
      Schedbench({"agent-check", "-w", "yield:fibers=10,yields=20", "--", agent});
  EXPECT_TRUE(Has(chosen, "  skip  " + line)) << chosen.out;
  EXPECT_TRUE(Has(Schedbench({"agent-check", "--", agent}), "  FAIL  " + line));
}

TEST(AgentCheck, GoesNoFurtherWhereNothingIsSaidOrNoAgentIs) {
  const Finished silent = CheckOf({"true"});
  EXPECT_EQ(silent.code, 4);
  EXPECT_TRUE(Has(silent, "the agent breaks 1 of 1 rules")) << silent.out;
  const Finished none = CheckOf({"/no/such/agent"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(none.error.starts_with("error: cannot start the agent: /no/such/agent: No such file"))
      << none.error;
  const Finished chatter = CheckOf(Parrot("ready"));
  EXPECT_TRUE(Has(chatter, "the agent's answer is invalid: not a JSON object: 'ready'"))
      << chatter.out;
}

TEST(AgentCheck, WantsACommand) {
  const Finished run = Schedbench({"agent-check"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error,
            "error: agent-check needs COMMAND    usage: schedbench agent-check "
            "[flags] -- "
            "COMMAND...\n");
}

}  // namespace

}  // namespace schedbench::tests::agent_check_test
