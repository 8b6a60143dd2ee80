#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// Two samples that were not measured side by side: is one of them the larger, and how clearly? By ranks alone.
// Pure functions; thread-safe.

namespace schedbench::stats {

struct RankComparison {
  double u;  // pairs (a, b) of which b is the larger; equal ones count half
  double p;  // two-sided: how likely so uneven a U is where both are of one distribution
  double
      superiority;  // U of all pairs: P(B > A) + P(B = A) / 2, 0.5 where they are alike (Vargha & Delaney, 2000)
};

// Returns the Mann-Whitney test of B against A. The distribution of U is exact where both have at most 20 values and
// none occurs twice; else normal, with the correction for ties and for continuity.
// Source: H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than
// the Other", Annals of Mathematical Statistics 18 (1947). Requires: neither is empty; no NaN.
RankComparison MannWhitney(std::span<const double> a, std::span<const double> b);

// Returns the least p that any samples of so many values can have: of 3 and 3 it is 0.1, so that nothing can ever be
// significant at 5 %. Requires: both at least 1.
double SmallestP(std::size_t a, std::size_t b);

// Returns "negligible", "small", "medium" or "large" of a RankComparison::superiority, by Cliff's delta, which is
// twice its distance from 0.5, and the limits 0.147, 0.33 and 0.474 (J. Romano et al., 2006).
std::string_view EffectSize(double superiority);

}  // namespace schedbench::stats
