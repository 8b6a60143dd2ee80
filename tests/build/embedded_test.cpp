// Embeds the files that CMake made in EMBEDDED_DIR: what is hard to write as a literal, and what is
// long.
#include "registry/shipped_configs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace schedbench::registry {

namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(EmbeddedConfigs, AreTheirFilesByteForByte) {
  for (const ShippedConfig& config : ShippedConfigs()) {
    EXPECT_EQ(config.text, ReadFile(EMBEDDED_DIR "/" + std::string(config.name))) << config.name;
  }
}

TEST(EmbeddedConfigs, StandInTheOrderOfTheirNames) {
  std::vector<std::string_view> names;
  for (const ShippedConfig& config : ShippedConfigs()) {
    names.push_back(config.name);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"empty.json", "long.json", "signs.json"}));
}

TEST(EmbeddedConfigs, MayBeLongerThanTheShortestLimitOfLiterals) {
  // 65536: the least that a compiler must allow for a literal.
  EXPECT_TRUE(std::ranges::any_of(
      ShippedConfigs(), [](const ShippedConfig& config) { return config.text.size() > 65536; }));
}

}  // namespace

}  // namespace schedbench::registry
