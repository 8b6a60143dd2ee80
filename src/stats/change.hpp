#pragma once

#include "stats/ratio.hpp"

#include <cstddef>

// The meaning of a ratio and its interval. Pure functions; thread-safe.

namespace schedbench::stats {

enum class Change {
  kRise,        // the whole interval is above the band of differences that do not matter
  kSlightRise,  // above 1, but not proven to leave the band
  kNone,        // the whole interval is within the band: proven equal for all that matters
  kSlightFall,
  kFall,
  kInconclusive,  // it contains 1 and values outside the band: nothing is known yet
};

// Returns the meaning of `estimate` if differences below `min_effect` (0.02: two percent) do not
// matter. The band is [1 / (1 + e), 1 + e], which is symmetric in logarithms: B to A gets the
// mirrored result of A to B. The band takes precedence over the sides of 1: a difference that is
// proven to exist and to be too small to matter is kNone. This is the equivalence test of two
// one-sided tests (D. J. Schuirmann, 1987). Requires: min_effect > 0.
Change Judge(const RatioEstimate& estimate, double min_effect);

// Returns about how many pairs would give an interval that can be judged, with the same ratio: the
// width falls with the root of their number, and must become narrow enough to exclude either 1 or a
// side of the band. For a resolved estimate, at most `pairs`. Requires: min_effect > 0.
std::size_t PairsToResolve(const RatioEstimate& estimate, double min_effect, std::size_t pairs);

}  // namespace schedbench::stats
