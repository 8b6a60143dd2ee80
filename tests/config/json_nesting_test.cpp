#include "config/json_document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::config {

namespace {

TEST(JsonNesting, CountsObjectsAndArraysInsideEachOther) {
  EXPECT_FALSE(NestsDeeperThan("", 0));
  EXPECT_FALSE(NestsDeeperThan(R"({"a": [{}, {}, []]})", 3));
  EXPECT_TRUE(NestsDeeperThan(R"({"a": [{}, {}, []]})", 2));
  EXPECT_TRUE(NestsDeeperThan(std::string(100'000, '['), 64));
}

TEST(JsonNesting, IgnoresBracketsInStrings) {
  EXPECT_FALSE(NestsDeeperThan(R"(["[[[[", "\"[[[[", "\\"])", 1));
  EXPECT_TRUE(NestsDeeperThan(R"(["\\", [])", 1)) << "the string ends before the second array";
}

}  // namespace

}  // namespace schedbench::config
