#include "harness/agent/message.hpp"

#include "harness/agent/agreement.hpp"
#include "record/record.hpp"
#include "tests/harness/agent/message_records.hpp"

#include <boost/pfr/tuple_size.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace schedbench::harness::message_test {

namespace {

// What ParseRequest or ParseReply says of a line.
template <typename Parse>
std::string ComplaintOf(Parse parse, const std::string& line) {
  try {
    parse(line);
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "";
}

template <typename Message>
void ExpectAKeyForEachMember() {
  const record::Record& record = record::RecordFor<Message>();
  EXPECT_EQ(record.Keys().size(), boost::pfr::tuple_size_v<Message>) << record.Name();
}

template <typename... Messages>
void ExpectAKeyForEachMember(const std::variant<Messages...>& /*any*/) {
  (ExpectAKeyForEachMember<Messages>(), ...);
}

TEST(AgentMessage, HasAKeyForEachMember) {
  ExpectAKeyForEachMember(AgentRequest());
  ExpectAKeyForEachMember(AgentReply());
  ExpectAKeyForEachMember<AgentMachine>();
}

TEST(AgentRequest, IsReadAsItWasWritten) {
  const OpenRequest open{.scheduler = "fast",
                         .config = R"({"workers":2})",
                         .workload = "pingpong",
                         .parameters = R"({"pairs":8,"hint":"next"})",
                         .seed = std::numeric_limits<std::uint64_t>::max(),
                         .timeout = std::chrono::seconds(60)};
  const std::string line = ToLine(AgentRequest(open));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = std::get<OpenRequest>(ParseRequest(line));
  EXPECT_EQ(read.scheduler, open.scheduler);
  EXPECT_EQ(read.config, open.config);
  EXPECT_EQ(read.workload, open.workload);
  EXPECT_EQ(read.parameters, open.parameters);
  EXPECT_EQ(read.seed, open.seed);
  EXPECT_EQ(read.timeout, open.timeout);
  EXPECT_EQ(std::get<HelloRequest>(ParseRequest(ToLine(HelloRequest{}))).protocol, kAgentProtocol);
  EXPECT_EQ(std::get<RoundRequest>(ParseRequest(ToLine(RoundRequest{"round 3"}))).name, "round 3");
  EXPECT_TRUE(std::holds_alternative<CloseRequest>(ParseRequest(ToLine(CloseRequest{}))));
}

TEST(AgentMessage, IsRefusedIfItNestsTooDeeply) {
  const std::string deep = R"({"a":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  for (const char* const key : {"config", "files", "parameters"}) {
    const std::string line =
        R"({"request":"open","scheduler":"fast","workload":"yield","seed":1,"timeout_ns":1,")" +
        std::string(key) + R"(":)" + deep + "}";
    EXPECT_TRUE(ComplaintOf(ParseRequest, line).starts_with("more than 65 nested levels")) << key;
  }
  const std::string hello = R"({"reply":"hello","machine":)" + deep + "}";
  EXPECT_TRUE(ComplaintOf(ParseReply, hello).starts_with("more than 65 nested levels"));
}

TEST(AgentRequest, MayHaveAConfigThatNestsAsDeeplyAsAConfigFile) {
  const std::string config = R"({"a":)" + std::string(63, '[') + std::string(63, ']') + "}";
  const OpenRequest open{.scheduler = "fast", .config = config, .workload = "yield"};
  EXPECT_EQ(std::get<OpenRequest>(ParseRequest(ToLine(AgentRequest(open)))).config, config);
}

TEST(AgentRequest, OfALoadIsReadAsItWasWritten) {
  OpenRequest open{.scheduler = "fast", .workload = "echo_open", .seed = 7};
  EXPECT_EQ(ToLine(AgentRequest(open)).find("half"), std::string::npos)
      << "agents that have no halves refuse unknown keys";
  open.half = "clients";
  open.address = "box:7000";
  const auto read = std::get<OpenRequest>(ParseRequest(ToLine(AgentRequest(open))));
  EXPECT_EQ(read.half, "clients");
  EXPECT_EQ(read.address, "box:7000");
  const RoundRequest round{.name = "the load", .start_ns = 5, .end_ns = 9};
  const auto read_round = std::get<RoundRequest>(ParseRequest(ToLine(AgentRequest(round))));
  EXPECT_EQ(read_round.start_ns, 5U);
  EXPECT_EQ(read_round.end_ns, 9U);
  EXPECT_TRUE(std::holds_alternative<ClockRequest>(ParseRequest(ToLine(ClockRequest{}))));
  const LatenciesRequest latencies{.of = "delay", .from = 500'000};
  const auto read_latencies =
      std::get<LatenciesRequest>(ParseRequest(ToLine(AgentRequest(latencies))));
  EXPECT_EQ(read_latencies.of, "delay");
  EXPECT_EQ(read_latencies.from, 500'000U);
  EXPECT_EQ(std::get<ClockReply>(ParseReply(ToLine(AgentReply(ClockReply{.now_ns = 3})))).now_ns,
            3U);
}

TEST(AgentRequest, OfALoadIsRefusedWithTheKeyThatIsWrong) {
  EXPECT_EQ(ComplaintOf(&ParseRequest, R"({"request":"latencies","of":"all"})"),
            "request latencies: /of: \"all\" is not one of latency, delay");
  EXPECT_EQ(ComplaintOf(&ParseRequest,
                        R"({"request":"open","scheduler":"a","workload":"b","seed":1,"half":"x"})"),
            "request open: /half: \"x\" is not one of server, clients");
  const std::string reply =
      R"({"reply":"latencies","total":2,"unanswered":0,"span_ns":1,"differences":)";
  EXPECT_EQ(
      ComplaintOf(&ParseReply, reply + "[1,-1]}"),
      "reply latencies: /differences/1: -1 is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(ComplaintOf(&ParseReply, reply + "[18446744073709551615,1]}"),
            "reply latencies: /differences: the sum of the elements is too large");
}

TEST(AgentRequest, MayLeaveOutWhatHasADefault) {
  const auto open = std::get<OpenRequest>(
      ParseRequest(R"({"request":"open","scheduler":"a","workload":"b","seed":1})"));
  EXPECT_EQ(open.config, "{}");
  EXPECT_EQ(open.parameters, "{}");
  EXPECT_EQ(open.timeout.count(), 0);
}

TEST(AgentRequest, IsRefusedWithTheLocationThatIsWrong) {
  const auto complaint = [](const std::string& line) { return ComplaintOf(&ParseRequest, line); };
  EXPECT_EQ(complaint("{\"request\""), "not a JSON object: '{\"request\"'");
  EXPECT_EQ(complaint("[1]"), "not a JSON object: '[1]'");
  EXPECT_EQ(complaint("{}"), "request: \"request\" is missing");
  EXPECT_EQ(complaint(R"({"request":"rounds"})"),
            "unknown request 'rounds'; did you mean 'round'?");
  EXPECT_EQ(complaint(R"({"request":"hello"})"), "request hello: /protocol: is missing");
  EXPECT_EQ(complaint(R"({"request":"open","scheduler":1})"),
            "request open: /scheduler: 1 is not a string");
  EXPECT_EQ(complaint(R"({"request":"open","scheduler":"a","workload":"b","seed":-1})"),
            "request open: /seed: -1 is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(complaint(R"({"request":"open","scheduler":"a","workload":"b","config":[]})"),
            "request open: /config: an array is not an object");
  EXPECT_EQ(
      complaint(R"({"request":"open","scheduler":"a","workload":"b","seed":1,"timeout_ns":1e30})"),
      "request open: /timeout_ns: 1e+30 is not a whole number from 0 to 9223372036854775807");
}

TEST(AgentRequest, HasNoKeyWithoutEffect) {
  EXPECT_EQ(ComplaintOf(&ParseRequest, R"({"request":"round","nam":"x"})"),
            "request round: /nam: unknown key; did you mean 'name'?");
}

TEST(AgentReply, IsReadAsItWasWritten) {
  const auto hello =
      std::get<HelloReply>(ParseReply(ToLine(HelloReply{.runtime = "go",
                                                        .version = "1",
                                                        .tasks = "goroutines",
                                                        .schedulers = {"go"},
                                                        .workloads = {"fib", "yield"}})));
  EXPECT_EQ(hello.revision, "");
  EXPECT_FALSE(hello.machine);
  EXPECT_EQ(hello.runtime, "go");
  EXPECT_EQ(hello.tasks, "goroutines");
  EXPECT_EQ(hello.workloads, (std::vector<std::string>{"fib", "yield"}));

  const auto ours = std::get<HelloReply>(
      ParseReply(ToLine(HelloReply{.tasks = "fibers",
                                   .schedulers = {"fast"},
                                   .workloads = {"yield"},
                                   .revision = "abc",
                                   .machine = AgentMachine{.host = "box",
                                                           .cpu_model = "CPU",
                                                           .cpus = 8,
                                                           .kernel = "Linux",
                                                           .findings = {"warn turbo: it is on"},
                                                           .id = "42"}})));
  EXPECT_EQ(ours.revision, "abc");
  EXPECT_EQ(ours.build, "");
  ASSERT_TRUE(ours.machine);
  EXPECT_EQ(ours.machine->id, "42");
  EXPECT_EQ(ours.machine->host, "box");
  EXPECT_EQ(ours.machine->cpu_model, "CPU");
  EXPECT_EQ(ours.machine->cpus, 8U);
  EXPECT_EQ(ours.machine->kernel, "Linux");
  EXPECT_EQ(ours.machine->findings, (std::vector<std::string>{"warn turbo: it is on"}));

  const auto open = std::get<OpenReply>(
      ParseReply(ToLine(OpenReply{.config = R"({"a":1})",
                                  .operation = "round trip",
                                  .workers = 2,
                                  .files = {{"g.graph", "0a"}, {"none", ""}}})));
  EXPECT_EQ(open.files,
            (std::vector<std::pair<std::string, std::string>>{{"g.graph", "0a"}, {"none", ""}}));
  EXPECT_EQ(open.config, R"({"a":1})");
  EXPECT_EQ(open.parameters, "{}");
  EXPECT_EQ(open.operation, "round trip");
  EXPECT_EQ(open.workers, 2U);

  const RoundReply sent{.wall_ns = 1,
                        .cpu_ns = 2,
                        .operations = 3,
                        .peak_rss_bytes = 4,
                        .metrics = {{"wakeup_p50", 0.5}, {"wakeup_p99", std::nullopt}},
                        .counts = {{"steals", 7}}};
  const auto round = std::get<RoundReply>(ParseReply(ToLine(sent)));
  EXPECT_EQ(round.wall_ns, 1U);
  EXPECT_EQ(round.cpu_ns, 2U);
  EXPECT_EQ(round.operations, 3U);
  EXPECT_EQ(round.peak_rss_bytes, 4U);
  EXPECT_EQ(round.metrics, sent.metrics);
  EXPECT_EQ(round.counts, sent.counts);
  EXPECT_TRUE(std::holds_alternative<CloseReply>(ParseReply(ToLine(CloseReply{}))));
}

TEST(AgentReply, ReportsEachKindOfError) {
  using Kind = ErrorReply::Kind;
  for (const Kind kind : {Kind::kUnsupported, Kind::kInput, Kind::kLimit, Kind::kFailed}) {
    const auto error = std::get<ErrorReply>(
        ParseReply(ToLine(ErrorReply{.kind = kind, .message = "m", .details = {"a", "b"}})));
    EXPECT_EQ(error.kind, kind);
    EXPECT_EQ(error.message, "m");
    EXPECT_EQ(error.details, (std::vector<std::string>{"a", "b"}));
  }
}

TEST(AgentReply, HasNoNumberThatJsonDoesNot) {
  const auto round = std::get<RoundReply>(
      ParseReply(ToLine(RoundReply{.metrics = {{"a", std::nan("")}, {"b", INFINITY}}})));
  EXPECT_FALSE(round.metrics[0].second.has_value());
  EXPECT_FALSE(round.metrics[1].second.has_value());
}

TEST(AgentReply, MayContainUnknownFields) {
  EXPECT_TRUE(std::holds_alternative<CloseReply>(ParseReply(R"({"reply":"close","mood":"good"})")));
}

TEST(AgentReply, IsRefusedWithTheLocationThatIsWrong) {
  const auto complaint = [](const std::string& line) { return ComplaintOf(&ParseReply, line); };
  EXPECT_EQ(complaint("hello"), "not a JSON object: 'hello'");
  EXPECT_EQ(complaint(R"({"reply":"round","wall_ns":1.5})"),
            "reply round: /wall_ns: 1.5 is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(complaint(R"({"reply":"error","kind":"bad","message":""})"),
            "reply error: /kind: \"bad\" is not one of unsupported, input, limit, failed");
  EXPECT_EQ(complaint(R"({"reply":"hello","protocol":1,"runtime":"x","version":"y","tasks":"z",)"
                      R"("schedulers":"fast"})"),
            "reply hello: /schedulers: \"fast\" is not an array");
  EXPECT_EQ(complaint(R"({"reply":"hello","protocol":1,"runtime":"x","version":"y","tasks":"z",)"
                      R"("schedulers":["fast"],"workloads":["x"],"machine":{"cpus":"8"}})"),
            "reply hello: /machine/cpus: \"8\" is not a whole number from 0 to 4294967295");
  EXPECT_EQ(complaint(R"({"reply":"round","wall_ns":1,"cpu_ns":1,"operations":1,)"
                      R"("peak_rss_bytes":1,"figures":{"a":"fast"}})"),
            "reply round: /figures/a: \"fast\" is not a number from 0");
}

TEST(SpawnsOfAnAudit, AreNotComparedWhereTheWorkloadMayStartDifferentNumbers) {
  registry::WorkloadEntry workload{};
  EXPECT_FALSE(SpawnsVary(workload, R"({"fork":"structured"})"));
  workload.spawns_vary_with = {"fork", "structured"};
  EXPECT_TRUE(SpawnsVary(workload, R"({"n":20,"fork":"structured"})"));
  EXPECT_FALSE(SpawnsVary(workload, R"({"n":20,"fork":"spawn"})"));
  EXPECT_FALSE(SpawnsVary(workload, "{}"));
  workload.spawns_vary = true;
  EXPECT_TRUE(SpawnsVary(workload, "{}"));
}

TEST(AgentMessage, WithMoreKeysThanAMessageHasIsRefusedInsteadOfReadForMinutes) {
  std::string counts;
  for (int i = 0; i < 100'000; ++i) {
    counts += (counts.empty() ? "\"" : ",\"") + std::to_string(i) + "\":1";
  }
  EXPECT_EQ(ComplaintOf(&ParseReply, R"({"reply":"round","wall_ns":1,"cpu_ns":1,"operations":1,)"
                                     R"("peak_rss_bytes":1,"figures":{},"counts":{)" +
                                         counts + "}}"),
            "a message has more than 4096 keys");
}

TEST(AgentReply, OfHelloWithoutASchedulerOrAWorkloadIsRefused) {
  const std::string start =
      R"({"reply":"hello","protocol":1,"runtime":"r","version":"1","tasks":"t",)";
  EXPECT_EQ(ComplaintOf(&ParseReply, start + R"("schedulers":[],"workloads":["yield"]})"),
            "reply hello: /schedulers: is empty");
  EXPECT_EQ(ComplaintOf(&ParseReply, start + R"("schedulers":["fast"],"workloads":[]})"),
            "reply hello: /workloads: is empty");
}

}  // namespace

}  // namespace schedbench::harness::message_test
