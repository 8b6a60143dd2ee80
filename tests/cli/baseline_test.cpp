#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::tests::baseline_test {

namespace {

using nlohmann::json;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// All tests of a process start from the same small comparison, made once.
class Baseline : public testing::Test {
 protected:
  Baseline() {
    static const std::string saved = Save(folder_, Path());
    folder_.Write("saved.json", saved);
    saved_ = json::parse(saved);
  }

  static std::string Save(const ScratchFolder& folder, const std::string& path) {
    const Finished run = Compare({"fast", "thread_per_task", "-o", path});
    EXPECT_EQ(run.code, 0) << run.error;
    return folder.Read("saved.json");
  }

  static Finished Compare(std::vector<std::string> words) {
    const std::vector<std::string> small{
        "compare", "-w", "spawn_join:tasks=50", "-b", "6", "--metric", "throughput", "--seed", "1"};
    words.insert(words.begin(), small.begin(), small.end());
    return Schedbench(words);
  }

  std::string Path() const {
    return folder_.Path() + "/saved.json";
  }

  // Against what saved_ is now.
  Finished Against(std::vector<std::string> words) const {
    folder_.Write("saved.json", saved_.dump(2));
    words.insert(words.end(), {"--baseline", Path()});
    return Compare(std::move(words));
  }

  void ExpectRefused(const std::string& difference) const {
    const Finished run = Against({"fast"});
    EXPECT_EQ(run.code, 5) << run.error;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(Has(run.error, "saved.json' is not comparable:\n")) << run.error;
    EXPECT_TRUE(Has(run.error, difference)) << run.error;
  }

  void ExpectNoResult(const std::string& message) const {
    const Finished run = Against({"fast"});
    EXPECT_EQ(run.code, 2) << run.error;
    EXPECT_TRUE(Has(run.error, "saved.json")) << run.error;
    EXPECT_TRUE(Has(run.error, message)) << run.error;
  }

  ScratchFolder folder_;
  json saved_;
};

TEST_F(Baseline, IsWhatEachOfItsNameIsComparedWith) {
  const Finished run = Against({"thread_per_task", "fast", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["baseline"], Path());
  ASSERT_EQ(result["alternatives"].size(), 4U);
  EXPECT_EQ(result["alternatives"][1]["name"], "fast (saved)");
  EXPECT_EQ(result["alternatives"][1]["saved"], true);
  EXPECT_EQ(result["alternatives"][2]["saved"], false);
  ASSERT_EQ(result["rows"].size(), 4U);
  EXPECT_FALSE(result["rows"][1].contains("against"));
  EXPECT_EQ(result["rows"][2]["against"], "thread_per_task (saved)");
  EXPECT_EQ(result["rows"][3]["against"], "fast (saved)");
  EXPECT_EQ(result["rows"][3]["alternative"], "fast");
  EXPECT_LE(result["rows"][3]["ratio"]["low"].get<double>(),
            result["rows"][3]["ratio"]["high"].get<double>());
  EXPECT_GT(result["rows"][3]["ranks"]["p"].get<double>(), 0);
  EXPECT_EQ(result["workloads"][0]["measured"]["fast (saved)"],
            saved_["workloads"][0]["measured"]["fast"])
      << "every round is read back";
}

TEST_F(Baseline, ReportsARegressionOfOneAlone) {
  // Half a billion tasks a second.
  for (json& block : saved_["workloads"][0]["measured"]["fast"]["blocks"]) {
    for (json& round : block) {
      round["wall_ns"] = 1000;
    }
  }
  const Finished run = Against({"mine=global_fifo", "--fail-if", "throughput<-50%"});
  EXPECT_EQ(run.code, 1) << run.out << run.error;
  EXPECT_TRUE(Has(run.out, "mine against a baseline\n")) << run.out;
  EXPECT_TRUE(Has(run.out, "drift of the machine is not cancelled\n")) << run.out;
  EXPECT_TRUE(Has(run.out, "measure both in turn: schedbench compare")) << run.out;
  EXPECT_TRUE(Has(run.out, "effect large\n")) << run.out;
  EXPECT_TRUE(Has(run.out, "mine against fast (saved): worse 1\n")) << run.out;
}

TEST_F(Baseline, OfAnotherConfigIsReportedWithWhatDiffers) {
  const Finished same = Against({"fast"});
  EXPECT_FALSE(Has(same.out, " then and ")) << same.out;
  const Finished changed = Against({"fast=fast:lifo_limit=0,steal_batch=7"});
  EXPECT_EQ(changed.code, 0) << changed.error;
  EXPECT_TRUE(
      Has(changed.out,
          "\n  saved   fast: lifo_limit 3 then and 0 now, steal_batch 128 then and 7 now\n"))
      << changed.out;
  const Finished other = Against({"fast=global_fifo"});
  EXPECT_TRUE(Has(other.out, "\n  saved   fast is global_fifo and fast (saved) fast\n"))
      << other.out;
}

TEST_F(Baseline, OfTooFewBlocksProvesNothing) {
  json& blocks = saved_["workloads"][0]["measured"]["fast"]["blocks"];
  blocks.erase(blocks.begin(), blocks.begin() + 4);
  const Finished run = Against({"fast", "--require", "throughput>=-99%"});
  EXPECT_EQ(run.code, 3) << run.out << run.error;
  EXPECT_TRUE(Has(run.out, "2 saved and 6 new blocks prove nothing: more --blocks")) << run.out;
}

TEST_F(Baseline, OfAnotherMachineIsRefused) {
  saved_["machine"]["cpu_model"] = "Abacus";
  saved_["machine"]["cpus_allowed"] = 77;
  saved_["machine"]["load_average"] = {99, 99, 99};
  ExpectRefused("machine, cpu_model: \"Abacus\" in the file, ");
  ExpectRefused("machine, cpus_allowed: 77 in the file, ");
}

TEST_F(Baseline, OfAnotherKernelIsRefused) {
  saved_["machine"]["kernel"] = "Linux 0.01";
  ExpectRefused("machine, kernel: \"Linux 0.01\" in the file, ");
}

TEST_F(Baseline, OfAnotherKindOfBuildIsRefusedButNotOfAnotherRevision) {
  saved_["build"]["revision"] = "0000";
  EXPECT_EQ(Against({"fast"}).code, 0);
  for (const char* const key : {"compiler", "flags", "sanitizer", "allocator"}) {
    const json good = saved_;
    saved_["build"][key] = "other";
    ExpectRefused(fmt::format("build, {}: \"other\" in the file, ", key));
    saved_ = good;
  }
}

TEST_F(Baseline, OfAnotherSchemaIsRefused) {
  saved_["schema_version"] = 1000;
  ExpectRefused("schema_version: 1000 in the file, ");
}

TEST_F(Baseline, OfOtherWorkIsRefused) {
  saved_["warmup"] = 7;
  ExpectRefused("warm-up (--warmup): 7 in the file, 1 now");
  saved_["warmup"] = 1;
  saved_["workloads"][0]["parameters"]["tasks"] = 299;
  ExpectRefused("workload spawn_join, tasks: 299 in the file, 50 now");
  saved_["workloads"][0]["workload"] = "pingpong";
  ExpectRefused("workload spawn_join: not in the file");
}

TEST_F(Baseline, ThatIsNotAResultIsRefusedWithItsLocation) {
  json good = saved_;
  saved_["workloads"][0]["measured"]["fast"]["blocks"][1][0]["wall_ns"] = "soon";
  ExpectNoResult(
      "/workloads/0/measured/fast/blocks/1/0/wall_ns   \"soon\" is not a whole number from 0 to "
      "18446744073709551615; expected a result of schedbench compare");
  saved_ = good;
  saved_.erase("machine");
  ExpectNoResult("/machine   is missing");
  saved_ = json::array();
  ExpectNoResult("saved.json   is not an object; expected a result");
  folder_.Write("saved.json", "{\n  \"schema_version\": 1,,\n}");
  const Finished run = Compare({"fast", "--baseline", Path()});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "saved.json:2:")) << run.error;
  EXPECT_EQ(Compare({"fast", "--baseline", folder_.Path() + "/none.json"}).code, 2);
}

TEST_F(Baseline, ThatDidNotFinishIsNothingToCompareWith) {
  saved_["workloads"][0]["measured"]["fast"]["failure"] = "DEADLOCK";
  const Finished run = Against({"fast"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "nothing to compare with")) << run.out;
  EXPECT_TRUE(Has(run.out, "fast (saved): in the baseline: DEADLOCK")) << run.out;
}

}  // namespace

}  // namespace schedbench::tests::baseline_test
