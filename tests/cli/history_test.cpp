#include "tests/cli/history.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// The command history as its users meet it: results in files, several processes at a time, and
// processes that are killed.

namespace schedbench::tests::history_test {

namespace {

using nlohmann::ordered_json;

// One result of compare, from which those of other revisions are made.
const ordered_json& Template() {
  static const ordered_json result = [] {
    const Finished run =
        Schedbench({"compare", "fast", "global_fifo", "-w", "yield:fibers=10,yields=20", "--blocks",
                    "6", "--rounds", "1", "--warmup", "0", "-q", "--format", "json"});
    EXPECT_EQ(run.code, 0) << run.error;
    return ordered_json::parse(run.out);
  }();
  return result;
}

// Noise of about one part in a hundred that is the same in each run of the tests.
double Noise(std::uint64_t number) {
  std::uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15U;
  mixed ^= mixed >> 29U;
  mixed *= 0xbf58476d1ce4e5b9U;
  mixed ^= mixed >> 32U;
  return 0.02 * (static_cast<double>(mixed % 10'000) / 10'000 - 0.5);
}

// Writes the result of a revision, all of whose rounds take so long.
std::string WriteResult(const ScratchFolder& folder, const std::string& revision, double wall_ns) {
  ordered_json result = Template();
  result["build"]["revision"] = revision;
  result["build"]["modified"] = false;
  for (ordered_json& workload : result["workloads"]) {
    for (auto& [name, measured] : workload["measured"].items()) {
      for (ordered_json& block : measured["blocks"]) {
        for (ordered_json& round : block) {
          round["wall_ns"] = static_cast<std::uint64_t>(wall_ns);
        }
      }
    }
  }
  const std::string file = revision + ".json";
  folder.Write(file, result.dump());
  return file;
}

// Revisions r100, r101, ... of which those from `at` on take `factor` times as long.
std::vector<std::string> WriteRevisions(const ScratchFolder& folder, std::size_t count,
                                        std::size_t at, double factor) {
  std::vector<std::string> words{"add"};
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back(WriteResult(folder, fmt::format("r{}", 100 + i),
                                1e6 * (1 + Noise(i)) * (i >= at ? factor : 1)));
  }
  return words;
}

const ordered_json& SeriesOf(const ordered_json& result, const std::string& scheduler,
                             const std::string& metric) {
  for (const ordered_json& series : result["series"]) {
    if (series["scheduler"] == scheduler && series["metric"] == metric) {
      return series;
    }
  }
  ADD_FAILURE() << "no series of " << scheduler << ", " << metric;
  return result;
}

TEST(History, FindsAPlantedChangeAndEndsWithCode1) {
  const ScratchFolder folder;
  const Finished added = History(folder, WriteRevisions(folder, 30, 18, 1.05));
  ASSERT_EQ(added.code, 0) << added.error;
  const Finished check = History(folder, {"check", "--metric", "throughput", "--format", "json"});
  EXPECT_EQ(check.code, 1) << check.out << check.error;
  const auto result = ordered_json::parse(check.out);
  EXPECT_EQ(result["regression"], true);
  for (const char* const scheduler : {"fast", "global_fifo"}) {
    const ordered_json series = SeriesOf(result, scheduler, "throughput");
    ASSERT_EQ(series["changes"].size(), 1U);
    EXPECT_GE(series["changes"][0]["at"], 17);
    EXPECT_LE(series["changes"][0]["at"], 19);
    EXPECT_NEAR(series["changes"][0]["ratio"]["ratio"].get<double>(), 1 / 1.05, 0.01);
    EXPECT_EQ(series["status"], "worse");
  }
  const Finished show = History(folder, {"show", "1"});
  EXPECT_TRUE(Has(show.out, "worse, p ")) << show.out;
}

TEST(History, RaisesNoAlarmOn100RevisionsWithoutAChange) {
  const ScratchFolder folder;
  ASSERT_EQ(History(folder, WriteRevisions(folder, 100, 100, 1)).code, 0);
  const Finished check = History(folder, {"check", "--metric", "throughput", "--require"});
  EXPECT_EQ(check.code, 0) << check.out << check.error;
  EXPECT_TRUE(Has(check.out, "no regression is proven")) << check.out;
  EXPECT_TRUE(Has(check.out, "the probability of an alarm is at most 1 % for all 2 series"))
      << check.out;
}

TEST(History, FindsNoRegressionInAnImprovement) {
  const ScratchFolder folder;
  ASSERT_EQ(History(folder, WriteRevisions(folder, 30, 15, 0.8)).code, 0);
  const Finished check = History(folder, {"check", "--metric", "throughput"});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_TRUE(Has(check.out, "better at r11")) << check.out;
}

TEST(History, NeedsEnoughRevisionsIfTheyAreRequired) {
  const ScratchFolder folder;
  ASSERT_EQ(History(folder, WriteRevisions(folder, 3, 3, 1)).code, 0);
  EXPECT_EQ(History(folder, {"check"}).code, 0);
  EXPECT_EQ(History(folder, {"check", "--require"}).code, 3);
}

TEST(History, DoesNotCompareMachines) {
  const ScratchFolder folder;
  ASSERT_EQ(History(folder, WriteRevisions(folder, 3, 3, 1)).code, 0);
  auto other = ordered_json::parse(folder.Read(WriteResult(folder, "r200", 2e6)));
  other["machine"]["cpu_model"] = "another";
  folder.Write("r200.json", other.dump());
  ASSERT_EQ(History(folder, {"add", "r200.json"}).code, 0);
  const Finished check = History(folder, {"check", "--metric", "throughput"});
  EXPECT_EQ(check.code, 5) << check.out;
  EXPECT_TRUE(Has(check.out, "r200 is another machine")) << check.out;
  EXPECT_EQ(History(folder, {"check", "--metric", "throughput", "--here"}).code, 0);
  EXPECT_FALSE(Has(History(folder, {"list", "--here"}).out, "another"));
}

TEST(History, ChangesNothingIfAResultIsAddedTwice) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  ASSERT_EQ(History(folder, {"add", file}).code, 0);
  const std::string before = folder.Read("h.db");
  const Finished again = History(folder, {"add", file});
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(Has(again.out, "already there, nothing changed")) << again.out;
  EXPECT_EQ(folder.Read("h.db"), before);
  const Finished other = History(folder, {"add", file, "--revision", "r2"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(Has(other.error, "as one of the revision 'r1', not 'r2'")) << other.error;
}

TEST(History, TakesResultsOfRunSweepAndScale) {
  const ScratchFolder folder;
  const std::vector<std::string> few{"-n", "1", "--warmup", "0", "-q", "-o"};
  const auto measure = [&](std::vector<std::string> words, const std::string& file) {
    words.insert(words.end(), few.begin(), few.end());
    words.push_back(file);
    const Finished run = Schedbench(words, {.folder = folder.Path()});
    ASSERT_EQ(run.code, 0) << run.error;
    const Finished added = History(folder, {"add", file, "--revision", "r1"});
    EXPECT_EQ(added.code, 0) << added.error;
  };
  measure({"run", "-w", "yield:fibers=10,yields=20"}, "run.json");
  measure({"sweep", "fast", "-w", "yield:fibers=10,yields=20", "--over", "workers=1,2", "-b", "2"},
          "sweep.json");
  measure({"scale", "fast", "-w", "yield:fibers=10,yields=20", "--workers", "1,2", "-b", "2"},
          "scale.json");
  const Finished list = History(folder, {"list"});
  EXPECT_TRUE(Has(list.out, "fast:workers=1")) << list.out;
  EXPECT_TRUE(Has(list.out, "yield:fibers=10,yields=20")) << list.out;
}

// Each wrong file adds nothing, also where others in the same command are right.
TEST(History, RefusesWrongResultsAndAddsNothing) {
  const ScratchFolder folder;
  const std::string good = WriteResult(folder, "r1", 1e6);
  const std::string text = folder.Read(good);
  const auto refusal = [&](const std::string& content, int code) {
    folder.Write("bad.json", content);
    const Finished run = History(folder, {"add", good, "bad.json"});
    EXPECT_EQ(run.code, code) << run.error;
    EXPECT_FALSE(std::filesystem::exists(folder.Path() + "/h.db")) << run.error;
    return run.error;
  };
  EXPECT_TRUE(Has(refusal("", 2), "bad.json"));
  EXPECT_TRUE(Has(refusal(text.substr(0, text.size() / 2), 2), "bad.json"));
  EXPECT_TRUE(Has(refusal("[]", 2), "expected a result of schedbench"));
  const auto changed = [&text](auto change) {
    auto json = ordered_json::parse(text);
    change(json);
    return json.dump();
  };
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["kind"] = "audit"; }), 2),
                  "'audit' has no values for a history"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["schema_version"] = 99; }), 5),
                  "schema_version: 99 in the file"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["perturbed"] = "2 hogs"; }), 5),
                  "was disturbed on purpose"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["places"] = {{{"name", "box"}}}; }), 5),
                  "was measured on other machines"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["build"]["modified"] = true; }), 2),
                  "--revision REV"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["build"]["revision"] = "a\nb"; }), 2),
                  "/build/revision   has characters that cannot be printed"));
  EXPECT_TRUE(Has(refusal(changed([](auto& json) { json["rows"][0]["better"] = "up"; }), 2),
                  "/rows/0/better"));
  EXPECT_TRUE(
      Has(refusal(changed([](auto& json) { json["workloads"] = ordered_json::array(); }), 2),
          "has no finished measurement"));
}

TEST(History, RefusesNamesOfRevisionsThatCannotBePrinted) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  for (const char* const name : {"", "a\nb", "a\x1b[31m", "a\tb"}) {
    const Finished run = History(folder, {"add", file, "--revision", name});
    EXPECT_EQ(run.code, 2) << name;
    EXPECT_TRUE(Has(run.error, "--revision ")) << run.error;
    EXPECT_TRUE(Has(run.error,
                    *name == '\0' ? "the value is empty" : "has characters that cannot be printed"))
        << run.error;
    EXPECT_FALSE(std::filesystem::exists(folder.Path() + "/h.db"));
  }
  EXPECT_EQ(History(folder, {"add", file, "--revision", "v1 \xc3\xa4"}).code, 0);
}

TEST(History, ReportsThatItIsEmptyAndThatOneBlockHasNoSpread) {
  const ScratchFolder folder;
  folder.Write("h.db", "");
  for (const char* const action : {"list", "show", "check"}) {
    const Finished run = History(folder, {action});
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_EQ(run.out, "  'h.db' is empty    schedbench history add RESULT.json\n");
  }
  const Finished run = Schedbench(
      {"run", "-w", "yield:fibers=10,yields=20", "-n", "2", "--warmup", "0", "-q", "-o", "r.json"},
      {.folder = folder.Path()});
  ASSERT_EQ(run.code, 0) << run.error;
  ASSERT_EQ(History(folder, {"add", "r.json", "--revision", "v1"}).code, 0);
  const Finished show = History(folder, {"show", "--metric", "throughput"});
  EXPECT_FALSE(Has(show.out, "±")) << show.out;
  EXPECT_FALSE(Has(show.out, "+-")) << show.out;
}

TEST(History, LeavesNoFileIfItCannotBeCreated) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  const auto before = folder.Names();
  // No file may grow beyond 1 KiB.
  const Finished run = Execute(
      {"sh", "-c", "ulimit -f 1; exec " SCHEDBENCH_BINARY " history add " + file + " --db new.db"},
      {.folder = folder.Path()});
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_TRUE(Has(run.error, "cannot use 'new.db'")) << run.error;
  EXPECT_EQ(folder.Names(), before);
}

TEST(History, AddsNoneOfSeveralResultsIfOneIsThereAsAnotherRevision) {
  const ScratchFolder folder;
  const std::string first = WriteResult(folder, "v1", 1e6);
  const std::string third = WriteResult(folder, "r3", 1e6);
  ASSERT_EQ(History(folder, {"add", first}).code, 0);
  const std::string before = folder.Read("h.db");
  const Finished run = History(folder, {"add", third, first, "--revision", "v7"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(Has(run.error, "as one of the revision 'v1', not 'v7'")) << run.error;
  EXPECT_EQ(folder.Read("h.db"), before);
  const Finished both = History(folder, {"add", third, first});
  EXPECT_EQ(both.code, 0) << both.error;
  EXPECT_TRUE(Has(both.out, "v1.json: ")) << both.out;
}

TEST(History, RefusesOtherFilesDamagedOnesAndNewerSchemas) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  const auto refusal = [&](const std::string& content, int code) {
    folder.Write("h.db", content);
    for (const char* const action : {"list", "check", "add"}) {
      const Finished run =
          History(folder, std::string(action) == "add" ? std::vector<std::string>{"add", file}
                                                       : std::vector<std::string>{action});
      EXPECT_EQ(run.code, code) << run.error;
      EXPECT_EQ(folder.Read("h.db"), content) << "it must not be changed";
      if (run.code != code || action == std::string("add")) {
        return run.error;
      }
    }
    return std::string();
  };
  ASSERT_EQ(History(folder, {"add", file}).code, 0);
  const std::string whole = folder.Read("h.db");
  EXPECT_TRUE(Has(refusal("no database", 2), "is not a history of schedbench"));
  EXPECT_TRUE(Has(refusal(whole.substr(0, whole.size() / 2), 2), "is damaged"));
  EXPECT_TRUE(Has(refusal(whole.substr(0, whole.size() - 100), 2), "is damaged"));
  std::string newer = whole;
  newer[63] = 2;  // the last byte of user_version, big endian
  EXPECT_TRUE(Has(refusal(newer, 5), "is a history of a newer schedbench: its schema is 2"));
  std::string other = whole;
  other[68] = 'x';  // application_id
  EXPECT_TRUE(Has(refusal(other, 2), "is a database of another program"));
  EXPECT_EQ(History(folder, {"list", "--db", folder.Path()}).code, 2);
}

TEST(History, KeepsAllResultsOfTwoWritersAtATime) {
  const ScratchFolder folder;
  constexpr std::size_t kEach = 15;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < 2 * kEach; ++i) {
    files.push_back(WriteResult(folder, fmt::format("r{}", i), 1e6 + static_cast<double>(i)));
  }
  std::vector<std::unique_ptr<Process>> writers;
  for (std::size_t writer = 0; writer < 2; ++writer) {
    std::string script;
    for (std::size_t i = 0; i < kEach; ++i) {
      script += fmt::format("{} history add {} --db h.db || exit 1\n", SCHEDBENCH_BINARY,
                            files[writer * kEach + i]);
    }
    writers.push_back(std::make_unique<Process>(std::vector<std::string>{"sh", "-c", script},
                                                ProcessOptions{.folder = folder.Path()}));
  }
  for (const auto& writer : writers) {
    EXPECT_EQ(writer->Finish(), 0) << writer->Error();
  }
  const auto result = ordered_json::parse(History(folder, {"show", "--format", "json"}).out);
  EXPECT_EQ(SeriesOf(result, "fast", "throughput")["revisions"].size(), 2 * kEach);
  EXPECT_EQ(std::filesystem::exists(folder.Path() + "/h.db-journal"), false);
}

// Killed at any time, the history has each result whole or not at all, and takes the others
// afterwards.
TEST(History, SurvivesProcessesThatAreKilled) {
  const ScratchFolder folder;
  std::vector<std::string> words{"history", "add"};
  for (int i = 0; i < 40; ++i) {
    words.push_back(WriteResult(folder, fmt::format("r{}", 100 + i), 1e6 + i));
  }
  const auto show = [&folder](const std::string& file) {
    const Finished shown = Schedbench({"history", "show", "--db", file, "--format", "json"},
                                      {.folder = folder.Path()});
    EXPECT_EQ(shown.code, 0) << shown.error;
    return ordered_json::parse(shown.out)["series"];
  };
  ASSERT_EQ(
      Schedbench({"history", "add", words.back(), "--db", "whole.db"}, {.folder = folder.Path()})
          .code,
      0);
  const ordered_json whole = show("whole.db");
  words.insert(words.end(), {"--db", "h.db"});
  for (int kill = 0; kill < 12; ++kill) {
    Process writer(SchedbenchCommand(words), {.folder = folder.Path()});
    // Kills come at other moments: before the first result, between results, or after the last one.
    Execute({"sleep", fmt::format("0.{:03}", 5 + 15 * kill)});
    writer.Signal(SIGKILL);
    writer.Finish();
    if (!std::filesystem::exists(folder.Path() + "/h.db")) {
      continue;
    }
    const ordered_json shown = show("h.db");
    EXPECT_TRUE(shown.empty() || shown.size() == whole.size()) << shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      for (const ordered_json& revision : shown[i]["revisions"]) {
        EXPECT_EQ(revision["results"].size(), 1U);
        EXPECT_EQ(revision["results"][0].size(), whole[i]["revisions"][0]["results"][0].size());
      }
    }
  }
  const Finished rest = Schedbench(words, {.folder = folder.Path()});
  EXPECT_EQ(rest.code, 0) << rest.error;
  const auto result = ordered_json::parse(History(folder, {"show", "--format", "json"}).out);
  EXPECT_EQ(SeriesOf(result, "fast", "throughput")["revisions"].size(), 40U);
}

TEST(History, UsesTheFolderOfXdgDataHome) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  const Finished added = Schedbench(
      {"history", "add", file},
      {.folder = folder.Path(), .environment = {{"XDG_DATA_HOME", folder.Path() + "/x"}}});
  EXPECT_EQ(added.code, 0) << added.error;
  EXPECT_TRUE(std::filesystem::exists(folder.Path() + "/x/schedbench/history.db"));
  const Finished home = Schedbench(
      {"history", "add", file},
      {.folder = folder.Path(),
       .environment = {{"XDG_DATA_HOME", "relative"}, {"HOME", folder.Path() + "/user"}}});
  EXPECT_EQ(home.code, 0) << home.error;
  EXPECT_TRUE(std::filesystem::exists(folder.Path() + "/user/.local/share/schedbench/history.db"));
}

// With --db, with the default, and through a link.
TEST(History, NeverOverwritesItself) {
  const ScratchFolder folder;
  const std::string file = WriteResult(folder, "r1", 1e6);
  const ProcessOptions options{.folder = folder.Path(),
                               .environment = {{"XDG_DATA_HOME", folder.Path() + "/x"}}};
  const std::string whole = folder.Path() + "/x/schedbench/history.db";
  ASSERT_EQ(Schedbench({"history", "add", file}, options).code, 0);
  const std::string before = folder.Read("x/schedbench/history.db");
  std::filesystem::create_symlink(whole, folder.Path() + "/link.json");
  std::filesystem::create_symlink(whole, folder.Path() + "/link.html");
  const std::vector<std::vector<std::string>> cases{
      {"list", "--db", whole, "-o", whole},
      {"list", "--db", whole, "-o", "link.json"},
      {"list", "--db", "link.json", "-o", "x/schedbench/history.db"},
      {"show", "-o", whole},
      {"check", "-o", "link.json"},
      {"plot", "-o", "link.html"},
      {"bisect", "fast", "fast:lifo_limit=0", "-o", "link.json"}};
  for (std::vector<std::string> words : cases) {
    words.insert(words.begin(), "history");
    const Finished run = Schedbench(words, options);
    EXPECT_EQ(run.code, 2) << words[1];
    EXPECT_TRUE(Has(run.error, "would overwrite the input")) << run.error;
    EXPECT_EQ(folder.Read("x/schedbench/history.db"), before) << words[1];
  }
  EXPECT_EQ(Schedbench({"history", "list", "-o", "other.json"}, options).code, 0);
}

TEST(History, RefusesFlagsAndWordsThatAnActionDoesNotUse) {
  const ScratchFolder folder;
  const Finished flag = History(folder, {"list", "--alpha", "1%"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_TRUE(Has(flag.error, "history list does not use it")) << flag.error;
  EXPECT_EQ(History(folder, {"show", "x"}).code, 2);
  EXPECT_EQ(History(folder, {"plot"}).code, 2);
  EXPECT_EQ(History(folder, {"add"}).code, 2);
  EXPECT_EQ(History(folder, {"measure"}).code, 2);
  EXPECT_EQ(History(folder, {"bisect", "fast"}).code, 2);
}

}  // namespace

}  // namespace schedbench::tests::history_test
