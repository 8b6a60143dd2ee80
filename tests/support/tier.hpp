#pragma once

// How much of the tests runs. `make test` runs the quick tier: each thing that is tested is tested,
// with few parameters and for a short time. `make test-full` sets SCHEDBENCH_TEST_TIER=full: every
// parameter, and long. A test asks at run time, so that one binary serves both.

namespace schedbench::tests {

// Whether SCHEDBENCH_TEST_TIER is `full`. Any other value but `quick` ends the process: a typing
// error must not pass for a full run.
bool FullTier();

// The first number in the quick tier, the second in the full one.
template <typename T>
T QuickOrFull(T quick, T full) {
  return FullTier() ? full : quick;
}

}  // namespace schedbench::tests
