#pragma once

#include "base/vector_of.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

// Functions for lists of entries, or of pointers to entries, that have a `name`.

namespace schedbench::cli {

template <typename Entry>
constexpr const auto& EntryOf(const Entry& entry) {
  if constexpr (std::is_pointer_v<Entry>) {
    return *entry;
  } else {
    return entry;
  }
}

template <typename Entry, std::size_t N>
constexpr std::array<std::string_view, N> NamesOf(const std::array<Entry, N>& entries) {
  std::array<std::string_view, N> names;
  std::ranges::transform(entries, names.begin(), &Entry::name);
  return names;
}

template <typename Entries>
std::vector<std::string_view> NamesOf(const Entries& entries) {
  return VectorOf(entries, [](const auto& entry) { return std::string_view(EntryOf(entry).name); });
}

// Returns null if no entry has the name.
template <typename Entries>
auto* FindByName(const Entries& entries, std::string_view name) {
  const auto found = std::ranges::find(
      entries, name, [](const auto& entry) { return std::string_view(EntryOf(entry).name); });
  return found == std::ranges::end(entries) ? nullptr : std::addressof(EntryOf(*found));
}

}  // namespace schedbench::cli
