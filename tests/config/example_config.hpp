#pragma once

#include "config/field.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/schema_of.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// A config with every kind of field, for the tests of this folder.

namespace schedbench::config {

enum class Guard { kAuto, kAlways, kNever };

constexpr std::array<std::string_view, 3> NamesOf(Guard) {
  return {"auto", "always", "never"};
}

struct FiberExample {
  Field<"stack_bytes", std::uint32_t{65536}, PowerOfTwo{16384u, 1048576u}, "Bytes of a stack">
      stack_bytes;
  Field<"guard", Guard::kAuto, AnyOf{}, "Guard pages | none"> guard;

  static void Check(const FiberExample& config, Problems& problems) {
    if (config.guard == Guard::kNever && config.stack_bytes > 65536) {
      problems.Add("guard", "a stack above 64 KiB needs its guard");
    }
  }
};

struct ExampleConfig {
  Field<"workers", std::uint32_t{0}, Range{0u, 48u}, "Worker threads"> workers;
  Field<"seed", std::uint64_t{7}, Range{std::uint64_t{0}, ~std::uint64_t{0}}, "Of all choices">
      seed;
  Field<"nice", std::int64_t{0}, Range{-20, 19}, "Added to the priority"> nice;
  Field<"idle_ratio", 0.5, Range{0.0, 1.0}, "Part of the workers"> idle_ratio;
  Field<"lifo_slot", true, AnyOf{}, "Run the last woken task next"> lifo_slot;
  Group<"fibers", FiberExample, "Stacks of the fibers"> fibers;
  Field<"lifo_limit", std::uint32_t{16}, Range{1u, 100u}, "Tasks in a row"> lifo_limit;

  static void Check(const ExampleConfig& config, Problems& problems) {
    if (config.lifo_limit < config.workers) {
      problems.Add("lifo_limit", "must not be less than workers");
    }
  }
};

struct EmptyConfig {};

// The text of the InputError that the problems make; "" when there are none.
inline std::string TextOf(const Problems& problems) {
  try {
    problems.ThrowIfAny();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace schedbench::config
