#include "cli/flags/catalogue.hpp"

#include "base/vector_of.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/suites.hpp"
#include "harness/round.hpp"
#include "metrics/metric_list.hpp"
#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace schedbench::cli {

namespace {

template <auto Entries>
std::vector<NamedThing> ThingsOf() {
  return VectorOf(Entries(), [](const auto& entry) {
    return NamedThing{std::string(EntryOf(entry).name), std::string(EntryOf(entry).doc)};
  });
}

std::vector<NamedThing> Schedulers() {
  std::vector<NamedThing> all;
  for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
    all.push_back({std::string(entry->name), std::string(entry->doc)});
    if (!entry->alias.empty()) {
      all.push_back({std::string(entry->alias), fmt::format("another name of {}", entry->name)});
    }
  }
  return all;
}

std::vector<NamedThing> Metrics() {
  std::vector<NamedThing> all;
  const auto add = [&all](const auto& metric, const char* one_per, const char* total) {
    NamedThing thing{std::string(metric.name), std::string(metric.doc), std::string(metric.unit),
                     one_per, total};
    if (std::ranges::find(all, thing) == all.end()) {  // workloads may share a metric
      all.push_back(std::move(thing));
    }
  };
  constexpr const char* kMedian = "the median over the rounds";
  for (const harness::RoundMetric& metric : harness::RoundMetricList()) {
    add(metric.info, "round", kMedian);
  }
  for (const registry::WorkloadEntry* const workload : registry::Workloads()) {
    for (const registry::Metric& metric : workload->metrics) {
      add(metric, "round", kMedian);
    }
  }
  using metrics::Aggregation;
  for (const metrics::MetricInfo& metric : metrics::WorkerMetricList()) {
    add(metric, "worker",
        metric.aggregation == Aggregation::kSum ? "the sum over the workers"
                                                : "the greatest of the workers");
  }
  for (const metrics::MetricInfo& metric : metrics::PoolMetricList()) {
    add(metric, "scheduler",
        metric.aggregation == Aggregation::kSum ? "the sum over the rounds"
                                                : "the greatest of the rounds");
  }
  return all;
}

std::vector<NamedThing> Configs() {
  return VectorOf(registry::ShippedConfigs(), [](const registry::ShippedConfig& config) {
    return NamedThing{std::string(config.name), std::string(SchedulerOf(config).name)};
  });
}

std::vector<NamedThing> Runtimes() {
  return VectorOf(kPeerNames, [](auto name) { return NamedThing{std::string(name), ""}; });
}

constexpr std::array kKinds{
    NamedKind{"scheduler", &Schedulers},    NamedKind{"workload", &ThingsOf<&registry::Workloads>},
    NamedKind{"metric", &Metrics},          NamedKind{"config", &Configs},
    NamedKind{"suite", &ThingsOf<&Suites>}, NamedKind{"runtime", &Runtimes}};

}  // namespace

std::span<const NamedKind> NamedKinds() {
  return kKinds;
}

}  // namespace schedbench::cli
