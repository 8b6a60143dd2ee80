#include "metrics/metric_list.hpp"
#include "report/document/table.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"
#include "report/run/worker_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

constexpr std::string_view kNoBase;
constexpr std::string_view kPicks = "picks";     // all from_ metrics
constexpr std::string_view kTime = "time";       // the wall time of all rounds
constexpr std::string_view kRunTime = "run_ns";  // not a metric: what the others leave

// A column shows a metric, or its share of a base.
struct WorkerColumn {
  std::string_view head;
  int group;
  std::string_view metric;
  std::string_view base;
  int loss = 0;  // a narrow terminal drops columns with large numbers first
  bool always = false;
  std::uint64_t WorkerTime::* part = nullptr;  // part of kTime
};

constexpr std::array kColumns{
    WorkerColumn{"tasks", 0, "tasks_run", kNoBase, 0, true},
    WorkerColumn{"lifo", 0, "from_lifo", kPicks, 4},
    WorkerColumn{"local", 0, "from_local", kPicks, 0},
    WorkerColumn{"global", 0, "from_global", kPicks, 5},
    WorkerColumn{"stolen", 0, "from_stolen", kPicks, 0},
    WorkerColumn{"self", 0, "from_self", kPicks, 11},
    WorkerColumn{"steals", 1, "steals", kNoBase, 3},
    WorkerColumn{"tried", 1, "steal_attempts", kNoBase, 10},
    WorkerColumn{"hit", 1, "steals", "steal_attempts", 8},
    WorkerColumn{"parks", 2, "parks", kNoBase, 2},
    WorkerColumn{"empty", 2, "noop_wakes", kNoBase, 7},
    WorkerColumn{"wakes", 2, "wakes_sent", kNoBase, 6},
    WorkerColumn{"offloads", 3, "offloads", kNoBase, 9},
    WorkerColumn{"grabs", 3, "global_grabs", kNoBase, 9},
    WorkerColumn{"run", 4, kRunTime, kTime, 2, false, &WorkerTime::run_ns},
    WorkerColumn{"search", 4, "search_ns", kTime, 1, false, &WorkerTime::search_ns},
    WorkerColumn{"idle", 4, "park_ns", kTime, 0, true, &WorkerTime::idle_ns},
    WorkerColumn{"preempted", 4, "preempted_ns", kTime, 1, false, &WorkerTime::preempted_ns},
};

// One worker, or all of them.
struct WorkerRow {
  std::string name;
  const metrics::MetricValues& values;
  std::uint64_t time_ns;
};

std::uint64_t ValueOf(const WorkerRow& row, std::string_view metric) {
  return row.values[metrics::MetricIndex(metric)];
}

std::uint64_t BaseOf(const WorkerRow& row, const WorkerColumn& column) {
  if (column.base == kTime) {
    return row.time_ns;
  }
  if (column.base != kPicks) {
    return ValueOf(row, column.base);
  }
  std::uint64_t picks = 0;
  for (const WorkerColumn& one : kColumns) {
    picks += one.base == kPicks ? ValueOf(row, one.metric) : 0;
  }
  return picks;
}

// Up to this number, each worker has a row.
constexpr std::size_t kAlwaysShown = 8;
// Most rows of a table that is still readable.
constexpr std::size_t kMostShown = 64;

bool DidNothing(const metrics::MetricValues& worker) {
  return worker[metrics::MetricIndex("tasks_run")] == 0 &&
         worker[metrics::MetricIndex("steal_attempts")] == 0;
}

std::string WorkerCellText(const WorkerColumn& column, const WorkerRow& row,
                           const TerminalStyle& style) {
  if (column.base == kNoBase) {
    return Count(ValueOf(row, column.metric));
  }
  const bool is_time = column.part != nullptr;
  const WorkerTime time = TimeOf(row.values, row.time_ns);
  const std::uint64_t value = is_time ? time.*column.part : ValueOf(row, column.metric);
  const std::uint64_t base = BaseOf(row, column);
  if (base == 0 || (is_time && !time.is_resolved)) {
    return style.Dash();
  }
  return Percent(static_cast<double>(value) / static_cast<double>(base));
}

bool CountsTime(const harness::RunResult& result) {
  return result.total[metrics::MetricIndex("park_ns")] != 0 ||
         result.total[metrics::MetricIndex("search_ns")] != 0;
}

bool IsUsed(const WorkerColumn& column, const harness::RunResult& result) {
  // Without the other times, the time of tasks would be the whole time.
  return column.metric == kRunTime
             ? CountsTime(result)
             : column.always || result.total[metrics::MetricIndex(column.metric)] != 0;
}

// The workers that have a row, and why the others do not.
struct ShownWorkers {
  std::vector<std::size_t> numbers;
  std::size_t did_nothing = 0;
  std::size_t ran_less = 0;
};

ShownWorkers Choose(const std::vector<metrics::MetricValues>& workers) {
  ShownWorkers shown;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (workers.size() > kAlwaysShown && DidNothing(workers[i])) {
      ++shown.did_nothing;
    } else {
      shown.numbers.push_back(i);
    }
  }
  if (shown.numbers.size() > kMostShown) {
    shown.ran_less = shown.numbers.size() - kMostShown;
    static const std::size_t tasks_run = metrics::MetricIndex("tasks_run");
    // Among workers with equally many tasks the lower numbers come first.
    std::ranges::sort(shown.numbers, [&](std::size_t one, std::size_t other) {
      return std::pair(workers[other][tasks_run], one) < std::pair(workers[one][tasks_run], other);
    });
    shown.numbers.resize(kMostShown);
    std::ranges::sort(shown.numbers);
  }
  return shown;
}

std::string NotShown(std::size_t workers, std::string_view why, const TerminalStyle& style) {
  if (workers == 0) {
    return "";
  }
  const std::string count = workers == 1 ? "1 worker" : fmt::format("{} workers", workers);
  return style.Dim(fmt::format("  not shown: {} that {}", count, why)) + "\n";
}

// Returns threads and blocking calls of a scheduler whose workers change their threads; "" for
// others. The names are those of the Go article and Go: P is a worker, and their number is
// constant; M is a thread, and their number follows the workers and the blocking calls.
std::string MachineLines(const harness::RunResult& result, const TerminalStyle& style) {
  const auto value = [&result](std::string_view metric) {
    return result.pool[metrics::MetricIndex(metric, metrics::PoolMetricList())];
  };
  if (value("threads_most") == 0) {
    return "";
  }
  std::string text = fmt::format("  P {} workers    M at most {} threads, {} started in the rounds",
                                 result.workers.size(), Count(value("threads_most")),
                                 Count(value("threads_created")));
  const std::uint64_t wall_ns = result.WallNs();
  if (value("sysmon_cpu") > 0 && wall_ns > 0) {
    text += fmt::format("    sysmon {} of a CPU", Percent(static_cast<double>(value("sysmon_cpu")) /
                                                          static_cast<double>(wall_ns)));
  }
  text += "\n";
  const std::uint64_t calls = result.total[metrics::MetricIndex("blocking_calls")];
  if (calls > 0) {
    text += fmt::format(
        "  blocking calls {}    handoffs {} ({} retaken)    returned to own worker {}, idle worker "
        "{}, queue {}",
        Count(calls), Count(value("handoffs")), Count(value("retakes")),
        Count(value("returns_to_own")), Count(value("returns_to_idle")),
        Count(value("returns_to_queue")));
    if (const std::uint64_t waits = value("blocking_waits"); waits > 0) {
      text += fmt::format("    waited for max_threads {}", Count(waits));
    }
    text += "\n";
  }
  return style.Dim(text);
}

}  // namespace

std::string WorkerTable(const harness::RunResult& result, const TerminalStyle& style) {
  const bool counts_anything =
      std::ranges::any_of(result.total, [](std::uint64_t value) { return value != 0; });
  if (result.workers.empty() || !counts_anything) {
    return "";
  }
  TableOf<WorkerRow> table;
  table.Add({"worker"}, &WorkerRow::name);
  int group = 0;
  for (const WorkerColumn& column : kColumns) {
    if (IsUsed(column, result)) {
      table.Add({.name = std::string(column.head),
                 .align = kRight,
                 .loss = column.loss,
                 .opens_group = std::exchange(group, column.group) != column.group},
                [&](const WorkerRow& row) { return WorkerCellText(column, row, style); });
    }
  }
  const std::uint64_t wall_ns =
      result.ThreadsComeAndGo() || !CountsTime(result) ? 0 : result.WallNs();
  // If a row would stand for many threads, only the sum is shown.
  const std::size_t threads = result.HasRowPerThread() ? result.workers.size() : 0;
  const ShownWorkers shown = threads == 0 ? ShownWorkers{} : Choose(result.workers);
  std::vector<WorkerRow> rows;
  for (const std::size_t i : shown.numbers) {
    rows.push_back({std::to_string(i), result.workers[i], wall_ns});
  }
  rows.push_back({std::string(style.Sign("Σ", "sum")), result.total, wall_ns * threads});

  std::string text = TableText(std::move(table).Rows(rows), style);
  text += NotShown(shown.ran_less, "ran fewer tasks    --format json has all", style);
  text += NotShown(shown.did_nothing, "ran no task and tried no steal", style);
  if (const auto imbalance = result.Imbalance(); imbalance && result.workers.size() > 1) {
    text += style.Dim(fmt::format("  imbalance {:.2f} (tasks of the busiest worker / mean)",
                                  *imbalance)) +
            "\n";
  }
  const std::uint64_t waits =
      result.pool[metrics::MetricIndex("global_lock_waits", metrics::PoolMetricList())];
  const std::uint64_t tasks = ValueOf(rows.back(), "tasks_run");
  if (waits > 0 && tasks > 0) {
    const double share = static_cast<double>(waits) / static_cast<double>(tasks);
    text += style.Dim(fmt::format("  global_lock_waits {} ({} of the tasks)", Count(waits),
                                  Percent(share))) +
            "\n";
  }
  return text + MachineLines(result, style);
}

}  // namespace schedbench::report
