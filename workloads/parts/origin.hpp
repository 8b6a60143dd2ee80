#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::workloads {

// The starter of the work: a fiber, or a thread that is not a worker.
enum class Origin : std::uint8_t { kInside, kOutside };

constexpr std::array<std::string_view, 2> NamesOf(Origin) {
  return {"inside", "outside"};
}

}  // namespace schedbench::workloads
