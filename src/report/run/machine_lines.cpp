#include "metrics/metric_list.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::report {

// The names are those of document 003 and Go: P, a worker, of which there are always as many; M, a thread, of which there are as
// many as the workers and the blocking calls need.
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

}  // namespace schedbench::report
