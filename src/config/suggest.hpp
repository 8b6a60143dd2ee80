#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Counts single-letter insertions, deletions, replacements and swaps of neighbours to turn `a` into
// `b`, no part edited twice (optimal string alignment: Damerau 1964, Levenshtein 1966). Takes O(|a|
// |b|).
std::size_t EditDistance(std::string_view a, std::string_view b);

// Returns the candidate that `name` probably means, if any: equal except for case, otherwise the
// nearest one within a third of the candidate's length (at least one edit) or beginning with
// `name`; the first one of equals.
std::optional<std::string_view> Nearest(std::string_view name,
                                        std::span<const std::string_view> candidates);

// Returns "x, y or z". Requires: there is an item.
std::string OrList(const std::vector<std::string>& items);

// Returns the end of a message about an unknown name: "; did you mean 'x', 'y' or 'z'?" with at
// most three names. If no name is near and there are at most `few`: "; expected one of a, b, c".
std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates,
                       std::size_t few = 5);

}  // namespace schedbench::config
