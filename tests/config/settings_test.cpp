#include "config/settings.hpp"

#include "config/schema.hpp"
#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::config::settings_test {
namespace {

struct OneField {
  Field<"only", 0.25, Range{0.0, 1.0}, "The only one"> only;
};

struct OneGroup {
  Group<"fibers", FiberExample, "Stacks"> fibers;
};

struct Outer {
  Field<"first", true, AnyOf{}, "Before the group"> first;
  Group<"middle", OneGroup, "A group with a group"> middle;
};

TEST(Schema, ListsTheFieldsInTheOrderOfTheirDeclaration) {
  const Schema& schema = SchemaOf<ExampleConfig>();
  EXPECT_EQ(schema.FieldNames(),
            (std::vector<std::string_view>{"workers", "seed", "nice", "idle_ratio", "lifo_slot",
                                           "fibers", "lifo_limit"}));
  EXPECT_EQ(schema.LeafPaths(),
            (std::vector<std::string_view>{"workers", "seed", "nice", "idle_ratio", "lifo_slot",
                                           "fibers.stack_bytes", "fibers.guard", "lifo_limit"}));
}

TEST(Schema, KnowsStructsOfNoneOneAndNestedMembers) {
  EXPECT_TRUE(SchemaOf<EmptyConfig>().Leaves().empty());
  EXPECT_EQ(SchemaOf<OneField>().LeafPaths(), (std::vector<std::string_view>{"only"}));
  EXPECT_EQ(
      SchemaOf<Outer>().LeafPaths(),
      (std::vector<std::string_view>{"first", "middle.fibers.stack_bytes", "middle.fibers.guard"}));
}

TEST(Schema, DescribesWhatAFieldAllows) {
  const Schema& schema = SchemaOf<ExampleConfig>();
  EXPECT_EQ(schema.FindLeaf("workers")->field->Allowed(), "0..48");
  EXPECT_EQ(schema.FindLeaf("seed")->field->Allowed(), "0..18446744073709551615");
  EXPECT_EQ(schema.FindLeaf("nice")->field->Allowed(), "-20..19");
  EXPECT_EQ(schema.FindLeaf("idle_ratio")->field->Allowed(), "0..1");
  EXPECT_EQ(schema.FindLeaf("lifo_slot")->field->Allowed(), "true|false");
  EXPECT_EQ(schema.FindLeaf("fibers.guard")->field->Allowed(), "auto|always|never");
  EXPECT_EQ(schema.FindLeaf("fibers.stack_bytes")->field->Allowed(), "16384..1048576 ^2");
}

TEST(Schema, FindsNothingUnderAnUnknownNameOrThePathOfAGroup) {
  const Schema& schema = SchemaOf<ExampleConfig>();
  EXPECT_EQ(schema.FindField("worker"), nullptr);
  EXPECT_EQ(schema.FindLeaf("fibers"), nullptr);
  EXPECT_EQ(schema.FindLeaf("guard"), nullptr);
}

TEST(Schema, AdmitsValuesOfItsKindInsideTheLimitsOnly) {
  const FieldInfo& workers = *SchemaOf<ExampleConfig>().FindLeaf("workers")->field;
  EXPECT_TRUE(workers.Admits(std::uint64_t{48}));
  EXPECT_FALSE(workers.Admits(std::uint64_t{49}));
  EXPECT_FALSE(workers.Admits(std::int64_t{1}));
  EXPECT_FALSE(workers.Admits(true));
  const FieldInfo& stack = *SchemaOf<FiberExample>().FindLeaf("stack_bytes")->field;
  EXPECT_TRUE(stack.Admits(std::uint64_t{1048576}));
  EXPECT_FALSE(stack.Admits(std::uint64_t{65537}));
  const FieldInfo& guard = *SchemaOf<FiberExample>().FindLeaf("guard")->field;
  EXPECT_TRUE(guard.Admits(std::string("never")));
  EXPECT_FALSE(guard.Admits(std::string("Never")));
}

TEST(SchemaDeath, RefusesTwoFieldsOfOneName) {
  struct Doubled {
    Field<"a", true, AnyOf{}, ""> first;
    Field<"a", true, AnyOf{}, ""> second;
  };
  EXPECT_DEATH(SchemaOf<Doubled>(), "two fields of one name");
}

TEST(Settings, BeginWithTheDefaults) {
  const Settings settings = Settings::Of<ExampleConfig>();
  const ExampleConfig& config = settings.As<ExampleConfig>();
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.idle_ratio, 0.5);
  EXPECT_EQ(config.fibers->stack_bytes, 65536u);
  EXPECT_EQ(config.lifo_limit, 16u);
  EXPECT_EQ(settings.Get("fibers.guard"), Value(std::string("auto")));
  EXPECT_EQ(settings.OriginOf("workers"), Origin{});
}

TEST(Settings, SetFieldsOfEveryKindByTheirPath) {
  Settings settings = Settings::Of<ExampleConfig>();
  settings.Set("workers", std::uint64_t{4}, {});
  settings.Set("seed", ~std::uint64_t{0}, {});
  settings.Set("nice", std::int64_t{-20}, {});
  settings.Set("idle_ratio", 0.125, {});
  settings.Set("lifo_slot", false, {});
  settings.Set("fibers.guard", std::string("never"), {});
  settings.Set("lifo_limit", std::uint64_t{100}, {});
  const ExampleConfig& config = settings.As<ExampleConfig>();
  EXPECT_EQ(config.workers, 4u);
  EXPECT_EQ(config.seed, ~std::uint64_t{0});
  EXPECT_EQ(config.nice, -20);
  EXPECT_EQ(config.idle_ratio, 0.125);
  EXPECT_FALSE(config.lifo_slot);
  EXPECT_EQ(config.fibers->guard, Guard::kNever);
  EXPECT_EQ(config.fibers->stack_bytes, 65536u);
  EXPECT_EQ(config.lifo_limit, 100u);
  EXPECT_EQ(settings.Get("nice"), Value(std::int64_t{-20}));
}

TEST(Settings, AreIndependentOfTheirCopies) {
  Settings original = Settings::Of<ExampleConfig>();
  Settings copy = original;
  EXPECT_EQ(copy, original);
  copy.Set("workers", std::uint64_t{1}, {"--set workers=1", ""});
  EXPECT_NE(copy, original);
  EXPECT_EQ(original.As<ExampleConfig>().workers, 0u);
  EXPECT_EQ(original.OriginOf("workers"), Origin{});
  EXPECT_EQ(copy.OriginOf("workers"), (Origin{"--set workers=1", ""}));
}

TEST(Settings, AreEqualWhateverTheirOrigin) {
  Settings a = Settings::Of<ExampleConfig>();
  Settings b = Settings::Of<ExampleConfig>();
  a.Set("workers", std::uint64_t{0}, {"--set workers=0", ""});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, Settings::Of<EmptyConfig>());
}

TEST(Settings, VisitEveryLeafInOrder) {
  Settings settings = Settings::Of<Outer>();
  settings.Set("middle.fibers.stack_bytes", std::uint64_t{16384}, {});
  std::string seen;
  ForEachLeaf(settings, [&](const std::string& path, const Value& value) {
    seen += path + "=" + ToText(value) + "\n";
  });
  EXPECT_EQ(seen, "first=true\nmiddle.fibers.stack_bytes=16384\nmiddle.fibers.guard=auto\n");
}

TEST(SettingsDeath, AssertTheirTypePathAndLimits) {
  Settings settings = Settings::Of<ExampleConfig>();
  EXPECT_DEATH(settings.As<EmptyConfig>(), "settings of another type");
  EXPECT_DEATH(settings.Get("fibers"), "no field of this path");
  EXPECT_DEATH(settings.Set("workers", std::uint64_t{49}, {}), "does not admit");
}

TEST(Rules, FindNothingWrongWithTheDefaults) {
  Problems problems;
  CheckRules(Settings::Of<ExampleConfig>(), problems);
  EXPECT_EQ(TextOf(problems), "");
}

TEST(Rules, NameThePlaceWhereTheUserGaveTheValue) {
  Settings settings = Settings::Of<ExampleConfig>();
  settings.Set("workers", std::uint64_t{20}, {"--set workers=20", ""});
  settings.Set("fibers.stack_bytes", std::uint64_t{131072}, {"a.json:3:4", "/fibers/stack_bytes"});
  settings.Set("fibers.guard", std::string("never"), {"a.json:4:13", "/fibers/guard"});
  Problems problems;
  CheckRules(settings, problems);
  EXPECT_EQ(problems.List(),
            (std::vector<Problem>{
                {"", "/lifo_limit", "must not be less than workers"},
                {"a.json:4:13", "/fibers/guard", "a stack above 64 KiB needs its guard"}}));
}

TEST(Rules, OfADeepGroupNameTheWholePath) {
  Settings settings = Settings::Of<Outer>();
  settings.Set("middle.fibers.stack_bytes", std::uint64_t{131072}, {});
  settings.Set("middle.fibers.guard", std::string("never"), {});
  Problems problems;
  CheckRules(settings, problems);
  EXPECT_EQ(TextOf(problems), "/middle/fibers/guard   a stack above 64 KiB needs its guard");
}

struct Slotted {
  Field<"slot", true, AnyOf{}, "Whether there is a slot"> slot;
  Field<"limit", std::uint32_t{3}, Range{1u, 9u}, "Tasks from it in a row"> limit;

  static void Check(const Slotted& config, Problems& problems) {
    if (!config.slot) {
      problems.AddUnused("limit", "it needs slot=true");
    }
  }
};

// Sets `limit` in a config without a slot.
Problems ProblemsOfAnUnusedLimit(std::uint64_t limit, const Origin& origin) {
  Settings settings = Settings::Of<Slotted>();
  settings.Set("slot", false, {});
  settings.Set("limit", limit, origin);
  Problems problems;
  CheckRules(settings, problems);
  return problems;
}

TEST(Rules, RefuseAFieldWithoutEffectWhereItsValueIsInAFlagOrIsNotTheDefault) {
  const Origin flag{"--set limit=3", ""};
  const Origin file{"a.json:3:4", "/limit"};
  const std::string message = "it needs slot=true";
  EXPECT_EQ(ProblemsOfAnUnusedLimit(3, flag).List(),
            (std::vector<Problem>{{flag.where, "", message, true}}));
  EXPECT_EQ(ProblemsOfAnUnusedLimit(4, flag).List(),
            (std::vector<Problem>{{flag.where, "", message, true}}));
  EXPECT_EQ(ProblemsOfAnUnusedLimit(4, file).List(),
            (std::vector<Problem>{{file.where, file.path, message, true}}));
  EXPECT_EQ(TextOf(ProblemsOfAnUnusedLimit(3, file)), "") << "it may list all fields";
  EXPECT_EQ(TextOf(ProblemsOfAnUnusedLimit(3, {})), "");
}

TEST(Value, IsShownAsTheUserWritesIt) {
  EXPECT_EQ(ToText(std::uint64_t{256}), "256");
  EXPECT_EQ(ToText(std::int64_t{-1}), "-1");
  EXPECT_EQ(ToText(0.1), "0.1");
  EXPECT_EQ(ToText(true), "true");
  EXPECT_EQ(ToText(std::string("half")), "half");
}

}  // namespace
}  // namespace schedbench::config::settings_test
