#pragma once

#include "metrics/pool_metrics.hpp"
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

// The same of PoolMetrics.
std::span<const MetricInfo> PoolMetricList();

// Place in `list` of the metric called `name`. Requires: there is one.
std::size_t MetricIndex(std::string_view name,
                        std::span<const MetricInfo> list = WorkerMetricList());

// Values of all metrics of a list at one moment, in its order.
using MetricValues = std::vector<std::uint64_t>;

// Reads a worker's metrics, which may be live: each value is whole, but they are of slightly different moments.
MetricValues ReadMetrics(const WorkerMetrics& metrics);
MetricValues ReadMetrics(const PoolMetrics& metrics);

// What was counted between two readings of the same worker or pool; `list` says of which.
MetricValues Since(const MetricValues& earlier, const MetricValues& later,
                   std::span<const MetricInfo> list = WorkerMetricList());

// Makes one row of many, each metric by its aggregation.
MetricValues Aggregate(std::span<const MetricValues> rows,
                       std::span<const MetricInfo> list = WorkerMetricList());

}  // namespace schedbench::metrics
