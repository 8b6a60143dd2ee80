#pragma once

#include "harness/tune/tuner.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace schedbench::harness {

// What each field explains of the differences between the candidates of the first rung, by one objective.
struct FieldImportance {
  std::size_t objective;
  std::vector<double> shares = {};  // of each field, 0 to 1 of the variance that is not noise
  double rest = 0;                  // likewise, of fields together, beyond each alone
  double noise = 0;                 // 0 to 1: of all variance, what noise alone explains
  bool is_full_grid = false;  // from the analysis of variance of a grid; else an additive model
  bool has_curves = true;     // AdditiveVariance::has_curves
  std::size_t candidates = 0;
  std::string missing = "";  // why there are no shares; "" where there are
};

// Returns the importance of the fields for each objective. Pure; thread-safe.
std::vector<FieldImportance> ImportanceOf(const TunePlan& plan, const TuneData& data);

}  // namespace schedbench::harness
