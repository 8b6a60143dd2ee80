#include "cli/command.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/suites.hpp"
#include "cli/output/output.hpp"
#include "harness/round.hpp"
#include "metrics/metric_list.hpp"
#include "platform/files/terminal.hpp"
#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"
#include "registry/workload.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
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
  std::ranges::sort(rows);
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
    rows.push_back(RowOf(metric.figure.name, metric.figure.unit, "round", metric.figure.doc));
  }
  for (const registry::WorkloadEntry* workload : registry::Workloads()) {
    for (const registry::Figure& figure : workload->figures) {
      rows.push_back(RowOf(figure.name, figure.unit, "round", figure.doc));
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

struct ListedKind {
  std::string_view name;
  std::array<std::string_view, 4> heads;  // "" for none
  std::vector<Row> (*rows)();
};

constexpr std::array kListedKinds{
    ListedKind{"schedulers", {"name", "what it is"}, &Schedulers},
    ListedKind{"workloads", {"name", "what it does"}, &Workloads},
    ListedKind{"metrics", {"name", "unit", "one per", "what it counts"}, &Metrics},
    ListedKind{"configs", {"name", "for the scheduler"}, &Configs},
    ListedKind{"suites", {"name", "which workloads"}, &SuiteRows}};

constexpr auto kListedNames = NamesOf(kListedKinds);

std::string TableOf(const ListedKind& kind) {
  report::TextTable table;
  for (const std::string_view head : kind.heads) {
    if (!head.empty()) {
      table.AddColumn(std::string(head), report::TextTable::Align::kLeft);
    }
  }
  for (const Row& row : kind.rows()) {
    table.AddRow(row);
  }
  return table.Render(
      {.unicode = platform::TakesUtf8(), .colour = platform::TakesColour(platform::Stream::kOut)});
}

ExitCode List(const Arguments& arguments) {
  if (!arguments.words.empty()) {
    Print(TableOf(*FindByName(kListedKinds, arguments.words.front())));
    return ExitCode::kDone;
  }
  std::string text;
  for (const ListedKind& kind : kListedKinds) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", kind.name, TableOf(kind));
  }
  Print(text);
  return ExitCode::kDone;
}

}  // namespace

const Command kListCommand{
    .name = "list",
    .summary = "list schedulers, workloads, metrics, configs or suites",
    .words = "[schedulers|workloads|metrics|configs|suites]",
    .max_words = 1,
    .first_word = OneOf(kListedNames),
    .details =
        R"(Without a word: all lists. schedbench describe explains an entry of any list.

Examples:
  schedbench list schedulers
  schedbench list metrics
)",
    .run = &List,
};

}  // namespace schedbench::cli
