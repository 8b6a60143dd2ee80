#include "harness/agent/client.hpp"
#include "platform/files/file.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

// `schedbench agent`, asked as compare asks it.

namespace schedbench::tests::agent_test {

namespace {

using namespace harness;

constexpr std::chrono::minutes kLimit{2};

class AgentTest : public testing::Test {
 protected:
  AgentTest() {
    platform::IgnoreWriteSignals();
  }

  static AgentClient Agent(const std::string& program = SCHEDBENCH_BINARY) {
    return AgentClient({program, "agent"});
  }

  static OpenRequest Opening(const std::string& workload, const std::string& parameters = "{}") {
    return {.scheduler = "fast",
            .config = R"({"workers":2})",
            .workload = workload,
            .parameters = parameters,
            .seed = 1,
            .timeout = std::chrono::seconds(60)};
  }

  // A request that is refused. Returns the reply.
  static ErrorReply Refused(AgentClient& agent, const AgentRequest& request) {
    const AgentReply reply = agent.Exchange(ToLine(request), kLimit);
    const auto* const error = std::get_if<ErrorReply>(&reply);
    return error == nullptr ? ErrorReply{.message = "no error"} : *error;
  }
};

TEST_F(AgentTest, NamesAllSchedulersAndWorkloadsOfTheTool) {
  AgentClient agent = Agent();
  const auto hello = agent.Ask<HelloReply>(HelloRequest{}, kLimit);
  EXPECT_EQ(hello.runtime, "schedbench");
  EXPECT_NE(std::ranges::find(hello.schedulers, "global_fifo"), hello.schedulers.end());
  EXPECT_NE(std::ranges::find(hello.workloads, "skynet"), hello.workloads.end());
}

TEST_F(AgentTest, ReportsTheWholeConfigAndAllParametersThatItMeasuresWith) {
  AgentClient agent = Agent();
  const auto open = agent.Ask<OpenReply>(Opening("pingpong", R"({"pairs":3})"), kLimit);
  EXPECT_EQ(open.operation, "round trip");
  EXPECT_EQ(open.workers, 2U);
  EXPECT_NE(open.config.find("\"lifo_limit\":"), std::string::npos);
  EXPECT_NE(open.parameters.find("\"pairs\":3"), std::string::npos);
  EXPECT_NE(open.parameters.find("\"rounds\":10000"), std::string::npos);
}

TEST_F(AgentTest, MeasuresEachRoundByItself) {
  AgentClient agent = Agent();
  agent.Ask<OpenReply>(Opening("spawn_join", R"({"tasks":500})"), kLimit);
  for (int i = 0; i < 3; ++i) {
    const auto round = agent.Ask<RoundReply>(RoundRequest{"a round"}, kLimit);
    EXPECT_EQ(round.operations, 500U);
    EXPECT_GT(round.wall_ns, 0U);
    EXPECT_GT(round.cpu_ns, 0U);
    EXPECT_GT(round.peak_rss_bytes, 0U);
    const auto count = std::ranges::find(round.counts, "external_submissions", &NamedCount::first);
    ASSERT_NE(count, round.counts.end());
    EXPECT_EQ(count->second, 1U) << "of this round alone";
    EXPECT_NE(std::ranges::find(round.metrics, "wakeup_p99", &NamedMetric::first),
              round.metrics.end());
  }
}

TEST_F(AgentTest, OpensOneThingAfterTheOther) {
  AgentClient agent = Agent();
  for (const char* const workload : {"yield", "fib", "yield"}) {
    const std::string parameters =
        workload == std::string("fib") ? R"({"n":8})" : R"({"fibers":4,"yields":5})";
    agent.Ask<OpenReply>(Opening(workload, parameters), kLimit);
    EXPECT_EQ(agent.Ask<RoundReply>(RoundRequest{"a round"}, kLimit).operations,
              workload == std::string("fib") ? 33U : 20U);
    agent.Ask<CloseReply>(CloseRequest{}, kLimit);
  }
  EXPECT_EQ(agent.Finish(kLimit).Text(), "exit code 0");
}

TEST_F(AgentTest, RefusesAllThatIsWrongWithASettingAndContinues) {
  AgentClient agent = Agent();
  OpenRequest open = Opening("yield", R"({"fibers":0,"yeilds":1})");
  open.config = R"({"workers":"many"})";
  const ErrorReply error = Refused(agent, open);
  EXPECT_EQ(error.kind, ErrorReply::Kind::kInput);
  ASSERT_EQ(error.details.size(), 3U) << error.message;
  EXPECT_NE(error.details[0].find("config"), std::string::npos) << error.details[0];
  EXPECT_NE(error.details[1].find("0 is outside"), std::string::npos) << error.details[1];
  EXPECT_NE(error.details[2].find("did you mean 'yields'?"), std::string::npos) << error.details[2];
  agent.Ask<OpenReply>(Opening("yield"), kLimit);
}

TEST_F(AgentTest, SaysWhatIsNotThere) {
  AgentClient agent = Agent();
  OpenRequest open = Opening("yeild");
  EXPECT_EQ(Refused(agent, open).message, "unknown workload 'yeild'; did you mean 'yield'?");
  open = Opening("yield");
  open.scheduler = "fats";
  const ErrorReply error = Refused(agent, open);
  EXPECT_EQ(error.kind, ErrorReply::Kind::kUnsupported);
  EXPECT_EQ(error.message, "unknown scheduler 'fats'; did you mean 'fast'?");
}

TEST_F(AgentTest, SaysThatTheMachineRefuses) {
  AgentClient agent = Agent();
  const ErrorReply error = Refused(agent, Opening("million", R"({"fibers":100000000})"));
  EXPECT_EQ(error.kind, ErrorReply::Kind::kLimit);
  EXPECT_NE(error.message.find("of RAM"), std::string::npos) << error.message;
  agent.Ask<HelloReply>(HelloRequest{}, kLimit);
}

TEST_F(AgentTest, EndsWithItsInputWhateverIsOpen) {
  AgentClient idle = Agent();
  EXPECT_EQ(idle.Finish(kLimit).Text(), "exit code 0");
  AgentClient open = Agent();
  open.Ask<OpenReply>(Opening("yield"), kLimit);
  EXPECT_EQ(open.Finish(kLimit).Text(), "exit code 0");
}

TEST_F(AgentTest, ReportsAWrongAnswerAndEndsWithCode4) {
  AgentClient agent = Agent(FAULTY_TOOL);
  agent.Ask<OpenReply>(Opening("wrong_answer", R"({"in_round":2})"), kLimit);
  agent.Ask<RoundReply>(RoundRequest{"round 1"}, kLimit);
  const ErrorReply error = Refused(agent, RoundRequest{"round 2"});
  EXPECT_EQ(error.kind, ErrorReply::Kind::kFailed);
  EXPECT_EQ(error.message, "wrong_answer: wrong answer in round 2: 2 + 2 gave 5");
  EXPECT_EQ(agent.Finish(kLimit).Text(), "exit code 4");
}

TEST_F(AgentTest, EndsWithCode4AlsoWhenNothingReadsOfTheWrongAnswer) {
  const ScratchFolder folder;
  // The reader ends after the first reply, before the round is asked for.
  const Finished run =
      Execute({"sh", "-c",
               "mkfifo in out; $T agent < in > out & exec 3> in 4< out; echo \"$OPEN\" >&3; "
               "read -r reply <&4; exec 4<&-; echo \"$ROUND\" >&3; wait $!"},
              {.folder = folder.Path(),
               .environment = {{"T", FAULTY_TOOL},
                               {"OPEN", ToLine(Opening("wrong_answer", R"({"in_round":1})"))},
                               {"ROUND", ToLine(RoundRequest{"round 1"})}}});
  EXPECT_EQ(run.code, 4) << run.error;
}

TEST_F(AgentTest, ExplainsAHangAndEndsWithCode4) {
  AgentClient agent = Agent(HANG_TOOL);
  OpenRequest open = Opening("two_mutexes");
  open.timeout = std::chrono::milliseconds(200);
  agent.Ask<OpenReply>(open, kLimit);
  agent.Ask<RoundReply>(RoundRequest{"round 1"}, kLimit);  // the second one hangs
  const ErrorReply error = Refused(agent, RoundRequest{"round 2"});
  EXPECT_EQ(error.kind, ErrorReply::Kind::kFailed);
  EXPECT_EQ(error.message.find("DEADLOCK in round 2"), 0U) << error.message;
  EXPECT_FALSE(error.details.empty());
  EXPECT_EQ(agent.Finish(kLimit).Text(), "exit code 4");
}

TEST_F(AgentTest, DoesNotCountTheTimeBetweenRequestsAsAHang) {
  AgentClient agent = Agent();
  OpenRequest open = Opening("yield", R"({"fibers":1,"yields":1})");
  open.timeout = std::chrono::milliseconds(200);
  agent.Ask<OpenReply>(open, kLimit);
  // What is tested: no request lasts longer than that.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  agent.Ask<RoundReply>(RoundRequest{"a round"}, kLimit);
}

TEST_F(AgentTest, IsLostWithItsLastWordsWhenItCrashes) {
  AgentClient agent = Agent(CRASH_TOOL);
  agent.Ask<OpenReply>(Opening("read_null"), kLimit);
  try {
    agent.Ask<RoundReply>(RoundRequest{"round 1"}, kLimit);
    FAIL();
  } catch (const AgentLost& lost) {
    EXPECT_EQ(std::string(lost.what()).find("the agent ended before it answered ("), 0U)
        << lost.what();
    EXPECT_NE(std::string(lost.what()).find("; last line of its stderr: "), std::string::npos)
        << lost.what();
  }
}

TEST_F(AgentTest, IsLostWhenItDoesNotAnswerInTime) {
  AgentClient agent({"sleep", "1000"});
  try {
    agent.Ask<HelloReply>(HelloRequest{}, std::chrono::milliseconds(20));
    FAIL();
  } catch (const AgentLost& lost) {
    EXPECT_EQ(std::string(lost.what()).find("the agent did not answer within 0.0 s (signal 9"), 0U)
        << lost.what();
  }
}

TEST_F(AgentTest, IsLostWhenThereIsNoSuchProgram) {
  EXPECT_THROW(AgentClient({"/no/such/agent"}), AgentLost);
}

}  // namespace

}  // namespace schedbench::tests::agent_test
