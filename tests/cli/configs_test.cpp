#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace schedbench::tests::configs_test {

namespace {

// `validate` prints the problems and `run` refuses with the same ones; both with code 2.
void ExpectProblems(const std::string& text, const std::string& problems, int count = 1) {
  const ScratchFolder folder;
  folder.Write("my.json", text);
  const ProcessOptions here{.folder = folder.Path(), .environment = {}};

  const Finished validate = Schedbench({"validate", "my.json"}, here);
  EXPECT_EQ(validate.code, 2) << text;
  EXPECT_EQ(validate.out, problems) << text;
  EXPECT_EQ(validate.error, std::to_string(count) + " problem" + (count == 1 ? "" : "s") +
                                "    schedbench describe scheduler NAME lists the fields\n");

  const Finished run = Schedbench({"run", "--config", "my.json"}, here);
  EXPECT_EQ(run.code, 2) << text;
  EXPECT_EQ(run.out, "") << text;
  EXPECT_EQ(run.error,
            "error: " + (count == 1 ? "" : std::to_string(count) + " problems\n") + problems)
      << text;
}

std::string Fast(const std::string& fields) {
  return "{\"scheduler\": \"fast\",\n" + fields + "}";
}

TEST(Config, DuplicateKeyIsRefusedWithBothPlaces) {
  ExpectProblems(Fast("\"workers\": 1,\n \"workers\": 2"),
                 "my.json:3:2 /workers   duplicate key; the first one is at 2:1\n");
}

TEST(Config, OfTheCurrentFolderDoesNotChangeWhatListAndDescribeShow) {
  const ScratchFolder folder;
  folder.Write("fast.json", R"({"scheduler": "global_fifo", "wrokers": 1})");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "configs"}, {"describe", "config", "fast"}}) {
    const Finished here = Schedbench(words, {.folder = folder.Path()});
    EXPECT_EQ(here.code, 0) << here.error;
    EXPECT_EQ(here.out, Schedbench(words).out);
  }
}

TEST(Config, UnknownKeyIsRefusedWithTheNearestOne) {
  ExpectProblems(
      Fast("\"local_queue_capacitty\": 256"),
      "my.json:2:1 /local_queue_capacitty   unknown field; did you mean 'local_queue_capacity'?\n");
  ExpectProblems(Fast("\"stacks\": {\"byte\": 65536}"),
                 "my.json:2:12 /stacks/byte   unknown field; did you mean 'bytes'?\n");
}

TEST(Config, NumbersOfAnotherTypeOrOutsideTheLimitsAreRefused) {
  const auto refuse = [](const std::string& value, const std::string& message) {
    ExpectProblems(Fast("\"workers\": " + value), "my.json:2:12 /workers   " + message + "\n");
  };
  refuse("-1", "-1 is outside 0..1024");
  refuse("4294967297", "4294967297 is outside 0..1024");
  refuse("18446744073709551616", "18446744073709551616 is outside 0..1024");
  refuse("1000000000", "1000000000 is outside 0..1024");
  refuse("3.9", "3.9 is not a plain whole number; expected 0..1024");
  refuse("3.0", "3.0 is not a plain whole number; expected 0..1024");
  refuse("1e300", "1e300 is not a plain whole number; expected 0..1024");
  refuse("true", "true is not a plain whole number; expected 0..1024");
  refuse("null", "null is not a plain whole number; expected 0..1024");
  refuse("\"2\"", "\"2\" is not a plain whole number; expected 0..1024    write it without quotes");
  refuse("[2]", "an array is not a plain whole number; expected 0..1024");
  ExpectProblems(Fast("\"local_queue_capacity\": 100"),
                 "my.json:2:25 /local_queue_capacity   100 is not a power of two in 2..65536\n");
  ExpectProblems(Fast("\"stacks\": {\"bytes\": 1}"),
                 "my.json:2:21 /stacks/bytes   1 is not a power of two in 16384..16777216\n");
  ExpectProblems(Fast("\"stacks\": {\"guard\": \"atuo\"}"),
                 "my.json:2:21 /stacks/guard   \"atuo\" is not one of auto|madvise|mprotect|none; "
                 "did you mean "
                 "'auto'?\n");
}

TEST(Config, AllProblemsOfAFileAreShownAtOnce) {
  ExpectProblems(Fast("\"workers\": -1,\n\"lifo_limt\": 3"),
                 "my.json:2:12 /workers     -1 is outside 0..1024\n"
                 "my.json:3:1  /lifo_limt   unknown field; did you mean 'lifo_limit'?\n",
                 2);
}

// Only that it is refused, at which place: the wording of the reader is tested with the reader.
void ExpectRefusedAt(const std::string& text, const std::string& place) {
  const ScratchFolder folder;
  folder.Write("my.json", text);
  const Finished run =
      Schedbench({"run", "-c", "my.json"}, {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 2) << text;
  EXPECT_EQ(run.out, "") << text;
  EXPECT_TRUE(run.error.starts_with("error: " + place + "   ")) << run.error;
}

TEST(Config, TextThatIsNotJsonIsRefusedWithItsLocation) {
  ExpectRefusedAt("{\"scheduler\": \"fast\",\n \"workers\": NaN}", "my.json:2:13");
  ExpectRefusedAt("{\"scheduler\": \"fast\",\n \"workers\": 1e999}", "my.json:2:13");
  ExpectRefusedAt("{\"scheduler\": \"fast\",\n // workers\n}", "my.json:2:2");
  ExpectRefusedAt("{\"scheduler\": \"fast\",\n}", "my.json:1:21");
  ExpectRefusedAt("{\"scheduler\": \"fast\", \"x-note\": \"\xff\"}", "my.json:1:34");
  ExpectRefusedAt("", "my.json:1:1");
}

TEST(Config, IsReadFromStdinByADash) {
  const Finished run = Execute({"sh", "-c",
                                R"(echo '{"scheduler": "fast", "workers": 1}' | )" SCHEDBENCH_BINARY
                                " run -c - -w yield:fibers=1,yields=1 -n 1 -f json"});
  EXPECT_EQ(run.code, 0) << run.error;
  const Finished wrong =
      Execute({"sh", "-c", R"(echo '{"scheduler": 1}' | )" SCHEDBENCH_BINARY " run -c -"});
  EXPECT_TRUE(wrong.error.starts_with("error: stdin:1:15 /scheduler   ")) << wrong.error;
}

TEST(Config, MustNameItsScheduler) {
  ExpectProblems("{\"workers\": 1}",
                 "my.json:1:1   the key \"scheduler\" is missing; it names the scheduler of this "
                 "config\n");
  ExpectProblems(
      "{\"scheduler\": \"fsat\"}",
      "my.json:1:15 /scheduler   unknown scheduler 'fsat'; did you mean 'fast'?    schedbench list "
      "schedulers\n");
  ExpectProblems(
      "{\"scheduler\": 1}",
      "my.json:1:15 /scheduler   the name of the scheduler must be a string    schedbench list "
      "schedulers\n");
  ExpectProblems("[]",
                 "my.json:1:1   a config must be an object, such as {\"scheduler\": \"fast\"}\n");
}

TEST(Config, PartsThatDoNotExistAreRefusedWithTheNearestOnes) {
  const auto refuse = [](const std::string& scheduler, const std::string& field,
                         const std::string& value, const std::string& message) {
    ExpectProblems(
        "{\"scheduler\": \"" + scheduler + "\",\n\"" + field + "\": " + value + "}",
        "my.json:2:" + std::to_string(field.size() + 5) + " /" + field + "   " + message + "\n");
  };
  refuse("work_stealing", "local_queue", "\"rings\"",
         "\"rings\" is not one of mutex|lfab|two_head|ring; did you mean 'ring'?");
  refuse("work_stealing", "pick_order", "\"s1\"",
         "\"s1\" is not one of s0|s3|s4; did you mean 's0'?");
  refuse("work_stealing", "steal", "1", "1 is not one of one|half");
  refuse("bounded_pool", "limit", "0", "0 is outside 1..1000000");
  refuse("cached_pool", "max_threads", "1000001", "1000001 is outside 0..1000000");
  refuse("thread_per_task", "max_threads", "-1", "-1 is outside 0..1000000");
  refuse("single_thread", "global_poll_period", "0", "0 is outside 1..1000000");
}

TEST(Config, PartsThatDoNotFitTogetherAreRefusedAndSayWhatIsMissing) {
  ExpectProblems("{\"scheduler\": \"work_stealing\",\n\"global_queue\": \"take_all\"}",
                 "my.json:2:17 /global_queue   take_all takes the whole queue at once, and needs "
                 "local_queue=mutex, which has no limit\n"
                 "my.json:2:17 /global_queue   take_all takes the whole queue at once, and needs "
                 "global_grab=all\n",
                 2);
}

TEST(Config, OfAPublishedAlgorithmHasNoFieldForWhatItsNameFixes) {
  ExpectRefusedAt(
      "{\"scheduler\": \"WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf\",\n"
      "\"steal\": \"one\"}",
      "my.json:2:1 /steal");
}

TEST(Config, MayNameItsSchedulerByItsOtherName) {
  const ScratchFolder folder;
  folder.Write("my.json", "{\"scheduler\": \"GlobalFIFO\"}");
  const Finished run = Schedbench(
      {"run", "-c", "my.json", "-s", "global_fifo", "-w", "yield:fibers=1,yields=1", "-n", "1"},
      {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 0) << run.error;
}

TEST(Config, NotesAndAByteOrderMarkAreNotProblems) {
  const ScratchFolder folder;
  folder.Write("my.json", "\xEF\xBB\xBF" + Fast("\"x-note\": {\"why\": 1}, \"$schema\": \"any\""));
  const Finished run =
      Schedbench({"validate", "my.json"}, {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "my.json: ok\n");
}

TEST(Config, ThatDoesNotExistIsRefusedWithTheNearestShippedOne) {
  const auto refuse = [](const std::string& name, const std::string& message) {
    const Finished run = Schedbench({"run", "-c", name});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.error, "error: " + message + "\n");
  };
  refuse("fats.json",
         "unknown config 'fats.json': no file in this folder and no shipped config; did you mean "
         "'fast.json'?    "
         "schedbench list configs");
  refuse("fast",
         "unknown config 'fast': no file in this folder and no shipped config; did you mean "
         "'fast.json'?    "
         "schedbench list configs");
  refuse("./fast.json", "./fast.json   cannot be read: No such file or directory");
  refuse("/", "/   is a directory");
}

TEST(Config, OfTheCurrentFolderComesBeforeTheShippedOneOfThatName) {
  const ScratchFolder folder;
  folder.Write("fast.json", "{\"scheduler\": \"fats\"}");
  const Finished run =
      Schedbench({"validate", "fast.json"}, {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.out.find("fast.json:1:15"), std::string::npos);
}

TEST(Validate, ChecksEveryFileAndSaysOkOfTheGoodOnes) {
  const ScratchFolder folder;
  folder.Write("good.json", "{\"scheduler\": \"fast\", \"workers\": 0}");
  folder.Write("bad.json", "{\"scheduler\": \"fast\", \"workers\": 9999}");
  const Finished run = Schedbench({"validate", "bad.json", "good.json", "none.json"},
                                  {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(
      run.out,
      "bad.json:1:34 /workers   9999 is outside 0..1024\n"
      "good.json: ok\n"
      "unknown config 'none.json': no file in this folder and no shipped config; did you mean "
      "'fast.json', 'gmp.json' or 'bounded_pool.json'?    schedbench list configs\n");
  EXPECT_EQ(run.error, "2 problems    schedbench describe scheduler NAME lists the fields\n");
}

TEST(ShippedConfigs, AreValid) {
  ASSERT_FALSE(registry::ShippedConfigs().empty());
  for (const registry::ShippedConfig& config : registry::ShippedConfigs()) {
    const Finished run = Schedbench({"validate", std::string(config.name)});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_EQ(run.out, std::string(config.name) + ": ok\n");
  }
}

// Variants of one scheduler aside, which its config has as parts.
TEST(ShippedConfigs, ThereIsOneForEachScheduler) {
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    if (!entry->name.starts_with("WorkStealing_")) {
      EXPECT_EQ(Schedbench({"validate", std::string(entry->name) + ".json"}).code, 0)
          << entry->name;
    }
  }
}

TEST(ShippedConfigs, NameTheSchemaOfTheirSchedulerForEditors) {
  for (const registry::ShippedConfig& config : registry::ShippedConfigs()) {
    const auto json = nlohmann::json::parse(config.text);
    const std::string scheduler = json["scheduler"];
    EXPECT_EQ(json["$schema"], "schema/" + scheduler + ".json") << config.name;
  }
}

}  // namespace

}  // namespace schedbench::tests::configs_test
