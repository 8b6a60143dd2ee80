#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// A comparison by ranks of two samples that were not measured side by side: whether one is larger,
// and how clearly. Pure functions; thread-safe.

namespace schedbench::stats {

struct RankComparison {
  double u;  // pairs (a, b) with a larger b; equal ones count half
  double p;  // two-sided probability of so uneven a U for one distribution
  // U per pair: P(B > A) + P(B = A) / 2, 0.5 for equal samples (Vargha & Delaney, 2000).
  double superiority;
};

// Returns the Mann-Whitney test of B against A. The distribution of U is exact for at most 20
// values in each without ties; otherwise normal, corrected for ties and continuity. Source: H. B.
// Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger
// than the Other", Annals of Mathematical Statistics 18 (1947). Requires: neither is empty; no NaN.
RankComparison MannWhitney(std::span<const double> a, std::span<const double> b);

// Returns the least p that samples of these sizes can have. For 3 and 3 it is 0.1, so nothing can
// be significant at 5 %. Requires: both at least 1.
double SmallestP(std::size_t a, std::size_t b);

// Returns "negligible", "small", "medium" or "large" for a RankComparison::superiority, by Cliff's
// delta (2 |superiority - 0.5|) and the limits 0.147, 0.33, 0.474 (J. Romano et al., 2006).
std::string_view EffectSize(double superiority);

}  // namespace schedbench::stats
