#include "registry/pages.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests::study_test {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// The default of the scheduler "planted" sleeps 65 times as long for a submission as x=3.
const Words kPlanted{"planted", "best=planted:x=3"};
const Words kWork{"-w",       "wrong_answer:in_round=0",
                  "--metric", "throughput",
                  "-b",       "9",
                  "-n",       "1",
                  "--warmup", "0",
                  "--seed",   "1"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Study : public testing::Test {
 protected:
  Finished Run(const Words& words) const {
    return Execute(Words{FAULTY_TOOL, "study", "s"} + words,
                   {.folder = folder_.Path(), .environment = {}});
  }

  json Result() const {
    return json::parse(folder_.Read("s.json"));
  }

  const ScratchFolder folder_;
};

TEST_F(Study, WritesThePageTheResultAndTheJournalByItsName) {
  SCHEDBENCH_SKIP_IF(registry::ChartPage().empty() ? std::string(registry::kNoPages) : "");
  const Finished run = Run(kPlanted + kWork + Words{"--hog", "1", "--for", "10ms"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(folder_.Names(), (Words{"s.html", "s.journal", "s.json"}));
  const json result = Result();
  EXPECT_EQ(result["kind"], "study");
  ASSERT_EQ(result["problems"].size(), 2U);
  EXPECT_EQ(result["problems"][1]["perturbation"], "--hog 1");
  EXPECT_EQ(result["largest_difference"]["alternative"], "best");
  EXPECT_EQ(result["largest_difference"]["verdict"], "better");
  EXPECT_EQ(result["profiles"]["best"][0]["share"], 1);
  EXPECT_EQ(result["profiles"]["planted"][0]["share"], 0);
  EXPECT_TRUE(Has(run.out, "Where the time goes")) << run.out;
  EXPECT_TRUE(Has(run.out, "schedbench profile --scheduler planted")) << run.out;
  EXPECT_TRUE(Has(folder_.Read("s.html"), "Performance profiles"));
}

TEST_F(Study, RepeatsTheFlagsOfTheUserInTheCommandThatComparesAgain) {
  const Finished run =
      Run(kPlanted + kWork +
          Words{"--timeout", "30s", "--min-effect", "3%", "--for", "0", "-o", "s.json"});
  ASSERT_EQ(run.code, 0) << run.error;
  std::string words = run.out.substr(std::min(run.out.find("schedbench compare "), run.out.size()));
  words = std::regex_replace(words, std::regex("\\s+"), " ");  // lines are wrapped
  EXPECT_TRUE(words.starts_with(
      "schedbench compare planted best=planted:x=3 --workload wrong_answer:in_round=0 --blocks 9 "
      "--rounds 1 --warmup 0 --seed 1 --timeout 30s --min-effect 3% --metric throughput "))
      << run.out;
}

TEST_F(Study, DisturbsEachProblemAsItsFlagsSay) {
  const Finished run = Schedbench(
      Words{"study", "s", "fast", "global_fifo", "-w", "yield:fibers=2,yields=3", "-b", "1", "-n",
            "1", "--for", "0", "--workers", "1,3", "--stall", "5%,500us", "-o", "s.json", "-q"},
      {.folder = folder_.Path(), .environment = {}});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = Result();
  Words names;
  for (const json& workload : result["comparison"]["workloads"]) {
    names.push_back(workload["name"]);
  }
  const std::string plain = "yield:fibers=2,yields=3";
  EXPECT_EQ(names, (Words{plain, plain + " --stall 5%,500us", plain + " --workers 1",
                          plain + " --workers 3"}));
  const auto workers = [&](std::size_t problem) {
    return result["comparison"]["workloads"][problem]["measured"]["fast"]["effective_config"]
                 ["workers"];
  };
  EXPECT_EQ(workers(2), 1);
  EXPECT_EQ(workers(3), 3);
}

TEST_F(Study, ContinuesAfterAnInterruptionAndThenMeasuresNothingAgain) {
  const Words words = Words{"fast",  "global_fifo", "-w", "yield:fibers=2,yields=3",
                            "-b",    "100000",      "-n", "1",
                            "--for", "0",           "-o", "s.json"};
  Process process(SchedbenchCommand(Words{"study", "s"} + words),
                  {.folder = folder_.Path(), .environment = {}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError("block 3 of"));
  process.Signal(SIGINT);
  ASSERT_EQ(process.Finish(), 130) << process.Error();
  const std::size_t known =
      Result()["comparison"]["workloads"][0]["measured"]["fast"]["blocks"].size();
  EXPECT_GE(known, 2U);
  Words fewer = words;
  fewer[5] = "2";
  const Finished again =
      Schedbench(Words{"study", "s"} + fewer, {.folder = folder_.Path(), .environment = {}});
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_TRUE(Has(again.error, fmt::format("s.journal: continues after {} begun blocks\n", known)))
      << again.error;
  EXPECT_TRUE(Has(again.out, "no difference is proven in 2 blocks")) << again.out;
  const std::string journal = folder_.Read("s.journal");
  EXPECT_EQ(
      Schedbench(Words{"study", "s"} + fewer, {.folder = folder_.Path(), .environment = {}}).code,
      0);
  EXPECT_EQ(folder_.Read("s.journal"), journal);
  fewer[3] = "yield:fibers=2,yields=4";
  const Finished other =
      Schedbench(Words{"study", "s"} + fewer, {.folder = folder_.Path(), .environment = {}});
  EXPECT_EQ(other.code, 5);
  EXPECT_TRUE(Has(other.error, "is the journal of another schedbench study")) << other.error;
  EXPECT_TRUE(Has(other.error,
                  "\nto start again, choose another name of the study, or remove 's.journal'\n"))
      << other.error;
  const Finished typed = Schedbench(Words{"study", "s"} + fewer + Words{"--journal", "s.journal"},
                                    {.folder = folder_.Path(), .environment = {}});
  EXPECT_TRUE(Has(typed.error, "\nname another file to start again\n")) << typed.error;
}

TEST_F(Study, OfSavedResultsHasTheirRoundsAndVerdicts) {
  ASSERT_EQ(Execute(Words{FAULTY_TOOL, "compare"} + kPlanted + kWork + Words{"-o", "a.json", "-q"},
                    {.folder = folder_.Path(), .environment = {}})
                .code,
            0);
  ASSERT_EQ(Execute(Words{FAULTY_TOOL, "compare"} + kPlanted + kWork +
                        Words{"--hog", "1", "-o", "b.json", "-q"},
                    {.folder = folder_.Path(), .environment = {}})
                .code,
            0);
  json disturbed = json::parse(folder_.Read("b.json"));
  const json& of_best = disturbed["workloads"][0]["measured"]["best"];
  json block{{"workload", "wrong_answer:in_round=0"},
             {"block", 4},
             {"reason", "other programs took 200 % of the CPU time (cc1plus)"},
             {"steal_share", 0.0},
             {"others_share", 2.0},
             {"busiest", "cc1plus"},
             {"throttled", 0},
             {"replaced", json::object()}};
  disturbed["disturbed"] = {block, block};
  disturbed["disturbed"][0]["replaced"] = {{"planted", json::array()},
                                           {"best", of_best["blocks"][0]}};
  folder_.Write("b.json", disturbed.dump());
  const Finished run = Run({"--from", "a.json", "--from", "b.json", "--for", "0", "-o", "s.json"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "other programs took 200 % of the CPU time (cc1plus)")) << run.out;
  const json saved = json::parse(folder_.Read("a.json"));
  const json result = Result();
  EXPECT_EQ(result["comparison"]["workloads"][0]["measured"], saved["workloads"][0]["measured"]);
  EXPECT_EQ(result["comparison"]["rows"][1]["verdict"], "better");
  EXPECT_EQ(result["problems"][1]["perturbation"], "1 hog");
  json carried = result["comparison"]["disturbed"];
  carried.erase(carried.begin(), carried.end() - 2);
  for (json& one : disturbed["disturbed"]) {
    one["workload"] = "wrong_answer:in_round=0 1 hog";
  }
  EXPECT_EQ(carried, disturbed["disturbed"]);
  // A study is a saved result too.
  ASSERT_EQ(Run({"--from", "s.json", "--for", "0", "-o", "t.json"}).code, 0);
  const json second = json::parse(folder_.Read("t.json"));
  EXPECT_EQ(second["profiles"], result["profiles"]);
  EXPECT_EQ(second["problems"], result["problems"]);
  EXPECT_EQ(second["comparison"]["disturbed"], result["comparison"]["disturbed"]);
  const Finished alone = Run({"--from", "b.json", "--for", "0", "-o", "t.json"});
  EXPECT_TRUE(Has(alone.out, "schedbench profile --scheduler planted")) << alone.out;
  EXPECT_FALSE(Has(alone.out, "--seed 1 1 hog")) << alone.out;
}

TEST_F(Study, RefusesSavedResultsThatDoNotBelongTogether) {
  ASSERT_EQ(Execute(Words{FAULTY_TOOL, "compare"} + kPlanted + kWork + Words{"-o", "a.json", "-q"},
                    {.folder = folder_.Path(), .environment = {}})
                .code,
            0);
  const auto refused = [this](const std::string& file) {
    return Run({"--from", "a.json", "--from", file, "-o", "s.json"});
  };
  const Finished twice = refused("a.json");
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(Has(twice.error, "a.json /workloads/0   is also in another file")) << twice.error;
  json other = json::parse(folder_.Read("a.json"));
  other["alternatives"][0]["name"] = "else";
  folder_.Write("b.json", other.dump());
  const Finished named = refused("b.json");
  EXPECT_EQ(named.code, 5);
  EXPECT_TRUE(Has(named.error, "alternatives: \"else, best\" in the file")) << named.error;
  other = json::parse(folder_.Read("a.json"));
  other["rounds"] = 2;
  other["warmup"] = 3;
  folder_.Write("b.json", other.dump());
  const Finished longer = refused("b.json");
  EXPECT_EQ(longer.code, 5);
  EXPECT_TRUE(Has(longer.error, "rounds in a block (--rounds): 2 in the file, 1 in 'a.json'"))
      << longer.error;
  EXPECT_TRUE(Has(longer.error, "warm-up (--warmup): 3 in the file, 0 in 'a.json'"))
      << longer.error;
  other = json::parse(folder_.Read("a.json"));
  other["alternatives"].erase(1);
  folder_.Write("b.json", other.dump());
  EXPECT_TRUE(Has(refused("b.json").error, "/alternatives   has fewer than 2 alternatives"));
  other = json::parse(folder_.Read("a.json"));
  other["machine"]["cpu_model"] = "another";
  folder_.Write("b.json", other.dump());
  EXPECT_EQ(refused("b.json").code, 5);
  other = json::parse(folder_.Read("a.json"));
  other["workloads"][0]["workload"] = "none";
  folder_.Write("b.json", other.dump());
  EXPECT_TRUE(
      Has(refused("b.json").error, "/workloads/0/workload   is not a workload of this program"));
  other["workloads"][0].erase("measured");
  folder_.Write("b.json", other.dump());
  EXPECT_TRUE(Has(refused("b.json").error, "/workloads/0/measured   is missing"));
}

TEST_F(Study, RefusesOtherFlagsInsteadOfAPerturbation) {
  ASSERT_EQ(Execute(Words{FAULTY_TOOL, "compare"} + kPlanted + kWork + Words{"-o", "a.json", "-q"},
                    {.folder = folder_.Path(), .environment = {}})
                .code,
            0);
  const Words from_a{"--from", "a.json", "--for", "0", "-o", "s.json"};
  json comparison = json::parse(folder_.Read("a.json"));
  ASSERT_EQ(Run(from_a).code, 0);
  json study = Result();
  const auto refusal = [&](json& perturbation, const char* text) {
    perturbation = text;
    folder_.Write("a.json", comparison.dump());
    folder_.Write("b.json", study.dump());
    const bool is_study = &perturbation != &comparison["perturbed"];
    Words words = from_a;
    words[1] = is_study ? "b.json" : "a.json";
    const Finished run = Run(words);
    EXPECT_EQ(run.code, run.error.empty() ? 0 : 2) << text;
    return run.error;
  };
  constexpr const char* kNone = "is none of --stall, --hog and --workers with a value";
  for (const auto& [text, complaint] :
       {std::pair{"--output x", kNone}, std::pair{"--hog", kNone},
        std::pair{"--hog 0", "--hog: '0' is outside 1.."},
        std::pair{"--hog 2 --output x", "--hog: '2 --output x' is not"},
        std::pair{"--stall 5%", "--stall: must be a share"},
        std::pair{"--workers x", "--workers: 'x' is not"}, std::pair{"1 hog --output x", kNone},
        std::pair{"-o x", kNone}}) {
    const std::string of_comparison = refusal(comparison["perturbed"], text);
    EXPECT_TRUE(Has(of_comparison, fmt::format("a.json /perturbed   {}", complaint)))
        << of_comparison;
    const std::string of_study = refusal(study["problems"][0]["perturbation"], text);
    EXPECT_TRUE(Has(of_study, fmt::format("b.json /problems/0/perturbation   {}", complaint)))
        << of_study;
  }
  for (const char* const text : {"--hog 1", "--stall 5%,500us", "--workers 2", "2 hogs"}) {
    EXPECT_EQ(refusal(study["problems"][0]["perturbation"], text), "") << text;
  }
}

TEST_F(Study, DoesNotOverwriteAConfigOfItsName) {
  folder_.Write("s.json", R"({"scheduler": "fast"})");
  const Finished run = Schedbench({"study", "s", "./s.json", "fast", "-b", "1"},
                                  {.folder = folder_.Path(), .environment = {}});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "the study would overwrite the input './s.json'")) << run.error;
}

}  // namespace

}  // namespace schedbench::tests::study_test
