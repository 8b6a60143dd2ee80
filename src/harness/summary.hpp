#pragma once

#include "harness/round.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A metric over the rounds. `low` and `high` are the exact 95 % order-statistic interval of the median
// (stats/order_statistics.hpp), or, of rounds too few for one, the least and the greatest value.
struct Spread {
  double median;
  double low;
  double high;
  bool is_interval;  // false: least and greatest
};

// Returns the spread of a sample. Requires: it is not empty.
Spread SpreadOf(const std::vector<double>& sample);

struct SummaryRow {
  const registry::Metric* metric;
  std::optional<Spread> spread;
  std::string missing;   // why there is no spread; "" when there is one
  bool too_few = false;  // that is why: rounds with fewer samples, or operations, than it needs
};

// Returns one row per metric of MetricsOf(workload). A metric that some round lacks has no spread: the rounds
// that do have it are no fair sample of all.
std::vector<SummaryRow> Summarise(const registry::WorkloadEntry& workload,
                                  const std::vector<Round>& rounds);

}  // namespace schedbench::harness
