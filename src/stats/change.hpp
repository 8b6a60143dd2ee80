#pragma once

#include "stats/ratio.hpp"

#include <cstddef>

// What a ratio and its interval say. Pure functions; thread-safe.

namespace schedbench::stats {

enum class Change {
  kRise,        // the whole interval is above the band of differences that do not matter
  kSlightRise,  // above 1, but not proven to leave the band
  kNone,  // the whole interval is within the band: proven to be the same, for all that matters
  kSlightFall,
  kFall,
  kInconclusive,  // it holds 1, and values outside the band: nothing is known yet
};

// Returns what `estimate` says where differences below `min_effect` (0.02: two percent) do not matter. The band is
// [1 / (1 + e), 1 + e], the same on both sides as logarithms count: B to A gets the mirrored answer of A to B.
// Within the band wins over the sides of 1, so that a difference which is proven, and proven to be too small to
// matter, is kNone; this is the equivalence test of two one-sided tests (D. J. Schuirmann, 1987).
// Requires: min_effect > 0.
Change Judge(const RatioEstimate& estimate, double min_effect);

// Returns about how many pairs would give a narrower interval that can be judged, if the ratio stays where it is:
// the width falls with the root of their number, and it must become narrow enough to leave either 1 or a side of
// the band outside. Of a resolved estimate, at most `pairs`. Requires: min_effect > 0.
std::size_t PairsToResolve(const RatioEstimate& estimate, double min_effect, std::size_t pairs);

}  // namespace schedbench::stats
