#include "config/apply_json.hpp"

#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::config::apply_json_test {
namespace {

// Applies a text to fresh settings; returns what is wrong with it.
std::string Refusal(std::string text) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  const auto document = JsonDocument::Parse(std::move(text), "f.json", problems);
  if (document) {
    ApplyJson(*document, document->Root(), settings, problems, {"scheduler"});
  }
  return TextOf(problems);
}

TEST(ApplyJson, SetsFieldsOfEveryKindAndRecordsWhereTheyStood) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  const auto document = JsonDocument::Parse(
      R"({"scheduler": "example", "workers": 2, "seed": 18446744073709551615, "nice": -5,
          "idle_ratio": 1, "lifo_slot": false,
          "fibers": {"stack_bytes": 16384, "guard": "always"}})",
      "f.json", problems);
  ApplyJson(*document, document->Root(), settings, problems, {"scheduler"});
  EXPECT_EQ(TextOf(problems), "");
  const ExampleConfig& config = settings.As<ExampleConfig>();
  EXPECT_EQ(config.workers, 2u);
  EXPECT_EQ(config.seed, ~std::uint64_t{0});
  EXPECT_EQ(config.nice, -5);
  EXPECT_EQ(config.idle_ratio, 1.0);
  EXPECT_FALSE(config.lifo_slot);
  EXPECT_EQ(config.fibers->stack_bytes, 16384u);
  EXPECT_EQ(config.fibers->guard, Guard::kAlways);
  EXPECT_EQ(config.lifo_limit, 16u);
  EXPECT_EQ(settings.OriginOf("fibers.guard"), (Origin{"f.json:3:53", "/fibers/guard"}));
  EXPECT_EQ(settings.OriginOf("lifo_limit"), Origin{});
}

TEST(ApplyJson, LaysOneFileOverAnother) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  const auto first = JsonDocument::Parse(R"({"workers": 2, "nice": 3})", "a.json", problems);
  const auto second = JsonDocument::Parse(R"({"workers": 4})", "b.json", problems);
  ApplyJson(*first, first->Root(), settings, problems);
  ApplyJson(*second, second->Root(), settings, problems);
  EXPECT_EQ(settings.As<ExampleConfig>().workers, 4u);
  EXPECT_EQ(settings.As<ExampleConfig>().nice, 3);
  EXPECT_EQ(settings.OriginOf("workers").where, "b.json:1:13");
}

TEST(ApplyJson, AppliesAnObjectInsideADocument) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  const auto document =
      JsonDocument::Parse(R"({"runs": [{"workers": 3, "nice": 99}]})", "s.json", problems);
  ApplyJson(*document, document->Root().Find("runs")->elements.at(0), settings, problems);
  EXPECT_EQ(settings.As<ExampleConfig>().workers, 3u);
  EXPECT_EQ(TextOf(problems), "s.json:1:34 /runs/0/nice   99 is outside -20..19");
}

TEST(ApplyJson, LeavesNotesAlone) {
  EXPECT_EQ(Refusal(R"({"$schema": "fast.json", "x-why": [1, {"y": 2}],
                        "fibers": {"x-note": null}})"),
            "");
}

TEST(ApplyJson, KnowsTheSchemaKeyAtTheTopOnly) {
  EXPECT_EQ(Refusal(R"({"fibers": {"$schema": ""}})"),
            "f.json:1:13 /fibers/$schema   unknown field; expected one of stack_bytes, guard");
}

TEST(ApplyJson, RefusesAnUnknownKeyAndSuggestsTheNearest) {
  EXPECT_EQ(Refusal(R"({"lifo_lmit": 1})"),
            "f.json:1:2 /lifo_lmit   unknown field; did you mean 'lifo_limit'?");
  EXPECT_EQ(Refusal(R"({"schedular": "fast"})"),
            "f.json:1:2 /schedular   unknown field; did you mean 'scheduler'?");
  EXPECT_EQ(Refusal(R"({"fibers": {"gaurd": "auto"}})"),
            "f.json:1:13 /fibers/gaurd   unknown field; did you mean 'guard'?");
}

TEST(ApplyJson, FindsTheGroupOfAFieldThatStandsOutsideIt) {
  EXPECT_EQ(Refusal(R"({"stack_bytes": 65536})"),
            "f.json:1:2 /stack_bytes   unknown field; did you mean 'fibers.stack_bytes'?");
}

TEST(ApplyJson, NamesTheNearestFieldsIfNoneIsNear) {
  EXPECT_EQ(Refusal(R"({"banana": 1})"),
            "f.json:1:2 /banana   unknown field; did you mean 'nice', 'seed' or 'fibers'?");
}

TEST(ApplyJson, RefusesWholeNumbersOutsideTheRange) {
  EXPECT_EQ(Refusal(R"({"workers": -1})"), "f.json:1:13 /workers   -1 is outside 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 49})"), "f.json:1:13 /workers   49 is outside 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 4294967297})"),
            "f.json:1:13 /workers   4294967297 is outside 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 18446744073709551616})"),
            "f.json:1:13 /workers   18446744073709551616 is outside 0..48");
  EXPECT_EQ(Refusal(R"({"seed": 18446744073709551616})"),
            "f.json:1:10 /seed   18446744073709551616 is outside 0..18446744073709551615");
  EXPECT_EQ(Refusal(R"({"nice": -9223372036854775809})"),
            "f.json:1:10 /nice   -9223372036854775809 is outside -20..19");
}

TEST(ApplyJson, RefusesForAWholeNumberWhatIsNone) {
  EXPECT_EQ(Refusal(R"({"workers": 3.9})"),
            "f.json:1:13 /workers   3.9 is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 3.0})"),
            "f.json:1:13 /workers   3.0 is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 1e3})"),
            "f.json:1:13 /workers   1e3 is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": 1e300})"),
            "f.json:1:13 /workers   1e300 is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": -0})"),
            "f.json:1:13 /workers   -0 is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": true})"),
            "f.json:1:13 /workers   true is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": "4"})"),
            "f.json:1:13 /workers   \"4\" is not a plain whole number; expected 0..48    "
            "write it without quotes");
  EXPECT_EQ(Refusal(R"({"workers": "four"})"),
            "f.json:1:13 /workers   \"four\" is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": null})"),
            "f.json:1:13 /workers   null is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"workers": [4]})"),
            "f.json:1:13 /workers   an array is not a plain whole number; expected 0..48");
  EXPECT_EQ(Refusal(R"({"nice": 0.5})"),
            "f.json:1:10 /nice   0.5 is not a plain whole number; expected -20..19");
}

TEST(ApplyJson, RefusesWhatIsNotAPowerOfTwo) {
  EXPECT_EQ(Refusal(R"({"fibers": {"stack_bytes": 65537}})"),
            "f.json:1:28 /fibers/stack_bytes   65537 is not a power of two in 16384..1048576");
  EXPECT_EQ(Refusal(R"({"fibers": {"stack_bytes": 8192}})"),
            "f.json:1:28 /fibers/stack_bytes   8192 is not a power of two in 16384..1048576");
  EXPECT_EQ(Refusal(R"({"fibers": {"stack_bytes": {}}})"),
            "f.json:1:28 /fibers/stack_bytes   an object is not a plain whole number; expected "
            "a power of two in 16384..1048576");
}

TEST(ApplyJson, RefusesForARealNumberWhatIsNoneOrTooLarge) {
  EXPECT_EQ(Refusal(R"({"idle_ratio": 1.5})"), "f.json:1:16 /idle_ratio   1.5 is outside 0..1");
  EXPECT_EQ(Refusal(R"({"idle_ratio": -1e-9})"), "f.json:1:16 /idle_ratio   -1e-9 is outside 0..1");
  EXPECT_EQ(Refusal(R"({"idle_ratio": "0.5"})"),
            "f.json:1:16 /idle_ratio   \"0.5\" is not a plain decimal number; expected 0..1    "
            "write it without quotes");
  EXPECT_EQ(
      Refusal(R"({"idle_ratio": 1e-999})"),
      "f.json:1:16 /idle_ratio   1e-999 is not a number that a double can hold; expected 0..1");
  EXPECT_EQ(Refusal(R"({"idle_ratio": 1e999})"), "f.json:1:16   1e999 is too large for a number");
}

TEST(ApplyJson, RefusesForABoolWhatIsNone) {
  EXPECT_EQ(Refusal(R"({"lifo_slot": 1})"), "f.json:1:15 /lifo_slot   1 is not true or false");
  EXPECT_EQ(Refusal(R"({"lifo_slot": "true"})"),
            "f.json:1:15 /lifo_slot   \"true\" is not true or false    write it without quotes");
}

TEST(ApplyJson, RefusesANameThatTheEnumDoesNotHave) {
  EXPECT_EQ(Refusal(R"({"fibers": {"guard": "allways"}})"),
            "f.json:1:22 /fibers/guard   \"allways\" is not one of auto|always|never; "
            "did you mean 'always'?");
  EXPECT_EQ(Refusal(R"({"fibers": {"guard": "Never"}})"),
            "f.json:1:22 /fibers/guard   \"Never\" is not one of auto|always|never; "
            "did you mean 'never'?");
  EXPECT_EQ(Refusal(R"({"fibers": {"guard": "banana"}})"),
            "f.json:1:22 /fibers/guard   \"banana\" is not one of auto|always|never");
  EXPECT_EQ(Refusal(R"({"fibers": {"guard": 0}})"),
            "f.json:1:22 /fibers/guard   0 is not one of auto|always|never");
}

TEST(ApplyJson, RefusesAGroupOrAConfigThatIsNotAnObject) {
  EXPECT_EQ(Refusal(R"({"fibers": 5})"),
            "f.json:1:12 /fibers   this is a group; its value must be an object; fields: "
            "stack_bytes, guard");
  EXPECT_EQ(Refusal("[1]"),
            "f.json:1:1   a config must be an object; fields: workers, seed, nice, idle_ratio, "
            "lifo_slot, fibers, lifo_limit");
}

TEST(ApplyJson, ReportsEverythingThatIsWrongWithAFileAtOnce) {
  EXPECT_EQ(Refusal("{\n  \"workers\": 100,\n  \"workers\": 1,\n  \"lifo_lmit\": 1,\n"
                    "  \"fibers\": {\"guard\": \"on\"}\n}"),
            "f.json:3:3  /workers        duplicate key; the first one is at 2:3\n"
            "f.json:2:14 /workers        100 is outside 0..48\n"
            "f.json:4:3  /lifo_lmit      unknown field; did you mean 'lifo_limit'?\n"
            "f.json:5:23 /fibers/guard   \"on\" is not one of auto|always|never");
}

TEST(ApplyJson, ShowsTheTextOfAUserHarmlesslyAndCut) {
  EXPECT_EQ(Refusal("{\"lifo_slot\": \"\\u001b[2J\\u202e" + std::string(100, 'z') + "\"}"),
            "f.json:1:15 /lifo_slot   \"\\x1b[2J\\u{202e}" + std::string(75, 'z') +
                "...\" is not true or false");
  EXPECT_EQ(Refusal("{\"workers\": 1" + std::string(200, '0') + "}"),
            "f.json:1:13 /workers   1" + std::string(79, '0') + "... is outside 0..48");
}

TEST(ApplyJson, StaysFastWithManyWrongKeysOfWhichAnObjectMayHaveSome) {
  const auto refusal_of = [](int keys) {
    std::string text = "{\"k\": 0";
    for (int i = 1; i < keys; ++i) {
      text += ", \"key" + std::to_string(i) + "\": 0";
    }
    return Refusal(text + "}");
  };
  const std::string refusal = refusal_of(4096);
  EXPECT_EQ(std::ranges::count(refusal, '\n'), 99) << refusal;
  for (const int keys : {4097, 100'000}) {
    EXPECT_NE(refusal_of(keys).find("an object with more than 4096 keys"), std::string::npos);
  }
}

}  // namespace
}  // namespace schedbench::config::apply_json_test
