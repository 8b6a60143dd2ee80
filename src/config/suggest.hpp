#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace schedbench::config {

// Counts the single-letter insertions, deletions, replacements and swaps of neighbours that turn
// `a` into `b`, no part edited twice (optimal string alignment: Damerau 1964, Levenshtein 1966).
// O(|a| |b|).
std::size_t EditDistance(std::string_view a, std::string_view b);

// Returns the candidate that `name` probably means, if there is one: equal but for the case of letters; else the nearest one
// within a third of the candidate's length (at least one edit) or beginning with `name`, the first of equals.
std::optional<std::string_view> Nearest(std::string_view name,
                                        std::span<const std::string_view> candidates);

// Returns the end of a message about an unknown name: "; did you mean 'x' or 'y'?", or, if none is near, "; nearest: 'a', 'b' or
// 'c'". At most three names, each once; of at most five candidates "; known: a, b, c, d, e".
std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace schedbench::config
