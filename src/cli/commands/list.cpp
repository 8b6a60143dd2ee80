#include "cli/command.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/suites.hpp"
#include "cli/output/delivery.hpp"
#include "harness/round.hpp"
#include "metrics/metric_list.hpp"
#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using Row = std::vector<std::string>;

template <typename... Texts>
Row RowOf(const Texts&... texts) {
  return {std::string(texts)...};
}

std::vector<Row> Schedulers() {
  std::vector<Row> rows;
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    rows.push_back(RowOf(entry->name, entry->doc));
    if (!entry->alias.empty()) {
      rows.push_back(RowOf(entry->alias, fmt::format("another name of {}", entry->name)));
    }
  }
  return rows;
}

std::vector<Row> Workloads() {
  std::vector<Row> rows;
  for (const registry::WorkloadEntry* entry : registry::Workloads()) {
    rows.push_back(RowOf(entry->name, entry->doc));
  }
  return rows;
}

std::vector<Row> Metrics() {
  std::vector<Row> rows;
  for (const harness::RoundMetric& metric : harness::RoundMetricList()) {
    rows.push_back(RowOf(metric.info.name, metric.info.unit, "round", metric.info.doc));
  }
  for (const registry::WorkloadEntry* workload : registry::Workloads()) {
    for (const registry::Metric& metric : workload->metrics) {
      Row row = RowOf(metric.name, metric.unit, "round", metric.doc);
      if (std::ranges::find(rows, row) == rows.end()) {  // workloads may share a metric
        rows.push_back(std::move(row));
      }
    }
  }
  for (const metrics::MetricInfo& metric : metrics::WorkerMetricList()) {
    rows.push_back(RowOf(metric.name, metric.unit, "worker", metric.doc));
  }
  for (const metrics::MetricInfo& metric : metrics::PoolMetricList()) {
    rows.push_back(RowOf(metric.name, metric.unit, "scheduler", metric.doc));
  }
  return rows;
}

std::vector<Row> SuiteRows() {
  std::vector<Row> rows;
  for (const Suite& suite : Suites()) {
    rows.push_back(RowOf(suite.name, suite.doc));
  }
  return rows;
}

std::vector<Row> Configs() {
  std::vector<Row> rows;
  for (const registry::ShippedConfig& config : registry::ShippedConfigs()) {
    config::Problems problems;
    const auto document = ReadConfig(std::string(config.name), problems);
    const auto* scheduler = document ? SchedulerOf(*document, problems) : nullptr;
    rows.push_back(RowOf(config.name, scheduler == nullptr ? "" : scheduler->name));
  }
  return rows;
}

using report::List;

struct ListedKind {
  std::string_view name;
  std::array<List::Column, 4> columns;  // those without a key are none
  std::vector<Row> (*rows)();
};

constexpr List::Column kName{"name", "name"};

constexpr std::array kListedKinds{
    ListedKind{"schedulers", {kName, {"doc", "what it is"}}, &Schedulers},
    ListedKind{"workloads", {kName, {"doc", "what it does"}}, &Workloads},
    ListedKind{"metrics",
               {kName, {"unit", "unit"}, {"one_per", "one per"}, {"doc", "what it counts"}},
               &Metrics},
    ListedKind{"configs", {kName, {"scheduler", "for the scheduler"}}, &Configs},
    ListedKind{"suites", {kName, {"doc", "which workloads"}}, &SuiteRows}};

constexpr auto kListedNames = NamesOf(kListedKinds);

constexpr auto kListFlags = FlagsOf(kFormatFlag, kOutputFlag);

List ListOf(const ListedKind& kind) {
  List list{.name = kind.name, .columns = {}, .rows = kind.rows()};
  std::ranges::copy_if(kind.columns, std::back_inserter(list.columns),
                       [](const List::Column& column) {
                         return !column.key.empty();
                       });
  return list;
}

ExitCode ListNames(const Arguments& arguments) {
  report::ListResult result;
  for (const ListedKind& kind : kListedKinds) {
    if (arguments.words.empty() || arguments.words.front() == kind.name) {
      result.lists.push_back(ListOf(kind));
    }
  }
  const Delivery delivery = Delivery::Of<report::ListResult>(arguments);
  delivery.Deliver(result);
  return ExitCode::kDone;
}

const CommandRegistration kList{{
    .place = 190,
    .name = "list",
    .summary = "list schedulers, workloads, metrics, configs or suites",
    .words = "[schedulers|workloads|metrics|configs|suites]",
    .max_words = 1,
    .first_word = OneOf(kListedNames),
    .flags = kListFlags,
    .details =
        R"(Without an argument, prints all lists. schedbench describe explains an entry of any list.
)",
    .examples =
        R"(  schedbench list schedulers
  schedbench list metrics
  schedbench list --format json
)",
    .run = &ListNames,
}};

}  // namespace

}  // namespace schedbench::cli
