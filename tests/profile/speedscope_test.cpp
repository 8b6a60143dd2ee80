#include "profile/speedscope.hpp"

#include "tests/profile/example.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::profile::speedscope_test {

namespace {

using nlohmann::json;

json Written(const StackProfile& profile) {
  std::string text;
  WriteSpeedscope(profile, "pingpong \"on\" fast", [&](std::string_view part) { text += part; });
  return json::parse(text);
}

// The names of a sample, root first.
std::vector<std::string> Names(const json& root, const json& sample) {
  std::vector<std::string> names;
  for (const json& frame : sample) {
    names.push_back(root["shared"]["frames"].at(frame.get<std::size_t>())["name"]);
  }
  return names;
}

TEST(Speedscope, HasWhatItsSchemaAsksFor) {
  const json root = Written(ExampleProfile());
  EXPECT_EQ(root["$schema"], "https://www.speedscope.app/file-format-schema.json");
  EXPECT_EQ(root["name"], "pingpong \"on\" fast");
  EXPECT_EQ(root["activeProfileIndex"], 0);
  ASSERT_EQ(root["profiles"].size(), 2u);
  for (const json& profile : root["profiles"]) {
    EXPECT_EQ(profile["type"], "sampled");
    EXPECT_EQ(profile["unit"], "nanoseconds");
    EXPECT_EQ(profile["samples"].size(), profile["weights"].size());
    EXPECT_EQ(profile["startValue"], 0);
  }
}

TEST(Speedscope, HasTheTrueWeightsOfEachWorkerInTheOrderOfTime) {
  const json root = Written(ExampleProfile());
  const json& first = root["profiles"][0];
  EXPECT_EQ(first["name"], "worker 0");
  EXPECT_EQ(first["weights"], json({1'001'001, 1'001'001}));
  EXPECT_EQ(first["endValue"], 2'002'002);
  EXPECT_EQ(Names(root, first["samples"][0]),
            (std::vector<std::string>{"fiber:ping", "(anonymous namespace)::Body(int)"}));
  EXPECT_EQ(root["profiles"][1]["name"], "worker 3");
  EXPECT_EQ(root["profiles"][1]["weights"], json({2'000'000, 1'000'400}));
}

TEST(Speedscope, HasOneFrameForAFunctionHoweverManyAddressesWereSeen) {
  StackProfile profile = ExampleProfile();
  for (std::uint64_t i = 0; i < 10; ++i) {
    profile.Add({.name = "f()", .module = "/bin/x", .file = "f.cpp", .address = 0x5000 + i});
  }
  const json root = Written(profile);
  ASSERT_EQ(root["shared"]["frames"].size(), 5u);
  EXPECT_EQ(root["shared"]["frames"][4], json({{"name", "f()"}, {"file", "f.cpp"}}));
}

TEST(Speedscope, ReplacesBytesThatAreNotUtf8) {
  const json root = Written(ExampleProfile("fiber:\xff\"\n"));
  EXPECT_EQ(root["shared"]["frames"][0]["name"], "fiber:\xEF\xBF\xBD\"\n");
}

TEST(Speedscope, OfNoWorkersHasNoProfiles) {
  EXPECT_EQ(Written(StackProfile())["profiles"], json::array());
}

}  // namespace

}  // namespace schedbench::profile::speedscope_test
