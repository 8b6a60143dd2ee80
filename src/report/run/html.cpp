#include "metrics/metric_list.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"
#include "report/run/worker_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::RunResult;

// The metric of the result: throughput has the operation of the workload.
std::string RunMetricText(const RunResult& result, const registry::Metric& metric, double value) {
  if (metric.unit == "per op") {
    return PerOperation(value, result.plan.workload->operation);
  }
  return metric.name == "throughput"
             ? WithUnit(value, fmt::format("{}s/s", result.plan.workload->operation))
             : MetricText(metric, value, kPageStyle);
}

std::string OrDash(const RunResult& result, const registry::Metric& metric,
                   const std::optional<double>& value) {
  return value ? RunMetricText(result, metric, *value) : "—";
}

Json RoundsSection(const RunResult& result) {
  constexpr std::array kShown{"throughput", "cpu_per_operation", "cpus_used", "idle_share"};
  const auto& list = harness::RoundMetricList();
  PageSection section{.title = "Throughput of each round",
                      .about =
                          "Rounds that differ much, or that grow or fall in their order, make "
                          "a median unreliable."};
  section.table.columns = {{"round"}, {"wall time"}};
  for (const char* const name : kShown) {
    section.table.columns.push_back({MetricLabel(list[harness::RoundMetricIndex(name)].info)});
  }
  Json values = Json::array();
  for (std::size_t i = 0; i < result.rounds.size(); ++i) {
    const harness::Round& round = result.rounds[i];
    std::vector<std::string> cells{fmt::format("{}", i + 1),
                                   Duration(static_cast<double>(round.wall_ns), kPageStyle)};
    for (const char* const name : kShown) {
      const std::size_t index = harness::RoundMetricIndex(name);
      cells.push_back(OrDash(result, list[index].info, round.metrics[index]));
    }
    section.table.rows.push_back(std::move(cells));
    if (const auto& value = round.metrics[harness::RoundMetricIndex("throughput")]) {
      values.push_back(*value);
    }
  }
  const auto& throughput = list[harness::RoundMetricIndex("throughput")].info;
  return SectionJson(section, {{"kind", "distribution"},
                               {"value", AxisJson(throughput, result.plan.workload->operation)},
                               {"of", "rounds"},
                               {"groups", Json::array({{{"name", result.plan.scheduler->name},
                                                        {"values", std::move(values)}}})}});
}

Json MetricsSection(const RunResult& result) {
  const bool is_interval = std::ranges::any_of(result.summary, [](const auto& row) {
    return row.spread && row.spread->is_interval;
  });
  PageSection section{
      .title = "Metrics",
      .about = is_interval ? "Medians of the rounds; low and high are the 95 % interval."
                           : "Medians of the rounds; low and high are the least and greatest.",
      .table = {.columns = {{"metric", false}, {"median"}, {"low"}, {"high"}, {"meaning", false}}}};
  for (const harness::SummaryRow& row : result.summary) {
    if (row.spread) {
      section.table.rows.push_back(
          {MetricLabel(*row.metric), RunMetricText(result, *row.metric, row.spread->median),
           RunMetricText(result, *row.metric, row.spread->low),
           RunMetricText(result, *row.metric, row.spread->high), std::string(row.metric->doc)});
    } else {
      section.table.rows.push_back({MetricLabel(*row.metric), "—", "", "", row.missing});
    }
  }
  return SectionJson(section);
}

// A line for each time of which at least two percentiles are known.
Json LatencySection(const RunResult& result) {
  std::vector<std::pair<std::string_view, std::vector<const harness::SummaryRow*>>> times;
  for (const harness::SummaryRow& row : result.summary) {
    const auto name = PercentileOf(*row.metric);
    if (!name || !row.spread) {
      continue;
    }
    auto found = std::ranges::find(times, name->time, &decltype(times)::value_type::first);
    if (found == times.end()) {
      found = times.insert(times.end(), {name->time, {}});
    }
    found->second.push_back(&row);
  }
  std::erase_if(times, [](const auto& time) {
    return time.second.size() < 2;
  });
  PageSection section{
      .title = "Latencies",
      .about = "Medians of the rounds; the bars are their intervals.",
      .table = {.columns = {{"time", false}, {"percentile"}, {"median"}, {"low"}, {"high"}}}};
  Json lines = Json::array();
  for (const auto& [time, rows] : times) {
    Json points = Json::array();
    const std::string name = MetricLabel({std::string_view(time), "ns", {}, ""});
    for (const harness::SummaryRow* const row : rows) {
      const double percentile = PercentileOf(*row->metric)->percentile;
      points.push_back(PointJson(percentile, *row->spread));
      section.table.rows.push_back(
          {name, percentile == 100 ? "max" : fmt::format("p{}", percentile),
           Duration(row->spread->median, kPageStyle), Duration(row->spread->low, kPageStyle),
           Duration(row->spread->high, kPageStyle)});
    }
    lines.push_back({{"name", name}, {"points", std::move(points)}});
  }
  if (lines.empty()) {
    section.table = {};
    section.about = "";
    section.empty = "No latencies were measured.";
    return SectionJson(section);
  }
  return SectionJson(section, {{"kind", "percentiles"},
                               {"value", AxisJson("time", "ns", registry::Better::kLower)},
                               {"lines", std::move(lines)}});
}

struct WorkerShare {
  std::string_view name;
  std::string_view metric;
};

// A stacked bar for each worker of the tasks by their source.
Json TasksChart(const RunResult& result, std::span<const WorkerShare> shares) {
  const Json bars = ArrayOf(result.workers.size(), [&](std::size_t i) -> Json {
    const Json values = ArrayOf(shares, [&](const WorkerShare& share) {
      return result.workers[i][metrics::MetricIndex(share.metric)];
    });
    return {{"name", fmt::format("worker {}", i)}, {"values", values}};
  });
  return {{"kind", "stacked"},
          {"value", AxisJson("tasks", "")},
          {"parts", ArrayOf(shares, &WorkerShare::name)},
          {"bars", bars}};
}

Json TasksSection(const RunResult& result) {
  constexpr std::array kSources{
      WorkerShare{"LIFO slot", "from_lifo"}, WorkerShare{"local queue", "from_local"},
      WorkerShare{"global queue", "from_global"}, WorkerShare{"stolen", "from_stolen"},
      WorkerShare{"itself", "from_self"}};
  PageSection section{.title = "Tasks of each worker",
                      .about = "Where the tasks came from that a worker ran, in all rounds."};
  section.table.columns = {{"metric", false}};
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    section.table.columns.push_back({fmt::format("worker {}", i)});
  }
  section.table.columns.push_back({"all"});
  const auto list = metrics::WorkerMetricList();
  for (std::size_t i = 0; i < result.total.size(); ++i) {
    if (result.total[i] == 0) {
      continue;
    }
    std::vector<std::string> cells{std::string(list[i].name)};
    const auto text = [&](std::uint64_t value) {
      return list[i].unit == "ns" ? Duration(static_cast<double>(value), kPageStyle) : Count(value);
    };
    for (const metrics::MetricValues& worker : result.workers) {
      cells.push_back(text(worker[i]));
    }
    cells.push_back(text(result.total[i]));
    section.table.rows.push_back(std::move(cells));
  }
  if (const auto imbalance = result.Imbalance(); imbalance && result.workers.size() > 1) {
    section.sentences.push_back(
        fmt::format("imbalance {:.2f} (tasks of the busiest worker / mean)", *imbalance));
  }
  return SectionJson(section, TasksChart(result, kSources));
}

// The terms and values of the table of workers in the terminal.
Json TimeSection(const RunResult& result) {
  constexpr std::array kTimes{
      std::pair{"run", &WorkerTime::run_ns}, std::pair{"search", &WorkerTime::search_ns},
      std::pair{"idle", &WorkerTime::idle_ns}, std::pair{"preempted", &WorkerTime::preempted_ns}};
  PageSection section{
      .title = "Time of each worker",
      .about = "Shares of the wall time of all rounds.",
      .sentences = {"Preempted is the time without a CPU, which other threads had. It is a part of "
                    "run, search and idle, so it has a bar of its own."},
      .table = {.columns = {{"worker", false}}}};
  Json parts = Json::array();
  for (const auto& [name, part] : kTimes) {
    section.table.columns.push_back({name});
    parts.push_back(name);
  }
  const bool has_preempted = result.total[metrics::MetricIndex("preempted_ns")] > 0;
  Json bars = Json::array();
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    const WorkerTime time = TimeOf(result.workers[i], result.WallNs());
    const std::string worker = fmt::format("worker {}", i);
    std::vector<std::string> cells{worker};
    Json values = Json::array();
    for (const auto& [name, part] : kTimes) {
      const double share =
          time.is_resolved ? static_cast<double>(time.*part) / static_cast<double>(result.WallNs())
                           : 0;
      cells.push_back(time.is_resolved ? Percent(share) : "—");
      values.push_back(share);
    }
    section.table.rows.push_back(std::move(cells));
    const Json preempted = std::exchange(values.back(), 0);
    bars.push_back({{"name", worker}, {"values", std::move(values)}});
    if (has_preempted) {
      bars.push_back(
          {{"name", worker + ", preempted"}, {"values", Json::array({0, 0, 0, preempted})}});
    }
  }
  return SectionJson(section, {{"kind", "stacked"},
                               {"value", AxisJson("share of the wall time", "share")},
                               {"parts", std::move(parts)},
                               {"bars", std::move(bars)}});
}

}  // namespace

std::string RenderHtml(const RunResult& result) {
  const harness::RunPlan& plan = result.plan;
  PageHead head{.title = fmt::format("{} on {}", plan.workload->name, SchedulerText(plan)),
                .facts = {{"workload", WorkloadText(plan)},
                          {"rounds", fmt::format("{} of {}, {} warm-up", result.rounds.size(),
                                                 plan.rounds, plan.warmup)}},
                .notes = NotesOn(result)};
  if (!result.complete) {
    head.notes.insert(head.notes.begin(), {.text = "partial: " + result.failure, .remedy = ""});
  }
  Json sections = Json::array();
  if (!result.rounds.empty()) {
    sections = {RoundsSection(result), LatencySection(result)};
    const bool has_rows = result.HasRowPerThread() && !result.workers.empty();
    const auto total = [&result](std::string_view metric) {
      return result.total[metrics::MetricIndex(metric)];
    };
    if (has_rows && total("tasks_run") > 0) {
      sections.push_back(TasksSection(result));
    }
    if (has_rows && !result.ThreadsComeAndGo() && total("park_ns") + total("search_ns") > 0) {
      sections.push_back(TimeSection(result));
    }
    sections.push_back(MetricsSection(result));
  }
  return ChartPageText(head, result.machine, result.command, plan.seed, std::move(sections));
}

}  // namespace schedbench::report
