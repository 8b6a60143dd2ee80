#pragma once

#include "config/schema.hpp"
#include "config/value.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// The settings that a search measures. Pure functions; thread-safe.

namespace schedbench::harness {

// Returns values of a field to try, with `current`. Numbers ascend: a quarter, half, twice and four
// times the current one within the limits, and the least one if it is 0, which often means "off".
// `most`: a smaller limit of whole numbers. Requires: no group, and `current` is allowed.
std::vector<config::Value> ValuesAround(const config::FieldInfo& field,
                                        const config::Value& current,
                                        std::optional<std::uint64_t> most = std::nullopt);

// Returns whether the values of a field have an order.
bool IsOrdered(const config::FieldInfo& field);

struct ChosenPlaces {
  std::vector<TunePlace> places;  // the default first, each once
  bool is_full_grid = false;      // all combinations, and each has its own effect
  std::size_t impossible = 0;     // number of drawn combinations that are forbidden
};

// Returns at most `most` (at least 2) combinations to measure: all, or a Latin hypercube sample in
// which all values of a field are about equally frequent. `normalised` sets fields without effect
// to the default's value; none if the combination is forbidden. Requires: `fields` is not empty.
ChosenPlaces ChoosePlaces(
    const std::vector<TuneField>& fields, std::size_t most, std::uint64_t seed,
    const std::function<std::optional<TunePlace>(const TunePlace&)>& normalised);

}  // namespace schedbench::harness
