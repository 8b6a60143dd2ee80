#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::workloads {

// The fork of a call that is joined: as a fiber, or by the runtime's structured fork.
enum class Fork : std::uint8_t { kSpawn, kStructured };

constexpr std::array<std::string_view, 2> NamesOf(Fork) {
  return {"spawn", "structured"};
}

template <Fork Default>
using ForkField = config::Field<"fork", Default, config::AnyOf{},
                                "How a call is forked: spawn (a fiber, joined later) or structured "
                                "(ForkJoin: a plain call, unless another worker takes it)">;

}  // namespace schedbench::workloads
