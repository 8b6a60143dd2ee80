#pragma once

#include "base/assert.hpp"

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace schedbench::harness {

// Returns the text of an enumerator. `texts`: of all of them, which count from 0, in their order.
template <typename Enum>
std::string_view TextOf(Enum value, std::initializer_list<std::string_view> texts) {
  const auto index = static_cast<std::size_t>(value);
  SB_ASSERT(index < texts.size(), "an enumerator without a text");
  return texts.begin()[index];
}

}  // namespace schedbench::harness
