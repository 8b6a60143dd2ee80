#pragma once

#include "config/schema.hpp"
#include "config/value.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// Which settings a search measures. Pure functions; thread-safe.

namespace schedbench::harness {

// Returns values of a field to try, `current` among them. Numbers ascend: a quarter, half, twice and four times the
// current one, inside the limits, and the least one if it is 0, which often means "off". `most`: a smaller upper
// limit of whole numbers. Requires: not a group, and the field admits `current`.
std::vector<config::Value> ValuesAround(const config::FieldInfo& field,
                                        const config::Value& current,
                                        std::optional<std::uint64_t> most = std::nullopt);

// Returns whether the values of a field have an order.
bool IsOrdered(const config::FieldInfo& field);

struct ChosenPlaces {
  std::vector<TunePlace> places;  // the default first, each once
  bool is_full_grid = false;      // all combinations, and each has an effect of its own
  std::size_t impossible = 0;     // combinations that were drawn and are forbidden
};

// Returns the combinations to measure, at most `most` (at least 2): all of them, or a Latin hypercube sample, in
// which each value of a field is about as frequent as the others. `normalised`: returns a combination in which fields
// without effect have the default's value; none if it is forbidden. Requires: `fields` has at least one.
ChosenPlaces ChoosePlaces(
    const std::vector<TuneField>& fields, std::size_t most, std::uint64_t seed,
    const std::function<std::optional<TunePlace>(const TunePlace&)>& normalised);

}  // namespace schedbench::harness
