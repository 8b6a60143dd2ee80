#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// What a full local queue gives to the global queue.
enum class Overflow : std::uint8_t {
  kOne,  // the new task
  kHalf,  // half of the queue and the new task: the newer half if the queue can give that, else the older
  kOlderHalf,  // the older half, as a thief takes it, and the new task
};

constexpr std::array<std::string_view, 3> NamesOf(Overflow) {
  return {"one", "half", "older_half"};
}

}  // namespace schedbench::schedulers
