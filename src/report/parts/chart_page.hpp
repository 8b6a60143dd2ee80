#pragma once

#include "harness/summary.hpp"
#include "registry/metric.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"

#include <optional>
#include <string>
#include <string_view>

// Parts of charts; flamegraph/README.md describes their data. Pure; thread-safe.

namespace schedbench::report {

// The style of a page: the file is UTF-8 in any locale.
inline constexpr TerminalStyle kPageStyle{};

// Returns a description of an axis. `unit`: see flamegraph/README.md.
Json AxisJson(std::string_view name, std::string_view unit,
              registry::Better better = registry::Better::kNone);
// Describes a metric's axis. `operation`: the unit of throughput; "" for several workloads.
Json AxisJson(const registry::Metric& metric, std::string_view operation);

// Adds "value", "low" and "high"; the latter only where the spread has a width.
void AddSpread(const harness::Spread& spread, Json& object);

// Returns [x, median, low, high].
Json PointJson(double x, const harness::Spread& spread);

// A percentile of a time: "wakeup_p99_9" is 99.9 of "wakeup", "run_max" is 100 of "run".
struct PercentileName {
  std::string_view time;
  double percentile;
};
std::optional<PercentileName> PercentileOf(const registry::Metric& metric);

// Returns the text with a capital first letter, for titles.
std::string Capitalised(std::string text);

// Returns whether this program contains the page, which needs node when it is built.
bool HasChartPage();

}  // namespace schedbench::report
