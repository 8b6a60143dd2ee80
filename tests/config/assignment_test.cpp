#include "config/assignment.hpp"

#include "tests/config/example_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::config::assignment_test {
namespace {

std::string SetRefusal(std::string_view assignment) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  ApplySet(assignment, settings, problems);
  EXPECT_EQ(settings, Settings::Of<ExampleConfig>());
  return TextOf(problems);
}

std::string SpecRefusal(std::string_view text) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  if (const auto spec = ParseSpec(text, "--workload", problems)) {
    ApplySpec(*spec, settings, problems);
  }
  return TextOf(problems);
}

TEST(Set, ReachesFieldsOfEveryKindByTheirPath) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  for (const std::string_view assignment :
       {"workers=4", "seed=18446744073709551615", "nice=-20", "idle_ratio=1e-1", "lifo_slot=false",
        "fibers.guard=never", "fibers.stack_bytes=16384"}) {
    ApplySet(assignment, settings, problems);
  }
  EXPECT_EQ(TextOf(problems), "");
  const ExampleConfig& config = settings.As<ExampleConfig>();
  EXPECT_EQ(config.workers, 4u);
  EXPECT_EQ(config.seed, ~std::uint64_t{0});
  EXPECT_EQ(config.nice, -20);
  EXPECT_EQ(config.idle_ratio, 0.1);
  EXPECT_FALSE(config.lifo_slot);
  EXPECT_EQ(config.fibers->guard, Guard::kNever);
  EXPECT_EQ(config.fibers->stack_bytes, 16384u);
  EXPECT_EQ(settings.OriginOf("nice"), (Origin{"--set nice=-20", ""}));
}

TEST(Set, WinsOverAnEarlierOne) {
  Settings settings = Settings::Of<ExampleConfig>();
  Problems problems;
  ApplySet("workers=4", settings, problems);
  ApplySet("workers=5", settings, problems);
  EXPECT_EQ(TextOf(problems), "");
  EXPECT_EQ(settings.As<ExampleConfig>().workers, 5u);
}

TEST(Set, RefusesATextWithoutEqualsSignWithAnExample) {
  EXPECT_EQ(SetRefusal("workers"), "--set workers   expected FIELD=VALUE, such as --set workers=0");
  EXPECT_EQ(SetRefusal(""), "--set    expected FIELD=VALUE, such as --set workers=0");
}

TEST(Set, RefusesAnUnknownFieldAndSuggestsTheNearest) {
  EXPECT_EQ(SetRefusal("fibers.gaurd=auto"),
            "--set fibers.gaurd=auto   unknown field 'fibers.gaurd'; did you mean 'fibers.guard'?");
  EXPECT_EQ(SetRefusal("stack_bytes=65536"),
            "--set stack_bytes=65536   unknown field 'stack_bytes'; "
            "did you mean 'fibers.stack_bytes'?");
  EXPECT_EQ(SetRefusal("fast.workers=1"),
            "--set fast.workers=1   unknown field 'fast.workers'; did you mean 'workers'?");
  EXPECT_EQ(SetRefusal("=5"), "--set =5   expected FIELD=VALUE, such as --set workers=0");
}

TEST(Set, RefusesAGroupAndNamesAFieldOfIt) {
  EXPECT_EQ(SetRefusal("fibers=1"),
            "--set fibers=1   'fibers' is a group; set a field of it, such as "
            "fibers.stack_bytes=65536");
}

TEST(Set, RefusesSpellingsThatOtherToolsGuessAt) {
  const auto refusal = [](const std::string& shown) {
    return "--set workers=" + shown + "   '" + shown +
           "' is not a plain whole number; expected 0..48";
  };
  for (const std::string text : {"010", "0x10", "+5", " 5", "5 ", "3.9", "3.0", "1e1", "1e300",
                                 "true", "5k", "nan", "-0", "1,000", "0b1", "--5"}) {
    EXPECT_EQ(SetRefusal("workers=" + text), refusal(text));
  }
}

TEST(Set, RefusesNumbersOutsideTheRange) {
  EXPECT_EQ(SetRefusal("workers=-1"), "--set workers=-1   '-1' is outside 0..48");
  EXPECT_EQ(SetRefusal("workers=4294967296"),
            "--set workers=4294967296   '4294967296' is outside 0..48");
  EXPECT_EQ(SetRefusal("workers=18446744073709551616"),
            "--set workers=18446744073709551616   '18446744073709551616' is outside 0..48");
  EXPECT_EQ(SetRefusal("fibers.stack_bytes=1"),
            "--set fibers.stack_bytes=1   '1' is not a power of two in 16384..1048576");
}

TEST(Set, RefusesNumbersThatAreNotFinite) {
  for (const std::string text : {"nan", "NaN", "inf", "-inf", "infinity", ".5", "1.", "0x1p-1"}) {
    EXPECT_EQ(
        SetRefusal("idle_ratio=" + text),
        fmt::format("--set idle_ratio={0}   '{0}' is not a plain decimal number; expected 0..1",
                    text));
  }
  EXPECT_EQ(
      SetRefusal("idle_ratio=1e999"),
      "--set idle_ratio=1e999   '1e999' is not a number that a double can hold; expected 0..1");
}

TEST(Set, RefusesAnEmptyValue) {
  EXPECT_EQ(SetRefusal("workers="), "--set workers=   the value is empty; expected 0..48");
  EXPECT_EQ(SetRefusal("fibers.guard="),
            "--set fibers.guard=   the value is empty; expected auto|always|never");
}

TEST(Set, RefusesNamesAndBoolsThatAreNone) {
  EXPECT_EQ(SetRefusal("lifo_slot=yes"), "--set lifo_slot=yes   'yes' is not true or false");
  EXPECT_EQ(SetRefusal("fibers.guard=allways"),
            "--set fibers.guard=allways   'allways' is not one of auto|always|never; "
            "did you mean 'always'?");
}

TEST(Set, TakesEverythingAfterTheFirstEqualsSignForTheValue) {
  EXPECT_EQ(SetRefusal("workers=1=2"),
            "--set workers=1=2   '1=2' is not a plain whole number; expected 0..48");
}

TEST(Set, ShowsTheTextOfAUserHarmlessly) {
  EXPECT_EQ(SetRefusal("lifo_slot=\x1b[2J\xff"),
            "--set lifo_slot=\\x1b[2J\\xff   '\\x1b[2J\\xff' is not true or false");
}

TEST(Spec, IsANameWithParameters) {
  Problems problems;
  const auto bare = ParseSpec("pingpong", "--workload", problems);
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->name, "pingpong");
  EXPECT_TRUE(bare->parameters.empty());

  const auto spec = ParseSpec("pingpong:workers=4,fibers.guard=never", "--workload", problems);
  ASSERT_TRUE(spec.has_value());
  EXPECT_EQ(spec->name, "pingpong");
  Settings settings = Settings::Of<ExampleConfig>();
  ApplySpec(*spec, settings, problems);
  EXPECT_EQ(TextOf(problems), "");
  EXPECT_EQ(settings.As<ExampleConfig>().workers, 4u);
  EXPECT_EQ(settings.As<ExampleConfig>().fibers->guard, Guard::kNever);
  EXPECT_EQ(settings.OriginOf("workers"),
            (Origin{"--workload pingpong:workers=4,fibers.guard=never", "workers"}));
}

TEST(Spec, NamesEveryWrongParameter) {
  EXPECT_EQ(SpecRefusal("p:workers=49,worker=1,nice="),
            "--workload p:workers=49,worker=1,nice= workers   '49' is outside 0..48\n"
            "--workload p:workers=49,worker=1,nice= worker    unknown parameter; "
            "did you mean 'workers'?\n"
            "--workload p:workers=49,worker=1,nice= nice      the value is empty; "
            "expected -20..19");
}

TEST(Spec, RefusesAParameterGivenTwice) {
  EXPECT_EQ(SpecRefusal("p:workers=1,workers=1"),
            "--workload p:workers=1,workers=1   'workers' is given twice");
}

TEST(Spec, RefusesAnotherForm) {
  const std::string form = "expected NAME or NAME:KEY=VALUE,KEY=VALUE";
  EXPECT_EQ(SpecRefusal(""), "--workload    " + form);
  EXPECT_EQ(SpecRefusal(":workers=1"), "--workload :workers=1   " + form);
  EXPECT_EQ(SpecRefusal("workers=1"), "--workload workers=1   " + form);
  EXPECT_EQ(SpecRefusal("p:"), "--workload p:   '' is not KEY=VALUE; " + form);
  EXPECT_EQ(SpecRefusal("p:workers"), "--workload p:workers   'workers' is not KEY=VALUE; " + form);
  EXPECT_EQ(SpecRefusal("p:workers=1,"), "--workload p:workers=1,   '' is not KEY=VALUE; " + form);
  EXPECT_EQ(SpecRefusal("p:=1"), "--workload p:=1   '=1' is not KEY=VALUE; " + form);
}

TEST(Spec, OfAWorkloadWithoutParametersTakesNone) {
  Settings settings = Settings::Of<EmptyConfig>();
  Problems problems;
  ApplySpec(*ParseSpec("p:n=1", "--workload", problems), settings, problems);
  EXPECT_EQ(TextOf(problems), "--workload p:n=1 n   unknown parameter; there are none");
}

}  // namespace
}  // namespace schedbench::config::assignment_test
