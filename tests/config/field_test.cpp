#include "config/field.hpp"

#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace schedbench::config::field_test {
namespace {

TEST(Field, HoldsNothingButItsValue) {
  static_assert(sizeof(ExampleConfig{}.workers) == sizeof(std::uint32_t));
  static_assert(sizeof(ExampleConfig{}.seed) == sizeof(std::uint64_t));
  static_assert(sizeof(ExampleConfig{}.idle_ratio) == sizeof(double));
  static_assert(sizeof(ExampleConfig{}.lifo_slot) == sizeof(bool));
  static_assert(sizeof(FiberExample{}.guard) == sizeof(Guard));
  static_assert(sizeof(ExampleConfig{}.fibers) == sizeof(FiberExample));
}

TEST(Field, StartsWithItsDefaultAndReadsAsItsValue) {
  ExampleConfig config;
  EXPECT_EQ(config.workers, 0u);
  EXPECT_EQ(config.nice, 0);
  EXPECT_EQ(config.idle_ratio, 0.5);
  EXPECT_TRUE(config.lifo_slot);
  EXPECT_EQ(config.fibers->stack_bytes, 65536u);
  config.fibers->guard.value = Guard::kNever;
  const ExampleConfig copy = config;
  EXPECT_EQ(copy.fibers->guard, Guard::kNever);
}

TEST(Field, CarriesNameDefaultAndDocInItsType) {
  using Workers = decltype(ExampleConfig::workers);
  static_assert(Workers::kName == "workers");
  static_assert(Workers::kDoc == "Worker threads");
  static_assert(Workers::kDefault == 0);
  static_assert(decltype(ExampleConfig::fibers)::kName == "fibers");
}

TEST(Field, TakesOnlyLowerSnakeCaseNames) {
  static_assert(detail::IsFieldName("stack_bytes"));
  static_assert(detail::IsFieldName("p99"));
  static_assert(!detail::IsFieldName(""));
  static_assert(!detail::IsFieldName("x-note"));
  static_assert(!detail::IsFieldName("a.b"));
  static_assert(!detail::IsFieldName("Workers"));
  static_assert(!detail::IsFieldName("9lives"));
}

TEST(Field, TakesOnlyLimitsThatSuitTypeAndDefault) {
  using detail::IsWellLimited;
  static_assert(IsWellLimited<std::uint64_t, std::uint64_t{5}, Range{0u, 9u}>());
  static_assert(!IsWellLimited<std::uint64_t, std::uint64_t{10}, Range{0u, 9u}>());
  static_assert(!IsWellLimited<std::uint32_t, std::uint32_t{0}, Range{-1, 9}>());
  static_assert(!IsWellLimited<std::uint32_t, std::uint32_t{0}, AnyOf{}>());
  static_assert(!IsWellLimited<std::uint32_t, std::uint32_t{4}, PowerOfTwo{3u, 8u}>());
  static_assert(!IsWellLimited<std::uint32_t, std::uint32_t{6}, PowerOfTwo{2u, 8u}>());
  static_assert(!IsWellLimited<bool, true, Range{0u, 1u}>());
  static_assert(!IsWellLimited<double, 0.5, Range{0.6, 1.0}>());
  static_assert(!IsWellLimited<Guard, static_cast<Guard>(3), AnyOf{}>());
}

}  // namespace
}  // namespace schedbench::config::field_test
