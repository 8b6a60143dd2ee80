#include "tests/cli/history.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <string>
#include <vector>

// history measure and history bisect: git repositories with scripts as builds and agents.

namespace schedbench::tests::history_test {

namespace {

using nlohmann::ordered_json;

// A repository of steps 1 to 10 with the agent of a script. From step 7 on a round takes 10 %
// longer; step 6 does not build, and the agent of step 3 does not answer.
class RepositoryOfScripts {
 public:
  explicit RepositoryOfScripts(const ScratchFolder& folder, const std::string& scheduler = "fast") {
    const std::string round =
        R"(noise=$(od -An -N2 -tu2 /dev/urandom); echo "{\"reply\":\"round\",\"wall_ns\":$((base + noise / 4)),)"
        R"(\"cpu_ns\":900000,\"operations\":200,\"peak_rss_bytes\":5000000,\"figures\":{},)"
        R"(\"counts\":{\"spawns\":10,\"switches\":210,\"inline_calls\":0}}")";
    const std::string script =
        "#!/bin/sh\nbase=$(cat \"$(dirname \"$0\")/cost\")\n[ \"$base\" = none ] && exit 1\n"
        "while read -r request; do\n  case $request in\n"
        R"(    *'"request":"hello"'*) echo '{"reply":"hello","protocol":1,"runtime":"old","version":"1",)"
        R"("tasks":"fibers","schedulers":[")" +
        scheduler +
        R"("],"workloads":["yield"]}' ;;)"
        "\n"
        R"(    *'"request":"open"'*) echo '{"reply":"open","config":{},"parameters":{"fibers":10,)"
        R"("yields":20,"front_end":"fiber"},"operation":"yield","workers":1}' ;;)"
        "\n"
        R"(    *'"request":"round"'*) )" +
        round + " ;;\n" +
        R"(    *'"request":"close"'*) echo '{"reply":"close"}'; echo >>"${CLOSED:-/dev/null}" ;;)"
        "\n  esac\ndone\n";
    folder.Write("agent.sh", script);
    const std::string make =
        "set -e\nmkdir repo\ncd repo\ngit init -q .\ncp ../agent.sh .\nchmod +x agent.sh\n"
        "for i in 1 2 3 4 5 6 7 8 9 10; do\n"
        "  if [ $i = 3 ]; then echo none; elif [ $i -ge 7 ]; then echo 1100000; else echo 1000000; "
        "fi >cost\n"
        "  echo $i >step\n  rm -f broken\n  [ $i != 6 ] || touch broken\n  git add -A\n"
        "  git -c user.name=n -c user.email=e commit -q -m \"step $i\"\n  git tag step$i\ndone\n";
    const Finished made = Execute({"sh", "-c", make}, {.folder = folder.Path()});
    EXPECT_EQ(made.code, 0) << made.error;
  }

  static std::vector<std::string> Flags() {
    return {"--repository",
            "repo",
            "--build",
            "if test -e broken; then echo it is broken; exit 3; fi",
            "--agent",
            "./agent.sh",
            "--cache",
            "cache",
            "-w",
            "yield:fibers=10,yields=20",
            "-n",
            "1",
            "--warmup",
            "0",
            "-q"};
  }
};

Finished WithRepository(const ScratchFolder& folder, std::vector<std::string> words) {
  const std::vector<std::string> flags = RepositoryOfScripts::Flags();
  words.insert(words.end(), flags.begin(), flags.end());
  return History(folder, words);
}

TEST(History, MeasuresOldRevisionsAndMarksHoles) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  const Finished run =
      WithRepository(folder, {"measure", "step1..step8", "--revision", "now", "-b", "6"});
  ASSERT_EQ(run.code, 0) << run.out << run.error;
  EXPECT_TRUE(Has(run.out, "5 revisions in h.db, compared with now; 2 holes")) << run.out;
  EXPECT_TRUE(Has(run.out, "hole: does not build (exit code 3): it is broken")) << run.out;
  EXPECT_TRUE(Has(run.out, "hole: its agent does not answer")) << run.out;
  const auto result = ordered_json::parse(
      History(folder, {"show", "--metric", "throughput", "--format", "json"}).out);
  ASSERT_EQ(result["series"].size(), 2U) << "the values and their ratios to this program";
  EXPECT_EQ(result["series"][1]["reference"], "now");
  for (const ordered_json& series : result["series"]) {
    ASSERT_EQ(series["revisions"].size(), 5U);
    EXPECT_FALSE(series["revisions"][0]["commit_time"].is_null());
  }
  const auto& revisions = result["series"][0]["revisions"];
  EXPECT_NEAR(revisions[4]["value"].get<double>() / revisions[0]["value"].get<double>(), 1 / 1.1,
              0.02);
}

TEST(History, KeepsTheStagedWorkOfAWorktreeWhoseFolderIsAway) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  const auto shell = [&folder](const std::string& script) {
    const Finished run = Execute({"sh", "-c", "set -e\n" + script}, {.folder = folder.Path()});
    EXPECT_EQ(run.code, 0) << run.error;
    return run.out;
  };
  shell(
      "git -C repo worktree add -q --detach ../mine\necho staged >mine/new\n"
      "git -C mine add new\nmv mine unmounted");
  ASSERT_EQ(WithRepository(folder, {"measure", "step1", "--revision", "now", "-b", "1"}).code, 0);
  // An interrupted command leaves a registration without a folder. It is replaced.
  shell("rm -r cache/worktrees/*/*-*");
  const Finished again =
      WithRepository(folder, {"measure", "step1", "--revision", "new", "-b", "1"});
  ASSERT_EQ(again.code, 0) << again.error;
  shell("mv unmounted mine");
  EXPECT_EQ(shell("git -C mine diff --cached --name-only; git -C mine rev-parse HEAD"),
            "new\n" + shell("git -C repo rev-parse step10"));
}

TEST(History, EndsWithCode2IfNoRevisionCanBeMeasured) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  const Finished run = WithRepository(folder, {"measure", "step6", "--revision", "now"});
  EXPECT_EQ(run.code, 2) << run.out << run.error;
  const Finished unknown = WithRepository(folder, {"measure", "nope", "--revision", "now"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(Has(unknown.error, "repo   has no revision 'nope'; git: ")) << unknown.error;
  const Finished none = WithRepository(folder, {"measure", "HEAD..", "--revision", "now"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(Has(none.error, "repo   there is no commit in 'HEAD..'")) << none.error;
}

TEST(History, OrdersRevisionsByTheCommitsOfARepository) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  for (const char* const step : {"step9", "step2", "step5"}) {
    ASSERT_EQ(WithRepository(folder, {"measure", step, "--revision", "now", "-b", "1"}).code, 0);
  }
  const auto result = ordered_json::parse(
      History(folder, {"show", "1", "--repository", "repo", "--format", "json"}).out);
  const auto& revisions = result["series"][0]["revisions"];
  ASSERT_EQ(revisions.size(), 3U);
  EXPECT_EQ(revisions[0]["sequence"], 2);
  EXPECT_EQ(revisions[1]["sequence"], 3);
  EXPECT_EQ(revisions[2]["sequence"], 1);
}

TEST(History, BisectsRevisionsAndSkipsThoseThatDoNotBuild) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  const Finished run = WithRepository(folder, {"bisect", "step1", "step10", "--format", "json"});
  ASSERT_EQ(run.code, 0) << run.out << run.error;
  const auto result = ordered_json::parse(run.out);
  EXPECT_EQ(result["outcome"], "found");
  // Step 6 does not build: it or step 7 is the first bad one.
  ASSERT_EQ(result["cause"].size(), 2U) << run.out;
  ASSERT_EQ(result["skipped"].size(), 1U);
  EXPECT_EQ(result["subject"], "step 7");
  EXPECT_NEAR(result["difference"]["ratio"].get<double>(), 1 / 1.1, 0.02);
  const Finished exact = WithRepository(folder, {"bisect", "step4", "step9"});
  EXPECT_EQ(exact.code, 0) << exact.error;
  EXPECT_TRUE(Has(exact.out, "the first bad revision is one of ")) << exact.out;
}

TEST(History, BisectsASchedulerThatOnlyTheRevisionsHave) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder, "own");
  const auto bisect = [&folder](const std::string& scheduler) {
    return WithRepository(folder, {"bisect", "step4", "step9", "-s", scheduler});
  };
  const Finished run = bisect("own:depth=2,stack.kind=small");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "the first bad revision is one of ")) << run.out;
  EXPECT_TRUE(Has(bisect("owl").out, "it has no scheduler 'owl'; did you mean 'own'?"));
  for (const char* const wrong : {"own:a=1,a.b=2", "own:", "own:a", "own:=1", ":", ""}) {
    EXPECT_EQ(bisect(wrong).code, 2) << wrong;
  }
}

TEST(History, BisectsNothingWithoutADifference) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  const Finished same =
      WithRepository(folder, {"bisect", "step7", "step10", "--min-effect", "10%"});
  EXPECT_EQ(same.code, 0) << same.error;
  EXPECT_TRUE(Has(same.out, "no difference: GOOD and BAD are the same within 10 %")) << same.out;
  const Finished failed = WithRepository(folder, {"bisect", "step1", "step6"});
  EXPECT_EQ(failed.code, 2) << failed.out;
  EXPECT_TRUE(Has(failed.out, "step6: does not build")) << failed.out;
  const Finished wrong = WithRepository(folder, {"bisect", "step9", "step2"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(Has(wrong.error, "is not an ancestor")) << wrong.error;
}

// Ctrl-C keeps the revisions that were measured before, and the finished blocks of the one that is
// measured.
TEST(History, KeepsWhatWasMeasuredBeforeAnInterruption) {
  const ScratchFolder folder;
  const RepositoryOfScripts repository(folder);
  std::vector<std::string> words{
      "history", "measure", "step1..step10", "--db", "h.db", "--revision", "now", "-b", "1000"};
  const std::vector<std::string> flags = RepositoryOfScripts::Flags();
  words.insert(words.end(), flags.begin(), flags.end() - 1);  // not quiet: it prints when it builds
  Process process(SchedbenchCommand(words),
                  {.folder = folder.Path(),
                   .environment = {{"CLOSED", std::string(folder.Path()) + "/closed"}}});
  ASSERT_TRUE(process.WaitForError("building"));
  // A block is measured four times at most, so that the fifth agent to end is of the second one.
  Execute({"sh", "-c",
           "until [ \"$(cat closed 2>/dev/null | grep -c '^$')\" -ge 5 ]; do sleep 0.02; done"},
          {.folder = folder.Path()});
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130) << process.Error();
  const Finished list = History(folder, {"list", "--metric", "throughput"});
  EXPECT_EQ(list.code, 0) << list.error << process.Out();
  EXPECT_TRUE(Has(list.out, "throughput / now")) << list.out;

  std::vector<std::string> bisect{"history", "bisect", "step1", "step10", "-b", "100000"};
  bisect.insert(bisect.end(), flags.begin(), flags.end() - 1);
  Process search(SchedbenchCommand(bisect), {.folder = folder.Path()});
  ASSERT_TRUE(search.WaitForError("building"));
  Execute({"sleep", "0.5"});
  search.Signal(SIGINT);
  EXPECT_EQ(search.Finish(), 130) << search.Error();
  EXPECT_TRUE(Has(search.Out(), "interrupted")) << search.Out();
}

// Of five fields that differ, the workers make the workload slower.
TEST(History, BisectsTheFieldsOfAConfig) {
  const ScratchFolder folder;
  const Finished run = Execute(
      {FAULTY_TOOL, "history", "bisect", "fast:workers=1",
       "fast:workers=4,lifo_limit=7,wait_idle=fibers,global_poll_period=60,search_pause_us=40",
       "-w", "planted:by_workers=true", "-n", "1", "-q", "--format", "json"},
      {.folder = folder.Path()});
  ASSERT_EQ(run.code, 0) << run.out << run.error;
  const auto result = ordered_json::parse(run.out);
  EXPECT_EQ(result["outcome"], "found");
  EXPECT_EQ(result["candidates"], 5);
  EXPECT_EQ(result["cause"], ordered_json({"workers=4"})) << run.out;
  EXPECT_LT(result["effect"]["high"], 0.9) << "four times as long, but for what else runs";
}

TEST(History, RefusesToBisectConfigsWithoutADifferenceOfFields) {
  const ScratchFolder folder;
  const Finished same = History(folder, {"bisect", "fast", "fast"});
  EXPECT_EQ(same.code, 2);
  EXPECT_TRUE(Has(same.error, "have the same settings")) << same.error;
  const Finished other = History(folder, {"bisect", "fast", "global_fifo"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(Has(other.error, "are configs of two schedulers")) << other.error;
}

}  // namespace

}  // namespace schedbench::tests::history_test
