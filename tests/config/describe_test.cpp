#include "config/describe.hpp"

#include "config/apply_json.hpp"
#include "config/settings_json.hpp"
#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::config::describe_test {
namespace {

TEST(Describe, AlignsTheFieldsInATable) {
  EXPECT_EQ(DescribeAsText(SchemaOf<ExampleConfig>()),
            "  field               default  range                    doc\n"
            "  workers             0        0..48                    Worker threads\n"
            "  seed                7        0..18446744073709551615  Of all choices\n"
            "  nice                0        -20..19                  Added to the priority\n"
            "  idle_ratio          0.5      0..1                     Part of the workers\n"
            "  lifo_slot           true     true|false               Run the last woken task next\n"
            "  fibers                                                Stacks of the fibers\n"
            "  fibers.stack_bytes  65536    16384..1048576 ^2        Bytes of a stack\n"
            "  fibers.guard        auto     auto|always|never        Guard pages | none\n"
            "  lifo_limit          16       1..100                   Tasks in a row\n"
            "  ^2: a power of two\n");
}

TEST(Describe, PutsADocBelowItsFieldWhereItDoesNotFitNextToIt) {
  const std::string text = DescribeAsText(SchemaOf<ExampleConfig>(), 70);
  EXPECT_NE(text.find("  workers             0        0..48                    Worker threads\n"
                      "  seed                7        0..18446744073709551615  Of all choices\n"
                      "  nice                0        -20..19\n"
                      "      Added to the priority\n"),
            std::string::npos)
      << text;
}

TEST(Describe, EscapesTheBarsInMarkdown) {
  EXPECT_EQ(DescribeAsMarkdown(SchemaOf<FiberExample>()),
            "| Field | Default | Range | Meaning |\n"
            "|---|---|---|---|\n"
            "| `stack_bytes` | `65536` | `16384..1048576 ^2` | Bytes of a stack |\n"
            "| `guard` | `auto` | `auto\\|always\\|never` | Guard pages \\| none |\n"
            "\n`^2`: a power of two.\n");
}

TEST(Describe, SaysNothingOfAConfigWithoutFields) {
  EXPECT_EQ(DescribeAsText(SchemaOf<EmptyConfig>()), "");
  EXPECT_EQ(DescribeAsMarkdown(SchemaOf<EmptyConfig>()), "");
}

TEST(JsonSchema, StatesEveryField) {
  const auto schema =
      nlohmann::json::parse(DescribeAsJsonSchema(SchemaOf<ExampleConfig>(), "example"));
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema.at("type"), "object");
  EXPECT_EQ(schema.at("additionalProperties"), false);
  EXPECT_EQ(schema.at("patternProperties"), nlohmann::json({{"^x-", true}}));
  const auto& properties = schema.at("properties");
  EXPECT_EQ(properties.size(), 9u);
  EXPECT_TRUE(properties.contains("$schema"));
  EXPECT_EQ(properties.at("scheduler"), nlohmann::json({{"const", "example"}}));
  EXPECT_EQ(properties.at("workers"), nlohmann::json({{"description", "Worker threads"},
                                                      {"default", 0},
                                                      {"type", "integer"},
                                                      {"minimum", 0},
                                                      {"maximum", 48}}));
  EXPECT_EQ(properties.at("seed").at("maximum"), ~std::uint64_t{0});
  EXPECT_EQ(properties.at("nice").at("minimum"), -20);
  EXPECT_EQ(properties.at("idle_ratio").at("type"), "number");
  EXPECT_EQ(properties.at("lifo_slot"),
            nlohmann::json({{"description", "Run the last woken task next"},
                            {"default", true},
                            {"type", "boolean"}}));
  const auto& fibers = properties.at("fibers");
  EXPECT_EQ(fibers.at("description"), "Stacks of the fibers");
  EXPECT_EQ(fibers.at("type"), "object");
  EXPECT_EQ(fibers.at("additionalProperties"), false);
  EXPECT_EQ(fibers.at("properties").at("guard"),
            nlohmann::json({{"description", "Guard pages | none"},
                            {"default", "auto"},
                            {"enum", {"auto", "always", "never"}}}));
  EXPECT_EQ(fibers.at("properties").at("stack_bytes").at("enum"),
            nlohmann::json({16384, 32768, 65536, 131072, 262144, 524288, 1048576}));
}

TEST(JsonSchema, LeavesOutTheSchedulerOfAWorkload) {
  const auto schema = nlohmann::json::parse(DescribeAsJsonSchema(SchemaOf<EmptyConfig>(), ""));
  EXPECT_EQ(schema.at("properties").size(), 1u);
  EXPECT_TRUE(schema.at("properties").contains("$schema"));
}

TEST(SettingsJson, HasEveryFieldInOrder) {
  Settings settings = Settings::Of<ExampleConfig>();
  settings.Set("seed", ~std::uint64_t{0}, {});
  EXPECT_EQ(ToJson(settings).dump(),
            R"({"workers":0,"seed":18446744073709551615,"nice":0,"idle_ratio":0.5,)"
            R"("lifo_slot":true,"fibers":{"stack_bytes":65536,"guard":"auto"},"lifo_limit":16})");
  EXPECT_EQ(ToJson(Settings::Of<EmptyConfig>()).dump(), "{}");
}

TEST(SettingsJson, ReadsBackToEqualSettings) {
  Settings settings = Settings::Of<ExampleConfig>();
  settings.Set("seed", ~std::uint64_t{0}, {});
  settings.Set("nice", std::int64_t{-7}, {});
  settings.Set("idle_ratio", 1.0 / 3, {});
  settings.Set("fibers.guard", std::string("never"), {});
  Problems problems;
  const auto document = JsonDocument::Parse(ToJson(settings).dump(), "saved", problems);
  Settings again = Settings::Of<ExampleConfig>();
  ApplyJson(*document, document->Root(), again, problems);
  EXPECT_EQ(TextOf(problems), "");
  EXPECT_EQ(again, settings);
}

}  // namespace
}  // namespace schedbench::config::describe_test
