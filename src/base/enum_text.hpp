#pragma once

#include "base/assert.hpp"

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace schedbench {

// Returns the text of an enumerator. `texts`: the texts of the enumerators 0, 1, 2, ...
template <typename Enum>
constexpr std::string_view EnumText(Enum value, std::initializer_list<std::string_view> texts) {
  const auto index = static_cast<std::size_t>(value);
  SB_ASSERT(index < texts.size(), "an enumerator without a text");
  return texts.begin()[index];
}

// Returns the text of an enumerator of an enumeration with NamesOf() (config/field.hpp).
template <typename Enum>
  requires requires(Enum value) { NamesOf(value); }
constexpr std::string_view ToText(Enum value) {
  const auto names = NamesOf(value);
  const auto index = static_cast<std::size_t>(value);
  SB_ASSERT(index < names.size(), "an enumerator without a name");
  return names[index];
}

}  // namespace schedbench
