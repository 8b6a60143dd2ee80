#pragma once

#include "metrics/worker_metrics.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::metrics {

// A metric as the reports see it.
struct MetricInfo {
  std::string_view name;
  std::string_view unit;
  Aggregation aggregation;
  std::string_view doc;
};

// All fields of WorkerMetrics, in their order.
std::span<const MetricInfo> WorkerMetricList();

// Place of the metric called `name` in the list. Requires: there is one.
std::size_t MetricIndex(std::string_view name);

// Values of all metrics at one moment, in the order of WorkerMetricList().
using MetricValues = std::vector<std::uint64_t>;

// Reads a worker's metrics, which may be live: each value is whole, but they are of slightly different moments.
MetricValues ReadMetrics(const WorkerMetrics& metrics);

// What was counted between two readings of the same worker.
MetricValues Since(const MetricValues& earlier, const MetricValues& later);

// Makes one row of many, each metric by its aggregation.
MetricValues Aggregate(std::span<const MetricValues> workers);

}  // namespace schedbench::metrics
