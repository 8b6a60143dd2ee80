#pragma once

#include "harness/round.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A metric over the rounds. `low` and `high` are the exact 95 % order-statistic interval of the
// median (stats/order_statistics.hpp), or with too few rounds the least and the greatest value.
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
  bool too_few = false;  // because rounds have too few samples or operations
};

// Returns a row for each metric of MetricsOf(workload). A metric that a round lacks does not have a
// spread: the rounds that have it are not a fair sample of all.
std::vector<SummaryRow> Summarise(const registry::WorkloadEntry& workload,
                                  const std::vector<Round>& rounds);

// Returns the row of a metric. Requires: there is one.
const SummaryRow& RowOf(const std::vector<SummaryRow>& rows, std::string_view metric);

}  // namespace schedbench::harness
