#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "metrics/metric_list.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/run/run_report.hpp"
#include "report/run/worker_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace schedbench::report {

namespace {

using harness::RunResult;

std::vector<std::string> HeadlineOf(const RunResult& result) {
  const harness::RunPlan& plan = result.plan;
  std::vector<std::string> parts{SchedulerText(plan), WorkloadText(plan)};
  if (!result.workers.empty()) {
    const std::string threads = result.HasRowPerThread()
                                    ? Plural(result.workers.size(), "worker")
                                    : "up to " + Plural(result.Threads(), "thread");
    parts.push_back(fmt::format("{} on CPU {}", threads, result.machine.cpu_list));
  }
  parts.push_back(result.complete ? Plural(plan.rounds, "round")
                                  : fmt::format("{} of {}", result.rounds.size(),
                                                Plural(plan.rounds, "round")));
  if (plan.warmup > 0) {
    parts.push_back(fmt::format("{} warm-up", plan.warmup));
  }
  return parts;
}

// Returns a value; throughput has the operation of the workload.
std::string RunMetricText(const RunResult& result, const registry::Metric& metric, double value,
                          const TerminalStyle& style) {
  const std::string_view operation = result.plan.workload->operation;
  return metric.unit == "per op"       ? PerOperation(value, operation)
         : metric.name == "throughput" ? WithUnit(value, fmt::format("{}s/s", operation))
                                       : MetricText(metric, value, style);
}

Section RoundsSection(const RunResult& result) {
  const auto& list = harness::RoundMetricList();
  TableOf<harness::Round> table;
  table.Add({"round", kRight}, [&result](const harness::Round& round) {
    return std::to_string(&round - result.rounds.data() + 1);
  });
  table.Add({"wall time", kRight}, [](const harness::Round& round) {
    return Duration(static_cast<double>(round.wall_ns), kPageStyle);
  });
  for (const char* const name : {"throughput", "cpu_per_operation", "cpus_used", "idle_share"}) {
    const std::size_t index = harness::RoundMetricIndex(name);
    const registry::Metric& metric = list[index].info;
    table.Add({MetricLabel(metric), kRight}, [&, index](const harness::Round& round) {
      const auto& value = round.metrics[index];
      return value ? RunMetricText(result, metric, *value, kPageStyle) : kPageStyle.Dash();
    });
  }
  const std::size_t throughput = harness::RoundMetricIndex("throughput");
  const auto values = PresentOf(
      result.rounds, [&](const harness::Round& round) { return round.metrics[throughput]; });
  return {.title = "Throughput of each round",
          .about =
              "Rounds that differ much, or that grow or fall in their order, make a median "
              "unreliable.",
          .table = std::move(table).Rows(result.rounds),
          .chart = {{"kind", "distribution"},
                    {"value", AxisJson(list[throughput].info, result.plan.workload->operation)},
                    {"of", "rounds"},
                    {"groups",
                     Json::array({{{"name", result.plan.scheduler->name}, {"values", values}}})}},
          .media = kInPage};
}

// Returns a row for each metric.
Table MetricsTable(const RunResult& result, const TerminalStyle& style) {
  TableOf<harness::SummaryRow> table;
  table.Add({.name = "scheduler", .media = kInRows},
            [&](const harness::SummaryRow& /*row*/) { return result.plan.scheduler->name; });
  table.Add({.name = "workload", .media = kInRows},
            [&](const harness::SummaryRow& /*row*/) { return WorkloadText(result.plan); });
  table.Add({"metric"}, [](const harness::SummaryRow& row) {
    return Cell(row.metric->name, MetricLabel(*row.metric));
  });
  table.Add({.name = "unit", .media = kInRows},
            [](const harness::SummaryRow& row) { return row.metric->unit; });
  table.Add({.name = "better", .media = kInRows},
            [](const harness::SummaryRow& row) { return row.metric->better; });
  using harness::Spread;
  for (const auto& [name, part] :
       {std::pair{"median", &Spread::median}, std::pair{"low", &Spread::low},
        std::pair{"high", &Spread::high}}) {
    table.Add({name, kRight}, [&, part](const harness::SummaryRow& row) {
      if (!row.spread && part == &Spread::median) {
        return Cell("", style.Dash());
      }
      return NumberCell(Mapped(row.spread, part), [&](double value) {
        return RunMetricText(result, *row.metric, value, style);
      });
    });
  }
  table.Add({.name = "interval", .media = kInRows}, [](const harness::SummaryRow& row) -> Cell {
    return !row.spread ? "" : row.spread->is_interval ? "95%" : "range";
  });
  table.Add({.name = "rounds", .media = kInRows}, [&](const harness::SummaryRow& /*row*/) {
    return std::to_string(result.rounds.size());
  });
  table.Add({.name = "reason", .media = kInRows}, [](const harness::SummaryRow& row) {
    return row.missing;  // why there is no median
  });
  table.Add({.name = "meaning", .media = kInPage}, [](const harness::SummaryRow& row) {
    return row.spread ? std::string(row.metric->doc) : row.missing;
  });
  return std::move(table).Rows(result.summary);
}

// Returns a line for each time of which at least two percentiles are known.
Section LatencySection(const RunResult& result) {
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
  std::erase_if(times, [](const auto& time) { return time.second.size() < 2; });
  Section section{.title = "Latencies", .media = kInPage};
  if (times.empty()) {
    section.empty = "No latencies were measured.";
    return section;
  }
  section.about = "Medians of the rounds; the bars are their intervals.";
  section.table.columns = {
      {"time"}, {"percentile", kRight}, {"median", kRight}, {"low", kRight}, {"high", kRight}};
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
  section.chart = {{"kind", "percentiles"},
                   {"value", AxisJson("time", "ns", registry::Better::kLower)},
                   {"lines", std::move(lines)}};
  return section;
}

struct WorkerShare {
  std::string_view name;
  std::string_view metric;
};

// Returns a stacked bar for each worker of the tasks by their source.
Json TasksChart(const RunResult& result) {
  constexpr std::array kSources{
      WorkerShare{"LIFO slot", "from_lifo"}, WorkerShare{"local queue", "from_local"},
      WorkerShare{"global queue", "from_global"}, WorkerShare{"stolen", "from_stolen"},
      WorkerShare{"itself", "from_self"}};
  const Json bars = ArrayOf(Indices(result.workers.size()), [&](std::size_t i) -> Json {
    const Json values = ArrayOf(kSources, [&](const WorkerShare& share) {
      return result.workers[i][metrics::MetricIndex(share.metric)];
    });
    return {{"name", fmt::format("worker {}", i)}, {"values", values}};
  });
  return {{"kind", "stacked"},
          {"value", AxisJson("tasks", "")},
          {"parts", ArrayOf(kSources, &WorkerShare::name)},
          {"bars", bars}};
}

Section TasksSection(const RunResult& result) {
  Section section{.title = "Tasks of each worker",
                  .about = "Where the tasks came from that a worker ran, in all rounds.",
                  .chart = TasksChart(result),
                  .media = kInPage};
  section.table.columns = {{"metric"}};
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    section.table.columns.push_back({fmt::format("worker {}", i), kRight});
  }
  section.table.columns.push_back({"all", kRight});
  const auto list = metrics::WorkerMetricList();
  for (std::size_t i = 0; i < result.total.size(); ++i) {
    if (result.total[i] == 0) {
      continue;
    }
    std::vector<Cell>& cells = section.table.rows.emplace_back();
    cells.emplace_back(list[i].name);
    const auto add = [&](std::uint64_t value) {
      cells.emplace_back(list[i].unit == "ns" ? Duration(static_cast<double>(value), kPageStyle)
                                              : Count(value));
    };
    for (const metrics::MetricValues& worker : result.workers) {
      add(worker[i]);
    }
    add(result.total[i]);
  }
  if (const auto imbalance = result.Imbalance(); imbalance && result.workers.size() > 1) {
    section.details.push_back(
        {fmt::format("imbalance {:.2f} (tasks of the busiest worker / mean)", *imbalance)});
  }
  return section;
}

// Returns the terms and values of the table of workers in the terminal.
Section TimeSection(const RunResult& result) {
  constexpr std::array kTimes{
      std::pair{"run", &WorkerTime::run_ns}, std::pair{"search", &WorkerTime::search_ns},
      std::pair{"idle", &WorkerTime::idle_ns}, std::pair{"preempted", &WorkerTime::preempted_ns}};
  Table table{.columns = {{"worker"}}};
  Json parts = Json::array();
  for (const auto& [name, part] : kTimes) {
    table.columns.push_back({name, kRight});
    parts.push_back(name);
  }
  const bool has_preempted = result.total[metrics::MetricIndex("preempted_ns")] > 0;
  Json bars = Json::array();
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    const WorkerTime time = TimeOf(result.workers[i], result.WallNs());
    const std::string worker = fmt::format("worker {}", i);
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.emplace_back(worker);
    Json values = Json::array();
    for (const auto& [name, part] : kTimes) {
      const double share =
          time.is_resolved ? static_cast<double>(time.*part) / static_cast<double>(result.WallNs())
                           : 0;
      cells.emplace_back(time.is_resolved ? Percent(share) : kPageStyle.Dash());
      values.push_back(share);
    }
    const Json preempted = std::exchange(values.back(), 0);
    bars.push_back({{"name", worker}, {"values", std::move(values)}});
    if (has_preempted) {
      bars.push_back(
          {{"name", worker + ", preempted"}, {"values", Json::array({0, 0, 0, preempted})}});
    }
  }
  return {.title = "Time of each worker",
          .about = "Shares of the wall time of all rounds.",
          .table = std::move(table),
          .details = {{"Preempted is the time without a CPU, which other threads had. It is a part "
                       "of run, search and idle, so it has a bar of its own."}},
          .chart = {{"kind", "stacked"},
                    {"value", AxisJson("share of the wall time", "share")},
                    {"parts", std::move(parts)},
                    {"bars", std::move(bars)}},
          .media = kInPage};
}

}  // namespace

std::vector<Repetitions> RepetitionsOf(const RunResult& result) {
  return {{.name = fmt::format("{}/{}", WorkloadSpec(result.plan), result.plan.scheduler->name),
           .threads = std::max<std::uint64_t>(result.Threads(), 1),
           .rounds = {result.rounds.begin(), result.rounds.end()}}};
}

Document DocumentOf(const RunResult& result, const TerminalStyle& style) {
  const harness::RunPlan& plan = result.plan;
  Document document{.title = fmt::format("{} on {}", plan.workload->name, SchedulerText(plan)),
                    .headline = HeadlineOf(result),
                    .facts = {{"workload", WorkloadText(plan)},
                              {"rounds", fmt::format("{} of {}, {} warm-up", result.rounds.size(),
                                                     plan.rounds, plan.warmup)}},
                    .notes = NotesOn(result),
                    .origin = Origin{result.machine, result.command, plan.seed},
                    .rows = MetricsTable(result, style)};
  if (!result.complete) {
    document.endings.push_back({config::Escaped(result.failure, 1000), "", "partial"});
  }
  if (result.rounds.empty()) {
    return document;
  }
  document.sections = {{.text = SummaryLines(result, style), .media = kInTerminal},
                       {.text = WorkerTable(result, style), .media = kInTerminal},
                       RoundsSection(result),
                       LatencySection(result)};
  const bool has_rows = result.HasRowPerThread() && !result.workers.empty();
  const auto total = [&result](std::string_view metric) {
    return result.total[metrics::MetricIndex(metric)];
  };
  if (has_rows && total("tasks_run") > 0) {
    document.sections.push_back(TasksSection(result));
  }
  if (has_rows && !result.ThreadsComeAndGo() && total("park_ns") + total("search_ns") > 0) {
    document.sections.push_back(TimeSection(result));
  }
  const bool is_interval = std::ranges::any_of(result.summary, [](const harness::SummaryRow& row) {
    return row.spread && row.spread->is_interval;
  });
  document.sections.push_back(
      {.title = "Metrics",
       .about = is_interval ? "Medians of the rounds; low and high are the 95 % interval."
                            : "Medians of the rounds; low and high are the least and greatest.",
       .table = document.rows,
       .media = kInPage});
  return document;
}

}  // namespace schedbench::report
