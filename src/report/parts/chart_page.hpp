#pragma once

#include "harness/summary.hpp"
#include "registry/metric.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"

#include <optional>
#include <string>
#include <string_view>

// Parts of charts, whose data is described in flamegraph/README.md.
// Pure; thread-safe.

namespace schedbench::report {

// What the texts of a page can show: the file is UTF-8, whatever the locale is.
inline constexpr TerminalStyle kPageStyle{};

// What is along an axis. `unit`: as in flamegraph/README.md.
Json AxisJson(std::string_view name, std::string_view unit,
              registry::Better better = registry::Better::kNone);
// A metric. `operation`: of the workload, which is the unit of throughput; "" if there are several.
Json AxisJson(const registry::Metric& metric, std::string_view operation);

// Adds "value", "low" and "high"; the latter only where the spread has a width.
void AddSpread(const harness::Spread& spread, Json& object);

// [x, median, low, high]
Json PointJson(double x, const harness::Spread& spread);

// The metric is a percentile of a time: "wakeup_p99_9" is 99.9 of "wakeup", "run_max" is 100 of "run".
struct PercentileName {
  std::string_view time;
  double percentile;
};
std::optional<PercentileName> PercentileOf(const registry::Metric& metric);

// The text with a large first letter, for titles.
std::string Capitalised(std::string text);

// Whether this program contains the page, which needs node when it is built.
bool HasChartPage();

}  // namespace schedbench::report
