#pragma once

#include "harness/tune/tuner.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace schedbench::harness {

// Each field's share in the differences of the first rung's candidates, by one objective.
struct FieldImportance {
  std::size_t objective;
  std::vector<double> shares = {};  // share of each field in the variance that is not noise, 0 to 1
  double rest = 0;                  // share of combinations of fields, beyond each alone
  double noise = 0;                 // share of noise in the whole variance, 0 to 1
  bool is_full_grid = false;        // true: analysis of variance of a grid; false: additive model
  bool has_curves = true;           // AdditiveVariance::has_curves
  std::size_t candidates = 0;
  std::string missing = "";  // why there are no shares; "" where there are
};

// Returns the importance of the fields for each objective. Pure; thread-safe.
std::vector<FieldImportance> ImportanceOf(const TunePlan& plan, const TuneData& data);

}  // namespace schedbench::harness
