#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// What a full local queue gives to the global queue.
enum class Overflow : std::uint8_t {
  kOne,        // the new task
  kHalf,       // the new task and the newer half; the older half if the queue cannot give the newer
  kOlderHalf,  // the older half, as a thief takes it, and the new task
};

constexpr std::array<std::string_view, 3> NamesOf(Overflow) {
  return {"one", "half", "older_half"};
}

}  // namespace schedbench::schedulers
