// Agents on other machines, with programs in place of ssh and srun that run them here.
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace schedbench::tests::places_test {

namespace {

using nlohmann::json;

// What hosts do that have a file of these names:
//   speed-HOST    their rounds take the microseconds that it contains; only the nanoseconds are
//   measured pinned-HOST   their agents may use one CPU close-HOST    they lose a connection at its
//   end killed-HOST   they lose a connection by a signal down-HOST     they refuse once-HOST they
//   lose one connection later-HOST    they refuse after as many connections as it has characters
constexpr const char* kSsh = R"sh(#!/bin/sh
for word; do host=$command; command=$word; done
echo "$host" >> hosts
connections=$(wc -l < hosts)
if [ -e "later-$host" ]; then
  left=$(cat "later-$host")
  if [ -z "$left" ]; then touch "down-$host"; fi
  printf %s "${left%?}" > "later-$host"
fi
if [ -e "down-$host" ]; then
  echo "ssh: connect to host $host port 22: Connection refused" >&2
  exit 255
fi
if [ -e "once-$host" ]; then
  read -r line
  case $line in *hello*) ;; *) rm "once-$host"; exit 255 ;; esac
  echo "$line" | sh -c "$command"
  exit
fi
if [ -e "close-$host" ] && [ "$connections" -gt 3 ]; then
  rm "close-$host"
  sh -c "$command" 2> /dev/null
  exit 255
fi
if [ -e "killed-$host" ] && [ "$connections" -gt 3 ]; then
  rm "killed-$host"
  read -r line
  kill -9 $$
fi
if [ -e "pinned-$host" ]; then
  exec taskset -c 0 sh -c "$command"
fi
if [ -e "speed-$host" ]; then
  sh -c "$command" | sed -u "s/\"wall_ns\":[0-9]*\([0-9]\{3\}\)/\"wall_ns\":$(cat "speed-$host")\1/"
  exit
fi
exec sh -c "$command"
)sh";

constexpr const char* kSrun = R"(#!/bin/sh
node=none
while :; do
  case $1 in
    --nodelist=*) node=${1#--nodelist=} ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
echo "$node" >> nodes
exec "$@"
)";

class Places : public testing::Test {
 protected:
  Places() {
    folder_.Write("ssh", kSsh);
    folder_.Write("srun", kSrun);
    for (const char* const name : {"ssh", "srun"}) {
      std::filesystem::permissions(Path(name), std::filesystem::perms::owner_all);
    }
  }

  std::string Path(const std::string& name) const {
    return folder_.Path() + "/" + name;
  }

  Finished Run(std::vector<std::string> arguments, std::map<std::string, std::string> more = {}) {
    std::map<std::string, std::string> environment{{"SCHEDBENCH_SSH", Path("ssh")},
                                                   {"SCHEDBENCH_SRUN", Path("srun")}};
    environment.merge(more);
    return Schedbench(std::move(arguments), {.folder = folder_.Path(), .environment = environment});
  }

  // A sweep of four cells; each has its own options after the common ones.
  Finished Sweep(std::vector<std::string> more, std::map<std::string, std::string> variables = {}) {
    std::vector<std::string> words{"sweep",    "fast",        "-w",     "yield:fibers=10,yields=5",
                                   "--over",   "workers=1,2", "--over", "lifo_limit=0,3",
                                   "-b",       "4",           "-n",     "1",
                                   "--warmup", "0",           "--seed", "1",
                                   "-q",       "-f",          "json"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(std::move(words), std::move(variables));
  }

  void WriteTool(const std::string& name, const std::string& script);

  const ScratchFolder folder_;
};

std::vector<std::string> PlacesOfBlocks(const json& result) {
  return result["measured_on"].get<std::vector<std::string>>();
}

TEST_F(Places, TheBlocksOfASweepAreDistributedAndAllCellsOfOneAreOnOneHost) {
  const Finished sweep = Sweep({"--host", "a,b"});
  ASSERT_EQ(sweep.code, 0) << sweep.error;
  const json result = json::parse(sweep.out);
  EXPECT_EQ(PlacesOfBlocks(result), (std::vector<std::string>{"a", "b", "a", "b"}));
  ASSERT_EQ(result["places"].size(), 2U);
  EXPECT_EQ(result["places"][0]["kind"], "host");
  EXPECT_EQ(result["places"][0]["cpu_model"], result["machine"]["cpu_model"]);
  EXPECT_EQ(result["places"][0]["cpus"], result["machine"]["cpus_allowed"]);
  EXPECT_EQ(result["places"][1]["lost"], nullptr);
  EXPECT_TRUE(result["places"][1]["findings"].is_array());
}

TEST_F(Places, AHostWithAnotherSpeedMakesNoDifferenceBetweenCells) {
  folder_.Write("speed-a", "10");
  folder_.Write("speed-b", "100");
  const Finished sweep = Sweep({"--host", "a,b", "-b", "12", "--min-effect", "0.9"});
  ASSERT_EQ(sweep.code, 0) << sweep.error;
  const json result = json::parse(sweep.out);
  EXPECT_GT(result["machine_factors"]["a"].get<double>(),
            2 * result["machine_factors"]["b"].get<double>());
  for (const json& cell : result["cells"]) {
    EXPECT_FALSE(cell["ended_early"]);
    EXPECT_EQ(cell["measured"]["blocks"].size(), 12U);
  }
}

TEST_F(Places, TheMachineCanBeAKey) {
  const Finished sweep = Sweep({"--host", "a,b", "--on-each"});
  ASSERT_EQ(sweep.code, 0) << sweep.error;
  const json result = json::parse(sweep.out);
  ASSERT_EQ(result["cells"].size(), 8U);
  EXPECT_EQ(result["keys"][2]["key"], "machine");
  for (const json& cell : result["cells"]) {
    EXPECT_TRUE(cell["place"]["machine"] == "a" || cell["place"]["machine"] == "b");
    EXPECT_EQ(cell["measured"]["blocks"].size(), 4U);
  }
  EXPECT_EQ(PlacesOfBlocks(result), std::vector<std::string>());
  EXPECT_EQ(Sweep({"--on-each"}).code, 2);
}

TEST_F(Places, AHostThatRefusesAtTheStartIsNamedWithCode2AndTheJournalStaysAsItIs) {
  ASSERT_EQ(Sweep({"--host", "a,b", "--journal", "j"}).code, 0);
  const std::string journal = folder_.Read("j");
  folder_.Write("down-b", "");
  const Finished sweep = Sweep({"--host", "a,b", "--journal", "j"});
  EXPECT_EQ(sweep.code, 2);
  EXPECT_NE(sweep.error.find("host b"), std::string::npos) << sweep.error;
  EXPECT_NE(sweep.error.find("Connection refused"), std::string::npos) << sweep.error;
  EXPECT_EQ(folder_.Read("j"), journal);
}

TEST_F(Places, TheBlockOfAHostThatIsLostIsMeasuredOnAnother) {
  folder_.Write("later-b", "....");  // one hello, and some cells of its first block
  const Finished lost = Sweep({"--host", "a,b", "--journal", "j"});
  EXPECT_EQ(lost.code, 0) << lost.error;
  const json result = json::parse(lost.out);
  EXPECT_EQ(result["places"][0]["lost"], nullptr);
  EXPECT_NE(result["places"][1]["lost"].get<std::string>().find("host b does not answer"),
            std::string::npos);
  EXPECT_EQ(PlacesOfBlocks(result), std::vector<std::string>(4, "a"));
  for (const json& cell : result["cells"]) {
    EXPECT_EQ(cell["measured"]["blocks"].size(), 4U);
    EXPECT_FALSE(cell["hole"]);
  }
  std::filesystem::remove(Path("later-b"));
  std::filesystem::remove(Path("down-b"));
  std::filesystem::remove(Path("hosts"));
  const Finished again = Sweep({"--host", "b", "--journal", "j"});
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(json::parse(again.out)["cells"][1]["measured"], result["cells"][1]["measured"]);
  EXPECT_EQ(folder_.Read("hosts"), "b\n") << "its hello alone";
}

TEST_F(Places, HolesRemainIfNoHostIsLeftAndTheSameCommandFillsThem) {
  folder_.Write("later-a", "........");  // one hello, the first block, some cells of the second
  const Finished lost = Sweep({"--host", "a", "--journal", "j"});
  EXPECT_EQ(lost.code, 2) << lost.error;
  const json holes = json::parse(lost.out);
  EXPECT_EQ(PlacesOfBlocks(holes), std::vector<std::string>{"a"});
  for (const json& cell : holes["cells"]) {
    EXPECT_TRUE(cell["hole"]);
    EXPECT_TRUE(cell["status"].get<std::string>().ends_with(", 1 of 4 blocks")) << cell["status"];
    EXPECT_FALSE(cell["value"].is_null());
  }
  EXPECT_FALSE(holes["complete"]);
  const Finished whole = Sweep({"--host", "c,d", "--journal", "j"});
  ASSERT_EQ(whole.code, 0) << whole.error;
  const json result = json::parse(whole.out);
  EXPECT_EQ(PlacesOfBlocks(result), (std::vector<std::string>{"a", "d", "c", "d"}));
  for (std::size_t cell = 0; cell < 4; ++cell) {
    EXPECT_EQ(result["cells"][cell]["measured"]["blocks"].size(), 4U);
    EXPECT_EQ(result["cells"][cell]["measured"]["blocks"][0],
              holes["cells"][cell]["measured"]["blocks"][0]);
  }
}

TEST_F(Places, AJournalOfThisMachineAndOneOfOthersAreNotMixed) {
  ASSERT_EQ(Sweep({"--host", "a,b", "--journal", "j"}).code, 0);
  const Finished here = Sweep({"--journal", "j"});
  EXPECT_EQ(here.code, 5);
  EXPECT_NE(here.error.find("the blocks are of other machines    --host a,b"), std::string::npos)
      << here.error;
  ASSERT_EQ(Sweep({"--journal", "own"}).code, 0);
  const Finished there = Sweep({"--host", "a,b", "--journal", "own"});
  EXPECT_EQ(there.code, 5);
  EXPECT_NE(there.error.find("the blocks are of this machine"), std::string::npos) << there.error;
}

TEST_F(Places, ABlockWhoseConnectionWasLostIsMeasuredAgain) {
  folder_.Write("once-b", "");
  const Finished sweep = Sweep({"--host", "a,b"});
  EXPECT_EQ(sweep.code, 0) << sweep.error;
  EXPECT_FALSE(std::filesystem::exists(Path("once-b")));
}

TEST_F(Places, AnotherVersionIsRefusedWithCode5) {
  folder_.Write("old", R"(#!/bin/sh
while read -r line; do
  echo '{"reply":"hello","protocol":1,"runtime":"schedbench","version":"0.0.1","tasks":"fibers","schedulers":["fast"],"workloads":["yield"]}'
done
)");
  std::filesystem::permissions(Path("old"), std::filesystem::perms::owner_all);
  const Finished sweep = Sweep({"--host", "a", "--remote-tool", Path("old"), "--journal", "j"});
  EXPECT_EQ(sweep.code, 5);
  EXPECT_NE(sweep.error.find("host a has schedbench 0.0.1, this program is "), std::string::npos)
      << sweep.error;
  EXPECT_FALSE(std::filesystem::exists(Path("j")));
  const Finished none = Sweep({"--host", "a", "--remote-tool", Path("none")});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.error.find("has no schedbench at " + Path("none") + "    --remote-tool PATH"),
            std::string::npos)
      << none.error;
  folder_.Write("banner", "#!/bin/sh\necho Welcome to this machine\n");
  std::filesystem::permissions(Path("banner"), std::filesystem::perms::owner_all);
  const Finished banner = Sweep({"--host", "a", "--remote-tool", Path("banner")});
  EXPECT_EQ(banner.code, 2);
  EXPECT_NE(banner.error.find("prints text on stdout: 'Welcome to this machine'"),
            std::string::npos)
      << banner.error;
}

// Writes a tool that changes the replies of this one by a script of sed.
void Places::WriteTool(const std::string& name, const std::string& script) {
  folder_.Write(
      name, "#!/bin/sh\n" + SchedbenchCommand({}).front() + " \"$@\" | sed -u '" + script + "'\n");
  std::filesystem::permissions(Path(name), std::filesystem::perms::owner_all);
}

TEST_F(Places, AnotherBuildIsRefusedWithCode5) {
  WriteTool("other", R"(s/, sanitizer /, other sanitizer /)");
  const Finished sweep = Sweep({"--host", "a", "--remote-tool", Path("other")});
  EXPECT_EQ(sweep.code, 5);
  EXPECT_NE(sweep.error.find("host a has another build: "), std::string::npos) << sweep.error;
}

TEST_F(Places, TwoNamesOfOneMachineHaveANote) {
  const std::vector<std::string> words{"sweep", "fast",   "-w",          "yield:fibers=10,yields=5",
                                       "-b",    "2",      "-n",          "1",
                                       "-q",    "--over", "workers=1,2", "--host",
                                       "a,b"};
  const Finished same = Run(words);
  ASSERT_EQ(same.code, 0) << same.error;
  EXPECT_NE(same.out.find("a and b are the same machine"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find("blocks  1 block on a ("), std::string::npos) << same.out;
}

TEST_F(Places, AFileThatIsAnotherOneThereIsRefused) {
  ASSERT_EQ(Run({"record", "-w", "skynet:leaves=100", "-n", "2", "-o", "g.graph", "-q"}).code, 0);
  WriteTool("other", R"sed(s/"files":{"\([^"]*\)":"[^"]*"/"files":{"\1":"0"/)sed");
  std::vector<std::string> words{"sweep",  "fast",        "-w", "replay:graph=g.graph",
                                 "--over", "workers=1,2", "-b", "2",
                                 "-n",     "1",           "-q", "-f",
                                 "json",   "--journal",   "j",  "--seed",
                                 "1",      "--host",      "a"};
  std::vector<std::string> other = words;
  other.insert(other.end(), {"--remote-tool", Path("other")});
  const Finished refused = Run(other);
  EXPECT_EQ(refused.code, 2) << refused.error << refused.out;
  EXPECT_NE(refused.out.find("host a: 'g.graph' is another file there than here"),
            std::string::npos)
      << refused.out;
  // What was refused is measured when it no longer is.
  const Finished again = Run(words);
  EXPECT_EQ(again.code, 0) << again.error << again.out;
}

TEST_F(Places, ScaleContinuesFromItsJournal) {
  const std::vector<std::string> words{"scale",     "fast",   "-w",   "yield:fibers=10,yields=5",
                                       "--workers", "1,2",    "-b",   "2",
                                       "-q",        "-f",     "json", "--journal",
                                       "j",         "--host", "a"};
  const Finished first = Run(words);
  ASSERT_EQ(first.code, 0) << first.error;
  std::filesystem::remove(Path("hosts"));
  const Finished again = Run(words);
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(json::parse(again.out)["cells"], json::parse(first.out)["cells"]);
  EXPECT_EQ(folder_.Read("hosts"), "a\n") << "one hello";
}

TEST_F(Places, TheMachineOfTheCommandDoesNotMatterForAJournalOfOtherMachines) {
  folder_.Write("pinned-a", "");
  ASSERT_EQ(Sweep({"--host", "a", "--journal", "j"}).code, 0);
  std::vector<std::string> words =
      SchedbenchCommand({"sweep",    "fast",        "-w",     "yield:fibers=10,yields=5",
                         "--over",   "workers=1,2", "--over", "lifo_limit=0,3",
                         "-b",       "5",           "-n",     "1",
                         "--warmup", "0",           "--seed", "1",
                         "-q",       "-f",          "json",   "--host",
                         "a",        "--journal",   "j"});
  words.insert(words.begin(), {"taskset", "-c", "0"});
  const Finished again =
      Execute(words, {.folder = folder_.Path(), .environment = {{"SCHEDBENCH_SSH", Path("ssh")}}});
  EXPECT_EQ(again.code, 0) << again.error;
}

TEST_F(Places, TheOrderOfTheMachinesOfAKeyDoesNotMatter) {
  ASSERT_EQ(Sweep({"--host", "a,b", "--on-each", "--journal", "j"}).code, 0);
  std::filesystem::remove(Path("hosts"));
  const Finished again = Sweep({"--host", "b,a", "--on-each", "--journal", "j"});
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(folder_.Read("hosts").size(), 4U) << "one hello of each";
}

TEST_F(Places, AnInterruptEndsTheGreeting) {
  folder_.Write("silent", "#!/bin/sh\necho $$ >> started\nexec sleep 600\n");
  std::filesystem::permissions(Path("silent"), std::filesystem::perms::owner_all);
  // Once: without --foreground, timeout signals its group too, and a second Ctrl-C ends the program
  // at once.
  const Finished ended =
      Execute({"timeout", "--foreground", "-s", "INT", "1", SchedbenchCommand({}).front(), "sweep",
               "fast", "-w", "yield", "--over", "workers=1,2", "--host", "a,b"},
              {.folder = folder_.Path(), .environment = {{"SCHEDBENCH_SSH", Path("silent")}}});
  EXPECT_EQ(ended.code, 124) << ended.error;  // of timeout
  std::istringstream started(folder_.Read("started"));
  int count = 0;
  for (std::string pid; started >> pid; ++count) {
    EXPECT_FALSE(std::filesystem::exists("/proc/" + pid)) << pid;
  }
  EXPECT_EQ(count, 2) << "both at the same time";
}

TEST_F(Places, AComparisonIsMadeOnEachHost) {
  const Finished compared = Run({"compare", "fast", "global_fifo", "-w", "yield:fibers=10,yields=5",
                                 "-b", "2", "-q", "--host", "a", "--host", "b", "-f", "json"});
  ASSERT_EQ(compared.code, 0) << compared.error;
  const json result = json::parse(compared.out);
  ASSERT_EQ(result["workloads"].size(), 2U);
  EXPECT_EQ(result["workloads"][0]["name"], "yield:fibers=10,yields=5 on a");
  EXPECT_EQ(result["workloads"][1]["measured_on"], "b");
  EXPECT_EQ(result["places"].size(), 2U);
}

TEST_F(Places, AComparisonMeasuresABlockAgainWhoseConnectionWasLost) {
  const std::vector<std::string> compare{
      "compare", "fast", "global_fifo", "-w", "yield:fibers=10,yields=5", "-b", "4", "-q",
      "-f",      "json", "--host",      "a,b"};
  for (const char* const when : {"once-b", "close-b"}) {
    std::filesystem::remove(Path("hosts"));
    folder_.Write(when, "");
    const Finished again = Run(compare);
    ASSERT_EQ(again.code, 0) << when << again.error << again.out;
    EXPECT_FALSE(std::filesystem::exists(Path(when)));
    const json result = json::parse(again.out);
    EXPECT_TRUE(result["complete"]);
    for (const json& series : result["workloads"][1]["measured"]) {
      EXPECT_EQ(series["blocks"].size(), 4U);
      EXPECT_EQ(series["failure"], nullptr);
    }
  }
  // Two hellos, then the connections of the first two blocks.
  folder_.Write("later-b", "......");
  const Finished lost = Run(compare);
  EXPECT_EQ(lost.code, 2) << lost.error;
  const json result = json::parse(lost.out);
  EXPECT_FALSE(result["complete"]);
  EXPECT_EQ(result["places"][0]["lost"], nullptr);
  EXPECT_NE(result["places"][1]["lost"].get<std::string>().find("host b does not answer"),
            std::string::npos);
  for (const json& series : result["workloads"][0]["measured"]) {
    EXPECT_EQ(series["blocks"].size(), 4U);
  }
  for (const json& series : result["workloads"][1]["measured"]) {
    EXPECT_EQ(series["blocks"].size(), 2U);
    EXPECT_EQ(series["failure"], nullptr);
  }
}

TEST_F(Places, AComparisonContinuesFromItsJournalWhenALostHostIsBack) {
  const std::vector<std::string> compare{
      "compare", "fast", "global_fifo", "-w", "yield:fibers=10,yields=5",
      "-b",      "4",    "-q",          "-f", "json",
      "--host",  "a,b",  "--journal",   "j"};
  folder_.Write("later-b", "......");
  EXPECT_EQ(Run(compare).code, 2);
  for (const char* const file : {"down-b", "later-b", "hosts"}) {
    ASSERT_TRUE(std::filesystem::remove(Path(file))) << file;
  }
  const Finished again = Run(compare);
  ASSERT_EQ(again.code, 0) << again.error;
  const std::string hosts = folder_.Read("hosts");
  EXPECT_EQ(std::ranges::count(hosts, 'a'), 1) << "a hello";
  EXPECT_EQ(std::ranges::count(hosts, 'b'), 5) << "a hello, and two blocks of two";
  const json result = json::parse(again.out);
  for (const json& workload : result["workloads"]) {
    for (const json& series : workload["measured"]) {
      EXPECT_EQ(series["blocks"].size(), 4U);
      EXPECT_EQ(series["failure"], nullptr);
    }
  }
}

TEST_F(Places, TheEndOfAnAgentIsNotThatOfItsConnection) {
  // An agent that ends with a code of ssh or srun, or by a signal, is a failure; the machine
  // remains.
  for (const char* const end : {"exit 255", "exit 1", "kill -9 $$"}) {
    folder_.Write("agent", std::string(R"(#!/bin/sh
read -r line
case $line in *hello*) echo "$line" | )") +
                               SchedbenchCommand({}).front() + R"( agent; exit ;; esac
)" + end + "\n");
    std::filesystem::permissions(Path("agent"), std::filesystem::perms::owner_all);
    for (const std::vector<std::string>& where :
         {std::vector<std::string>{"--host", "a,b"}, {"--slurm", "--nodelist=a,b"}}) {
      std::vector<std::string> words{"sweep",  "fast",
                                     "--with", "bad/fast=" + Path("agent"),
                                     "-w",     "yield:fibers=10,yields=5",
                                     "-b",     "2",
                                     "-n",     "1",
                                     "-q",     "-f",
                                     "json"};
      words.insert(words.end(), where.begin(), where.end());
      const Finished sweep = Run(words);
      EXPECT_EQ(sweep.code, 4) << end << sweep.error;
      const json result = json::parse(sweep.out);
      EXPECT_EQ(result["cells"][0]["measured"]["blocks"].size(), 2U) << end;
      EXPECT_EQ(result["cells"][1]["status"], "failed") << end;
      EXPECT_FALSE(result["cells"][1]["hole"]);
      EXPECT_EQ(result["places"][0]["lost"], nullptr);
    }
  }
}

TEST_F(Places, TheEndOfAConnectionIsNotAFailure) {
  for (const char* const when : {"close-b", "killed-b"}) {
    std::filesystem::remove(Path("hosts"));
    folder_.Write(when, "");
    const Finished sweep = Sweep({"--host", "a,b"});
    EXPECT_EQ(sweep.code, 0) << when << sweep.error << sweep.out;
    EXPECT_FALSE(std::filesystem::exists(Path(when)));
  }
}

TEST(Guard, LeavesTheChildrenOfTheShellThatItReplaced) {
  const Finished run =
      Execute({"bash", "-c", "sleep 1000 >&- 2>&- & echo $!; exec \"$0\" agent --guard -- true",
               SCHEDBENCH_BINARY});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(::kill(std::stoi(run.out), SIGKILL), 0) << run.out;
}

TEST_F(Places, AGuardReportsTheEndOfAnAgent) {
  const Finished ended = Run({"agent", "--guard", "--", "sh", "-c", "cat; exit 3"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.error, "schedbench guard: the agent ended with exit code 3\n");
  const Finished killed = Run({"agent", "--guard", "--", "sh", "-c", "kill -9 $$"});
  EXPECT_EQ(killed.code, 128 + 9);
  EXPECT_NE(killed.error.find("signal 9"), std::string::npos);
  const Finished none = Run({"agent", "--guard", "--", Path("none")});
  EXPECT_EQ(none.code, 127);
  EXPECT_NE(none.error.find("No such file"), std::string::npos) << none.error;
  EXPECT_EQ(Run({"agent", "--guard"}).code, 2);
  EXPECT_EQ(Run({"agent", "true"}).code, 2);
}

TEST_F(Places, TheBlocksOfScaleAreDistributed) {
  const Finished scaled = Run({"scale", "fast", "global_fifo", "-w", "yield:fibers=10,yields=5",
                               "--workers", "1,2", "-b", "2", "-q", "--host", "a,b", "-f", "json"});
  ASSERT_EQ(scaled.code, 0) << scaled.error;
  EXPECT_EQ(PlacesOfBlocks(json::parse(scaled.out)), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Places, NodesAreThoseOfTheOptionsOrOfTheAllocation) {
  ASSERT_EQ(Sweep({"--slurm", "--nodelist=n1,n2 --exact"}).code, 0);
  const Finished allocated = Sweep({"--slurm", ""}, {{"SLURM_JOB_NODELIST", "n7"}});
  ASSERT_EQ(allocated.code, 0) << allocated.error;
  EXPECT_EQ(PlacesOfBlocks(json::parse(allocated.out)), std::vector<std::string>(4, "n7"));
  EXPECT_EQ(json::parse(allocated.out)["places"][0]["kind"], "node");
  const Finished none = Sweep({"--slurm", ""});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.error.find("there is no allocation of Slurm    salloc"), std::string::npos);
}

TEST_F(Places, RunsTheCommandsOfTheDocument) {
  std::ifstream document(SCHEDBENCH_SOURCE_DIR "/docs/many-machines.md");
  int count = 0;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("schedbench ") || line.starts_with("schedbench load ")) {
      continue;  // load_test runs those of load
    }
    std::istringstream stream(line.substr(line.find(' ')));
    std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    words.insert(words.end(), {"-b", "2", "-q"});
    const Finished run = Run(words);
    EXPECT_EQ(run.code, 0) << line << run.error;
    ++count;
  }
  EXPECT_EQ(count, 3);
}

TEST_F(Places, WhatMakesNoSenseIsRefusedWithCode2) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--host", "-oProxyCommand=x"},
                                             {"--host", ""},
                                             {"--host", "a,,b"},
                                             {"--host", "a,a"},
                                             {"--host", "a b"},
                                             {"--host", "a", "--slurm", "--nodelist=n1"},
                                             {"--slurm", "'"},
                                             {"--slurm", "--nodelist=-x"},
                                             {"--slurm", "--nodelist=./hosts"},
                                             {"--slurm", "-w ./hosts"},
                                             {"--slurm", "--nodel=n1"},
                                             {"--slurm", "-w n1 -F hosts"},
                                             {"--slurm", "-w n1 --exclusive"},
                                             {"--slurm", "-w n1 --excl"},
                                             {"--slurm", "-w n1 -vv"},
                                             {"--slurm", "-w n1 -r 1"},
                                             {"--slurm", "-w n1 --label"},
                                             {"--slurm", "-w n1 -x n2"},
                                             {"--slurm", "-w n1 --out=/x"},
                                             {"--slurm", "-w n1 --er /x"},
                                             {"--slurm", "-w n1 -sN2"},
                                             {"--slurm", "-w n1 -Qo/x"},
                                             {"--slurm", "-w n1 echo"},
                                             {"--slurm", "-w n1 --exact echo"},
                                             {"--slurm", "-w n1 -- echo"},
                                             {"--slurm", "-K echo -w n1"},
                                             {"--host", "a", "--remote-tool", ""},
                                             {"--host", "a", "--hog", "1,50%"},
                                             {"--remote-tool", "/bin/true"}}) {
    const Finished sweep = Sweep(words);
    EXPECT_EQ(sweep.code, 2) << words.back() << sweep.out;
    EXPECT_NE(sweep.error, "") << words.back();
  }
  const Finished baseline =
      Run({"compare", "fast", "global_fifo", "--host", "a", "--baseline", "x"});
  EXPECT_EQ(baseline.code, 2);
  EXPECT_NE(baseline.error.find("cannot be combined with --baseline"), std::string::npos)
      << baseline.error;
  EXPECT_FALSE(std::filesystem::exists(Path("hosts")));
}

}  // namespace

}  // namespace schedbench::tests::places_test
