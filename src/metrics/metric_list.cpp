#include "metrics/metric_list.hpp"

#include "base/assert.hpp"

#include <boost/pfr.hpp>

#include <algorithm>

namespace schedbench::metrics {

namespace {

template <typename Metrics>
std::vector<MetricInfo> MakeList() {
  std::vector<MetricInfo> list;
  boost::pfr::for_each_field(Metrics{}, [&list]<typename Metric>(const Metric&) {
    list.push_back({.name = Metric::kName,
                    .unit = Metric::kUnit,
                    .aggregation = Metric::kAggregation,
                    .doc = Metric::kDoc});
  });
  return list;
}

template <typename Metrics>
MetricValues Read(const Metrics& metrics, std::size_t size) {
  MetricValues values;
  values.reserve(size);
  boost::pfr::for_each_field(metrics,
                             [&values](const auto& metric) { values.push_back(metric.Get()); });
  return values;
}

}  // namespace

std::span<const MetricInfo> WorkerMetricList() {
  static const std::vector<MetricInfo> list = MakeList<WorkerMetrics>();
  return list;
}

std::span<const MetricInfo> PoolMetricList() {
  static const std::vector<MetricInfo> list = MakeList<PoolMetrics>();
  return list;
}

std::size_t MetricIndex(std::string_view name, std::span<const MetricInfo> list) {
  const auto found = std::ranges::find(list, name, &MetricInfo::name);
  SB_ASSERT(found != list.end(), "no metric has this name");
  return static_cast<std::size_t>(found - list.begin());
}

MetricValues ReadMetrics(const WorkerMetrics& metrics) {
  return Read(metrics, WorkerMetricList().size());
}

MetricValues ReadMetrics(const PoolMetrics& metrics) {
  return Read(metrics, PoolMetricList().size());
}

MetricValues Since(const MetricValues& earlier, const MetricValues& later,
                   std::span<const MetricInfo> list) {
  MetricValues difference(later);
  for (std::size_t i = 0; i < difference.size(); ++i) {
    if (list[i].aggregation == Aggregation::kSum) {
      difference[i] -= earlier[i];
    }
  }
  return difference;
}

MetricValues Aggregate(std::span<const MetricValues> rows, std::span<const MetricInfo> list) {
  MetricValues total(list.size(), 0);
  for (const MetricValues& row : rows) {
    for (std::size_t i = 0; i < total.size(); ++i) {
      total[i] =
          list[i].aggregation == Aggregation::kSum ? total[i] + row[i] : std::max(total[i], row[i]);
    }
  }
  return total;
}

}  // namespace schedbench::metrics
