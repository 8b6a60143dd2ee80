#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Laws for the growth of throughput with the number of workers. Pure functions; thread-safe.

namespace schedbench::stats {

struct ScalingPoint {
  double workers;                  // at least 1
  std::vector<double> throughput;  // positive, by block; the points' blocks were measured in turn
};

struct FittedParameter {
  double value;
  double low;  // a percentile bootstrap interval over the blocks
  double high;
};

// Amdahl's law: throughput(n) = first n / (1 + s (n - 1)) with the serial share s of the work.
// Source: G. M. Amdahl, "Validity of the Single Processor Approach" (AFIPS 1967).
struct AmdahlFit {
  double first;  // throughput of one worker
  FittedParameter serial_share;
  double error;  // root of the mean square of the relative deviations; 0 with two points
};

// The universal scalability law: throughput(n) = first n / (1 + sigma (n - 1) + kappa n (n - 1))
// (contention, coherence). Source: N. J. Gunther, "Guerrilla Capacity Planning" (Springer, 2007).
struct UniversalFit {
  double first;
  FittedParameter sigma;
  FittedParameter kappa;
  std::optional<double> peak;  // workers with the highest throughput; nothing if kappa is 0
  double error;                // like AmdahlFit::error; 0 with three points
};

struct ScalingFits {
  std::optional<AmdahlFit> amdahl;        // nothing below 2 different numbers of workers
  std::optional<UniversalFit> universal;  // nothing below 3
};

// Fits both laws, which are linear in the time of an operation, to the medians of the points, by
// least squares of its relative deviation. No parameter is negative, and the serial share is at
// most 1. Requires: 0 < level < 1; all points have the same number of blocks, at least 1.
ScalingFits FitScaling(std::span<const ScalingPoint> points, double level, std::uint64_t seed,
                       std::size_t resamples = 2'000);

// Return the predicted throughput.
double Predicted(const AmdahlFit& fit, double workers);
double Predicted(const UniversalFit& fit, double workers);

}  // namespace schedbench::stats
