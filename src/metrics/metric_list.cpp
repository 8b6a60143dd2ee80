#include "metrics/metric_list.hpp"

#include "base/assert.hpp"

#include <boost/pfr.hpp>

#include <algorithm>

namespace schedbench::metrics {

namespace {

std::vector<MetricInfo> MakeList() {
  std::vector<MetricInfo> list;
  boost::pfr::for_each_field(WorkerMetrics{}, [&list]<typename Metric>(const Metric&) {
    list.push_back({.name = Metric::kName,
                    .unit = Metric::kUnit,
                    .aggregation = Metric::kAggregation,
                    .doc = Metric::kDoc});
  });
  return list;
}

}  // namespace

std::span<const MetricInfo> WorkerMetricList() {
  static const std::vector<MetricInfo> list = MakeList();
  return list;
}

std::size_t MetricIndex(std::string_view name) {
  const auto list = WorkerMetricList();
  const auto found = std::ranges::find(list, name, &MetricInfo::name);
  SB_ASSERT(found != list.end(), "no worker metric has this name");
  return static_cast<std::size_t>(found - list.begin());
}

MetricValues ReadMetrics(const WorkerMetrics& metrics) {
  MetricValues values;
  values.reserve(WorkerMetricList().size());
  boost::pfr::for_each_field(metrics, [&values](const auto& metric) {
    values.push_back(metric.Get());
  });
  return values;
}

MetricValues Since(const MetricValues& earlier, const MetricValues& later) {
  MetricValues difference(later);
  for (std::size_t i = 0; i < difference.size(); ++i) {
    if (WorkerMetricList()[i].aggregation == Aggregation::kSum) {
      difference[i] -= earlier[i];
    }
  }
  return difference;
}

MetricValues Aggregate(std::span<const MetricValues> workers) {
  MetricValues total(WorkerMetricList().size(), 0);
  for (const MetricValues& worker : workers) {
    for (std::size_t i = 0; i < total.size(); ++i) {
      total[i] = WorkerMetricList()[i].aggregation == Aggregation::kSum
                     ? total[i] + worker[i]
                     : std::max(total[i], worker[i]);
    }
  }
  return total;
}

}  // namespace schedbench::metrics
