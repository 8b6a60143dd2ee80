#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <string>
#include <vector>

namespace schedbench::tests::tune_test {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// The best x of the scheduler "planted" is 3, and its default sleeps 65 times as long for a
// submission.
const Words kPlanted{FAULTY_TOOL,  "tune",    "planted", "-w",          "wrong_answer:in_round=0",
                     "--over",     "x",       "--over",  "nothing=1,2", "-b",
                     "9",          "-n",      "1",       "--warmup",    "0",
                     "--hold-out", "planted", "--seed",  "1",           "-q"};

Words With(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Tune, FindsThePlantedOptimumAndSavesItsConfigWithTheEvidence) {
  const ScratchFolder folder;
  Words words = kPlanted;
  words[6] = "x=2..7";
  const Finished found = Execute(With(words, {"--save-config", "best.json", "-f", "json"}),
                                 {.folder = folder.Path(), .environment = {}});
  ASSERT_EQ(found.code, 0) << found.error;
  const json result = json::parse(found.out);
  EXPECT_EQ(result["kind"], "tune");
  EXPECT_EQ(result["answer"], "better");
  EXPECT_EQ(result["full_grid"], true);
  EXPECT_EQ(result["candidates"].size(), 12U);
  const json& best = result["candidates"][result["best"].get<std::size_t>()];
  EXPECT_EQ(best["place"]["x"], "3");
  EXPECT_EQ(result["ratios"][0]["verdict"], "better");
  EXPECT_GT(result["ratios"][0]["ratio"]["low"], 2);
  // The first rung measures few blocks, so one that a busy kernel stops takes a part of the rest.
  EXPECT_GT(result["importance"][0]["shares"]["x"], 0.5);
  const json saved = json::parse(folder.Read("best.json"));
  EXPECT_EQ(saved["scheduler"], "planted");
  EXPECT_EQ(saved["x"], 3);
  EXPECT_TRUE(Has(saved["x-evidence"]["answer"], "Better than the default: x=3"));
  EXPECT_EQ(saved["x-evidence"]["ratios"][0]["verdict"], "better");
  const Finished again = Execute({FAULTY_TOOL, "run", "--config", "best.json", "-w",
                                  "wrong_answer:in_round=0", "-n", "1", "-f", "json"},
                                 {.folder = folder.Path(), .environment = {}});
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(json::parse(again.out)["config"]["x"], 3);
}

TEST(Tune, DropsACandidateThatCrashesAndReportsItWithCode4) {
  Words words = kPlanted;
  words[6] = "x=3,9";
  const Finished run = Execute(words);
  EXPECT_EQ(run.code, 4) << run.error;
  EXPECT_TRUE(Has(run.out, "Better than the default: x=3")) << run.out;
  EXPECT_TRUE(Has(run.out, "dropped x=9: ")) << run.out;
  EXPECT_TRUE(Has(run.out, FAULTY_TOOL " run --scheduler planted --set x=3")) << run.out;
}

TEST(Tune, OfAFieldWithoutEffectFindsNoBetterSettingAndSavesTheDefault) {
  const ScratchFolder folder;
  Words words = kPlanted;
  words[6] = "nothing=1,2,4,8";
  words.erase(words.begin() + 7, words.begin() + 9);
  const Finished run = Execute(With(words, {"--save-config", "same.json", "--min-effect", "50%"}),
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "\nNo setting is better than the default\n")) << run.out;
  const json saved = json::parse(folder.Read("same.json"));
  EXPECT_EQ(saved.size(), 2U) << saved;
  EXPECT_EQ(saved["x-evidence"]["answer"], "No setting is better than the default");
}

TEST(Tune, HasNoAnswerWithADefaultThatFails) {
  const ScratchFolder folder;
  Words words = kPlanted;
  words[2] = "planted:x=9";
  const Finished run = Execute(With(words, {"--save-config", "c.json"}),
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 4) << run.error;
  EXPECT_TRUE(Has(run.out, "\nNo answer\n  the default has failed: ")) << run.out;
  EXPECT_TRUE(Has(run.error, "c.json: not written, because there is no answer")) << run.error;
}

TEST(Tune, ContinuesAJournalThatWasCut) {
  const ScratchFolder folder;
  const auto tune = [&](const Words& more) {
    Words words = kPlanted;
    words[6] = "x=2,3,7";
    words.erase(words.end() - 3, words.end() - 1);  // the seed
    return Execute(With(With(words, {"--journal", "j", "-f", "json"}), more),
                   {.folder = folder.Path(), .environment = {}});
  };
  const Finished whole = tune({});
  ASSERT_EQ(whole.code, 0) << whole.error;
  const std::string journal = folder.Read("j");
  // In the search and in the comparison.
  for (const std::size_t size : {journal.size() / 3, journal.size() - 100}) {
    folder.Write("j", journal.substr(0, size));
    const Finished again = tune({});
    ASSERT_EQ(again.code, 0) << again.error;
    EXPECT_EQ(json::parse(again.out)["seed"], json::parse(whole.out)["seed"]);
    EXPECT_TRUE(folder.Read("j").starts_with(journal.substr(0, journal.rfind('\n', size - 1))));
  }
  folder.Write("j", journal);
  json same = json::parse(tune({}).out);
  json first = json::parse(whole.out);
  // The load of the machine, and what it has disturbed.
  for (const char* const key : {"machine", "blocks_repeated", "blocks_disturbed"}) {
    same.erase(key);
    first.erase(key);
  }
  EXPECT_TRUE(same == first) << json::diff(first, same).dump(1).substr(0, 1000);
  EXPECT_EQ(folder.Read("j"), journal);
  const Finished other = tune({"--objective", "cpu"});
  EXPECT_EQ(other.code, 5);
  EXPECT_TRUE(Has(other.error, "plan, --objective: ")) << other.error;
  const Finished sweep =
      Execute({FAULTY_TOOL, "sweep", "planted", "-w", "busy", "--over", "x=1,2", "--journal", "j"},
              {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(sweep.code, 2);
  EXPECT_TRUE(Has(sweep.error, "is not a journal of schedbench sweep")) << sweep.error;
}

TEST(Tune, ReportsWhatItHasAfterAnInterruption) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const ScratchFolder folder;
  Words words = kPlanted;
  words[10] = "100000";
  words.pop_back();  // -q
  Process process(With(words, {"-f", "json", "--save-config", folder.Path() + "/c.json"}),
                  {.folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError("comparison  "));
  ASSERT_TRUE(process.WaitForError(" left"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130) << process.Error();
  const json result = json::parse(process.Out());
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["finalists"].size(), 3U);
  EXPECT_EQ(result["saved_config"], nullptr);
}

TEST(Tune, EndsTheSearchAndTheComparisonWithTheBudget) {
  Words words = kPlanted;
  words[10] = "100000";
  const Finished run = Execute(With(words, {"--budget", "1s", "-f", "json"}));
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], false);
  // A busy machine may not measure enough in this time.
  EXPECT_EQ(run.code, result["answer"] == "unknown" ? 2 : 0) << run.error;
}

TEST(Tune, WithoutTimeForAComparisonIsNotComplete) {
  const Finished run = Execute(With(kPlanted, {"--budget", "1ms", "-f", "json"}));
  EXPECT_EQ(run.code, 2) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["search_cut_short"], true);
  EXPECT_EQ(result["answer"], "unknown");
}

TEST(Tune, ResetsFieldsThatHaveNoEffectWithTheOthers) {
  const Finished list = Schedbench({"tune", "fast:workers=2", "--over", "lifo_limit=0,3", "--over",
                                    "lifo_steal=never,delayed", "--list", "--hold-out", "none"});
  EXPECT_EQ(list.code, 0) << list.error;
  EXPECT_TRUE(
      list.out.starts_with("  lifo_limit  lifo_steal\n"
                           "           3     delayed  the default\n"
                           "           0     delayed\n"
                           "           3       never\n"))
      << list.out;
}

}  // namespace

}  // namespace schedbench::tests::tune_test
