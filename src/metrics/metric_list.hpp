#pragma once

#include "metrics/pool_metrics.hpp"
#include "metrics/worker_metrics.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::metrics {

// A metric in the form that reports use.
struct MetricInfo {
  std::string_view name;
  std::string_view unit;
  Aggregation aggregation;
  std::string_view doc;
};

// Returns all fields of WorkerMetrics, in their order.
std::span<const MetricInfo> WorkerMetricList();

// Returns all fields of PoolMetrics, in their order.
std::span<const MetricInfo> PoolMetricList();

// Returns the index in `list` of the metric called `name`. Requires: it exists.
std::size_t MetricIndex(std::string_view name,
                        std::span<const MetricInfo> list = WorkerMetricList());

// The values of all metrics of a list at one moment, in its order.
using MetricValues = std::vector<std::uint64_t>;

// Reads metrics that may be live: each value is whole, but their moments differ slightly.
MetricValues ReadMetrics(const WorkerMetrics& metrics);
MetricValues ReadMetrics(const PoolMetrics& metrics);

// Returns the counts between two readings of the same worker or pool; `list` describes them.
MetricValues Since(const MetricValues& earlier, const MetricValues& later,
                   std::span<const MetricInfo> list = WorkerMetricList());

// Makes one row of many, each metric by its aggregation.
MetricValues Aggregate(std::span<const MetricValues> rows,
                       std::span<const MetricInfo> list = WorkerMetricList());

}  // namespace schedbench::metrics
