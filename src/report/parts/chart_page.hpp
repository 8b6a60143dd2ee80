#pragma once

#include "harness/summary.hpp"
#include "platform/machine/machine_info.hpp"
#include "registry/metric.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parts of a page of charts. Its data is described in flamegraph/README.md.
// Pure; thread-safe.

namespace schedbench::report {

// What the texts of a page can show: the file is UTF-8, whatever the locale is.
inline constexpr TerminalStyle kPageStyle{};

struct PageColumn {
  std::string name;
  bool is_number = true;  // aligned to the right
};

struct PageTable {
  std::vector<PageColumn> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // a cell for each column
};

// A part of the page: a chart with what belongs to it.
struct PageSection {
  std::string title;
  std::string about = "";                   // one sentence
  std::string empty = "";                   // shown instead of a chart where there is none
  std::vector<std::string> sentences = {};  // below the chart
  PageTable table = {};                     // none without columns
};

// The section in the form of the page. `chart`: null for none.
Json SectionJson(const PageSection& section, const Json& chart = nullptr);

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

// The lines of a text, without their indent and without empty ones.
std::vector<std::string> Sentences(std::string_view text);

// Notes of lines of a report: "  noise   something else ran    schedbench doctor" has a label and a remedy.
std::vector<Note> NotesOfLines(std::string_view text);

// All of a page except its charts.
struct PageHead {
  std::string title;
  std::vector<std::pair<std::string, std::string>>
      facts;  // the first ones; those of the origin follow
  std::vector<Note> notes;
};

// Returns the page. Requires: HasChartPage().
std::string ChartPageText(const PageHead& head, const platform::MachineInfo& machine,
                          const std::vector<std::string>& command,
                          std::optional<std::uint64_t> seed, Json sections);

// Whether this program contains the page, which needs node when it is built.
bool HasChartPage();

}  // namespace schedbench::report
