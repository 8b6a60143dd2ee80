// Generators and a server in processes, with a program in place of ssh that runs agents here.
#include "tests/cli/process.hpp"
#include "tests/cli/schema.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace schedbench::tests::load_test {

namespace {

using nlohmann::json;

// A host with a file down-HOST refuses. With a file dies-HOST, its agent is killed in the middle of
// a round and the host refuses from then on, as its guard is killed too; with a file crashes-HOST
// it is only killed. With a file cut-HOST, the connection is lost instead; with a file gone-HOST,
// that is after its agent has opened. With a file slow-HOST, it opens late. A file lies-HOST has a
// script of sed that changes what the agent replies.
constexpr const char* kSsh = R"(#!/bin/sh
for word; do host=$command; command=$word; done
echo "$host" >> hosts
if [ -e "down-$host" ]; then
  echo "ssh: connect to host $host port 22: Connection refused" >&2
  exit 255
fi
for how in dies crashes cut gone slow; do
  if [ -e "$how-$host" ]; then
    mkfifo "in-$host-$$" 2>/dev/null
    setsid sh -c "$command" < "in-$host-$$" &
    agent=$!
    exec 3> "in-$host-$$"
    while read -r line; do
      case $how$line in
        slow*'"open"'*) sleep 2 ;;
      esac
      printf '%s\n' "$line" >&3
      case $how$line in
        dies*'"round"'* | crashes*'"round"'* | cut*'"round"'* | gone*'"open"'*)
          sleep 0.7
          if [ $how = dies ]; then touch "down-$host"; fi
          child=$(cat /proc/$agent/task/$agent/children)
          if [ $how != crashes ]; then kill -9 $agent; fi
          kill -9 $child
          exec 3>&-
          wait $agent
          status=$?
          if [ $how = crashes ]; then exit $status; fi
          exit 255 ;;
      esac
    done
    exec 3>&-
    wait $agent
    exit
  fi
done
if [ -e "lies-$host" ]; then
  sh -c "$command" | sed -u -f "lies-$host"
  exit
fi
exec sh -c "$command"
)";

class Load : public testing::Test {
 protected:
  Load() {
    folder_.Write("ssh", kSsh);
    std::filesystem::permissions(Path("ssh"), std::filesystem::perms::owner_all);
  }

  std::string Path(const std::string& name) const {
    return folder_.Path() + "/" + name;
  }

  Finished Run(std::vector<std::string> words, const std::string& format = "json") {
    std::vector<std::string> all{"load",   "--rate", "1000", "--duration", "500ms",
                                 "--seed", "1",      "-q",   "-f",         format};
    all.insert(all.end(), words.begin(), words.end());
    return Schedbench(std::move(all),
                      {.folder = folder_.Path(), .environment = {{"SCHEDBENCH_SSH", Path("ssh")}}});
  }

  // The result of a run that ends with this code, which follows its schema.
  json Result(const std::vector<std::string>& words, int code) {
    const Finished run = Run(words);
    EXPECT_EQ(run.code, code) << run.error << run.out;
    folder_.Write("result.json", run.out);
    EXPECT_EQ(WhyInvalid(folder_, {"result.json", "load"}), "");
    return json::parse(run.out, nullptr, false);
  }

  const ScratchFolder folder_;
};

// On one machine, whatever the names of the hosts.
const std::vector<std::string> kTwoHosts{"--host", "a,b", "--address", "127.0.0.1"};

TEST_F(Load, TwoGeneratorsOnTwoHostsDriveAServerHere) {
  const json result = Result(kTwoHosts, 0);
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["servers"][0]["measured_on"], "local");
  EXPECT_EQ(result["servers"][0]["round"]["operations"], 500);
  EXPECT_GT(result["servers"][0]["cpu_ns"], 0);
  EXPECT_LE(result["servers"][0]["cpu_ns"], result["servers"][0]["round"]["cpu_ns"]);
  EXPECT_EQ(result["all"]["requests"], 500);
  EXPECT_EQ(result["all"]["unanswered"], 0);
  EXPECT_EQ(result["all"]["asked_per_s"], 1000.0);
  EXPECT_GT(result["all"]["latency_ns"]["p99"], 0);
  EXPECT_EQ(result["all"]["latency_ns"]["p99_9"], nullptr) << "500 requests are too few";
  ASSERT_EQ(result["generators"].size(), 2U);
  double max = 0;
  for (const json& generator : result["generators"]) {
    EXPECT_EQ(generator["hole"], false);
    EXPECT_EQ(generator["summary"]["requests"], 250);
    max = std::max(max, generator["summary"]["latency_ns"]["max"].get<double>());
  }
  EXPECT_EQ(result["all"]["latency_ns"]["max"], max);
  ASSERT_EQ(result["places"].size(), 3U);
  EXPECT_EQ(result["places"][0]["name"], "a");
  EXPECT_EQ(result["places"][2]["name"], "local");
  EXPECT_TRUE(result["places"][2]["findings"].is_array());
}

TEST_F(Load, TheOffsetOfTheSameClockIsZeroWithinItsBound) {
  const json result = Result(kTwoHosts, 0);
  std::vector<json> parts(result["generators"].begin(), result["generators"].end());
  parts.push_back(result["servers"][0]);
  for (const json& part : parts) {
    for (const char* const clock : {"clock", "clock_after"}) {
      EXPECT_LE(std::abs(part[clock]["offset_ns"].get<double>()),
                part[clock]["bound_ns"].get<double>());
    }
  }
}

TEST_F(Load, SeveralGeneratorsRunOnOneMachineAndAServerOnAHost) {
  const json result =
      Result({"--host", "a", "--server", "a", "--from", "local,local,a", "--address", "127.0.0.1",
              "--generator", "global_fifo", "-w", "echo_open:connections=4,arrivals=constant"},
             0);
  EXPECT_EQ(result["servers"][0]["measured_on"], "a");
  ASSERT_EQ(result["generators"].size(), 3U);
  EXPECT_EQ(result["generators"][1]["name"], "local (2)");
  EXPECT_EQ(result["generators"][2]["scheduler"], "global_fifo");
  EXPECT_EQ(result["parameters"]["connections"], 4);
}

TEST_F(Load, SeveralServersAreGivenToTheGeneratorsInTurn) {
  const json result = Result({"--host", "a,b", "--server", "a,a", "--from", "local,b,b",
                              "--address", "127.0.0.1", "--rate", "900"},
                             0);
  ASSERT_EQ(result["servers"].size(), 2U);
  EXPECT_EQ(result["servers"][0]["round"]["operations"], 300);
  EXPECT_EQ(result["servers"][1]["round"]["operations"], 150);
  EXPECT_NE(result["servers"][0]["address"], result["servers"][1]["address"]);
  std::vector<std::string> servers;
  for (const json& generator : result["generators"]) {
    servers.push_back(generator["server"].get<std::string>());
  }
  EXPECT_EQ(servers, (std::vector<std::string>{"a", "a (2)", "a"}));
}

TEST_F(Load, AServerThatDiesLeavesTheOtherServerAndItsGenerator) {
  folder_.Write("dies-localhost", "");  // whose name leads to the server
  const json result = Result({"--host", "localhost", "--server", "localhost,local", "--from",
                              "local,local", "--duration", "2s"},
                             2);
  EXPECT_EQ(result["servers"][0]["hole"], true);
  EXPECT_EQ(result["servers"][1]["hole"], false) << result["servers"].dump(1);
  EXPECT_EQ(result["servers"][1]["round"]["operations"], 1000);
  EXPECT_EQ(result["generators"][1]["summary"]["unanswered"], 0);
}

TEST_F(Load, AGeneratorWhoseMachineDiesLeavesAHoleAndTheOtherIsInTheResult) {
  folder_.Write("dies-b", "");
  const json result = Result(kTwoHosts, 2);
  EXPECT_EQ(result["generators"][0]["hole"], false);
  EXPECT_EQ(result["generators"][0]["summary"]["unanswered"], 0);
  EXPECT_EQ(result["generators"][1]["hole"], true);
  EXPECT_EQ(result["generators"][1]["summary"], nullptr);
  EXPECT_NE(result["generators"][1]["failure"].get<std::string>().find("host b does not answer"),
            std::string::npos)
      << result["generators"][1]["failure"];
  EXPECT_EQ(result["all"]["requests"], 250);
  EXPECT_EQ(result["servers"][0]["hole"], false);
  EXPECT_NE(result["notes"].dump().find("generator b is not in the result"), std::string::npos);
}

TEST_F(Load, AGeneratorThatLosesItsConnectionLeavesAHole) {
  folder_.Write("cut-b", "");
  const json result = Result(kTwoHosts, 2);
  EXPECT_NE(result["generators"][1]["failure"].get<std::string>().find("connection to host b"),
            std::string::npos)
      << result["generators"][1]["failure"];
  EXPECT_EQ(result["all"]["requests"], 250);
}

TEST_F(Load, AGeneratorThatIsLostWhileAnotherOneOpensLeavesTheServer) {
  folder_.Write("gone-a", "");
  folder_.Write("slow-b", "");
  const json result = Result(kTwoHosts, 2);
  EXPECT_EQ(result["generators"][0]["hole"], true);
  EXPECT_EQ(result["generators"][1]["hole"], false) << result["generators"][1]["failure"];
  EXPECT_EQ(result["generators"][1]["summary"]["unanswered"], 0);
  EXPECT_EQ(result["servers"][0]["round"]["operations"], 250);
}

TEST_F(Load, AGeneratorThatCrashesIsAHoleWithCode4) {
  folder_.Write("crashes-b", "");
  const json result = Result(kTwoHosts, 4);
  EXPECT_EQ(result["generators"][1]["hole"], true);
  EXPECT_EQ(result["all"]["requests"], 250);
}

TEST_F(Load, AServerThatDiesIsAHoleAndWhatWasAnsweredIsInTheResult) {
  folder_.Write("dies-a", "");
  const json result = Result({"--host", "a", "--server", "a", "--from", "local", "--address",
                              "127.0.0.1", "--duration", "2s"},
                             2);
  EXPECT_EQ(result["servers"][0]["hole"], true);
  EXPECT_NE(result["servers"][0]["failure"].get<std::string>().find("host a"), std::string::npos);
  const json& generator = result["generators"][0];
  ASSERT_EQ(generator["hole"], false) << generator["failure"];
  EXPECT_GT(generator["summary"]["unanswered"], 0);
  EXPECT_NE(generator["trouble"], nullptr);
  EXPECT_EQ(generator["summary"]["latency_ns"]["max"], nullptr) << "infinite";
  EXPECT_NE(result["notes"].dump().find("an infinite latency"), std::string::npos);
}

TEST_F(Load, AnAgentThatReportsMoreRequestsThanItWasToSendIsAHole) {
  for (const char* const script :
       {"s/\"unanswered\":0/\"unanswered\":9223372036854775807/",
        "s/\"unanswered\":0/\"unanswered\":1000000000/", "s/\"total\":250/\"total\":251/"}) {
    folder_.Write("lies-b", script);
    const json result = Result(kTwoHosts, 4);
    EXPECT_EQ(result["generators"][1]["failure"],
              "the agent reports more than the 250 requests that it was to send")
        << script;
    EXPECT_EQ(result["all"]["requests"], 250);
  }
}

TEST_F(Load, ATextOfAnAgentIsEscaped) {
  folder_.Write("lies-b", R"(s/"trouble":""/"trouble":"\\u001b[31mred"/)");
  const json result = Result(kTwoHosts, 2);
  EXPECT_EQ(result["generators"][1]["trouble"], "\\x1b[31mred");
}

TEST_F(Load, AHostThatRefusesIsNamedWithCode2AndNothingIsStarted) {
  folder_.Write("down-b", "");
  folder_.Write("old.json", "an older result");
  const Finished run = Run({"--host", "a,b", "--address", "127.0.0.1", "-o", "old.json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("host b"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("Connection refused"), std::string::npos) << run.error;
  EXPECT_EQ(folder_.Read("old.json"), "an older result");
  EXPECT_EQ(run.out, "");
}

TEST_F(Load, AnotherVersionIsRefusedWithCode5) {
  folder_.Write("old", R"(#!/bin/sh
while read -r line; do
  echo '{"reply":"hello","protocol":1,"runtime":"schedbench","version":"0.0.1","tasks":"fibers","schedulers":["fast"],"workloads":["yield"]}'
done
)");
  std::filesystem::permissions(Path("old"), std::filesystem::perms::owner_all);
  const Finished run = Run({"--host", "a", "--remote-tool", Path("old")});
  EXPECT_EQ(run.code, 5);
  EXPECT_NE(run.error.find("host a has schedbench 0.0.1, this program is "), std::string::npos)
      << run.error;
}

TEST_F(Load, AServerThatCannotListenIsNamedWithCode2) {
  const json result = Result({"--address", "203.0.113.1:7000"}, 2);
  EXPECT_NE(
      result["servers"][0]["failure"].get<std::string>().find("cannot listen at 203.0.113.1:7000"),
      std::string::npos)
      << result["servers"][0]["failure"];
  EXPECT_EQ(result["generators"][0]["failure"], "there is no server");
  EXPECT_EQ(result["all"], nullptr);
}

TEST_F(Load, AGeneratorWithoutFileDescriptorsNamesHowManyItNeeds) {
  const Finished run =
      Execute({"sh", "-c",
               "ulimit -n 300; exec " SCHEDBENCH_BINARY
               " load --rate 1000 --duration 200ms -w echo_open:connections=400 -q -f json"},
              {.folder = folder_.Path()});
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_NE(run.out.find("each needs a file descriptor    ulimit -n 500"), std::string::npos)
      << run.out;
}

TEST_F(Load, TwoNamesOfOneMachineAreNoted) {
  EXPECT_NE(Result(kTwoHosts, 0)["notes"].dump().find("a and b are the same machine"),
            std::string::npos);
}

TEST_F(Load, AServerThatNoGeneratorFindsIsNamedWithCode2) {
  const json result = Result({"--address", "no.such.host.invalid"}, 2);
  EXPECT_NE(result["generators"][0]["failure"].get<std::string>().find("no.such.host.invalid"),
            std::string::npos)
      << result["generators"][0]["failure"];
  EXPECT_EQ(result["servers"][0]["failure"], "no generator has reached it");
}

TEST_F(Load, TheFormatsForPeopleHaveARowForEachGeneratorAndTheHole) {
  folder_.Write("cut-b", "");
  const Finished table = Run(kTwoHosts, "table");
  EXPECT_EQ(table.code, 2);
  for (const char* const text : {"all ", "a ", "b ", "hole", "server", "clock", "delay p99"}) {
    EXPECT_NE(table.out.find(text), std::string::npos) << text << table.out;
  }
  const Finished csv = Run(kTwoHosts, "csv");
  EXPECT_NE(csv.out.find("generator,requests,asked_per_s,reached_per_s,"), std::string::npos);
  EXPECT_NE(csv.out.find("\nb,,"), std::string::npos) << csv.out;
  EXPECT_NE(csv.out.find("the connection to host b was lost"), std::string::npos) << csv.out;
  EXPECT_NE(Run(kTwoHosts, "markdown").out.find("| generator |"), std::string::npos);
}

TEST_F(Load, RunsTheCommandsOfTheDocument) {
  std::ifstream document(SCHEDBENCH_SOURCE_DIR "/docs/many-machines.md");
  int count = 0;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("schedbench load ")) {
      continue;
    }
    std::istringstream stream(line);
    std::vector<std::string> words(std::next(std::istream_iterator<std::string>(stream)), {});
    // The names of the hosts are no addresses here.
    words.insert(words.end(), {"--address", "127.0.0.1", "--rate", "500", "--duration", "200ms"});
    const Finished run = Schedbench(
        words, {.folder = folder_.Path(), .environment = {{"SCHEDBENCH_SSH", Path("ssh")}}});
    EXPECT_EQ(run.code, 0) << line << run.error << run.out;
    ++count;
  }
  EXPECT_EQ(count, 2);
}

TEST_F(Load, ACommaAtTheEndOfAListIsNotAMachine) {
  const json result =
      Result({"--host", "a,b,", "--from", "a,", "--server", "local,", "--address", "127.0.0.1"}, 0);
  EXPECT_EQ(result["generators"].size(), 1U);
  EXPECT_EQ(result["servers"].size(), 1U);
}

TEST_F(Load, BadValuesAreRefusedWithCode2BeforeAnyHostIsAsked) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--from", "locl"}, "did you mean 'local'?"},
           {{"--from", ""}, "no machine is named"},
           {{"--host", "a,local"}, "'local' names this machine"},
           {{"--generator", "nosuch"}, "--generator nosuch "},
           {{"--generator", "nosuch.json"}, "--generator   unknown config 'nosuch.json'"},
           {{"--address", "::1"}, "[2001:db8::1]:7000"},
           {{"--host", "a,b", "--server", "c"}, "'c' is not one of the machines"},
           {{"--host", "a,b", "--from", "a,,b"}, "'' is not one of the machines"},
           {{"--host", "a", "--slurm", ""}, "cannot be combined with --host"},
           {{"-w", "yield"}, "cannot be divided into clients and a server; expected echo_open"},
           {{"-w", "echo_open:rate=5"}, "load itself sets it    --rate"},
           {{"-w", "echo_open:requests=5"}, "load itself sets it    --duration"},
           {{"-w", "echo_open:byte=5"}, "did you mean 'bytes'?"},
           {{"--host", "a,b", "--server", "a,b"}, "more servers (2) than generators (1)"},
           {{"--host", "a,b", "--server", "a,b", "--from", "a,b", "--address", "x"},
            "one address for servers on several machines"},
           {{"--rate", "0"}, "--rate"},
           {{"--rate", "1", "--from", "local,local"}, "at least 1/s"},
           {{"--rate", "1", "--duration", "100ms"}, "each generator would send"},
           {{"--duration", "0"}, "--duration"},
           {{"--address", "a b"}, "is not an address"},
           {{"--address", "host:99999"}, "is not an address"},
           {{"--address", "::1"}, "is not an address"},
           {{"--address", ""}, "is not an address"},
           {{"--generator", "fats"}, "did you mean 'fast'?"},
           {{"fast", "global_fifo"}, "global_fifo"}}) {
    const Finished run = Run(words);
    EXPECT_EQ(run.code, 2) << words.back();
    EXPECT_NE(run.error.find(message), std::string::npos) << words.back() << '\n' << run.error;
    EXPECT_EQ(run.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(Path("hosts")));
}

TEST_F(Load, AnInterruptionReportsWhatThereIsWithCode130) {
  Process run({SCHEDBENCH_BINARY, "load", "--duration", "100s", "-f", "json"},
              {.terminal = Terminal::kError, .columns = 80});
  ASSERT_TRUE(run.WaitForError("sending: 1 of 100 s"));
  run.Signal(2);
  EXPECT_EQ(run.Finish(), 130);
  const json result = json::parse(run.Out());
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["generators"][0]["failure"], nullptr);
  EXPECT_EQ(result["servers"][0]["failure"], nullptr);
  const std::uint64_t requests = result["all"]["requests"];
  EXPECT_GT(requests, 0U);
  EXPECT_LT(requests, 1'000'000U);
  EXPECT_EQ(result["servers"][0]["round"]["operations"], requests);
}

}  // namespace

}  // namespace schedbench::tests::load_test
