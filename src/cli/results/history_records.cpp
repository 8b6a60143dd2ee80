#include "cli/results/history_records.hpp"

#include "base/text.hpp"
#include "cli/flags/history_flags.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "harness/compare/block_value.hpp"
#include "history/content_hash.hpp"
#include "history/leaves.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "report/parts/json_parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kAddedFrom = "run, compare, sweep or scale -o FILE.json";

// Warning flags do not change code: two revisions that differ in them are comparable.
std::string WithoutWarnings(const std::string& flags) {
  std::string rest;
  for (std::string_view words = flags; !words.empty();) {
    const std::string_view word = TakePart(words, ' ');
    const bool is_warning = word.starts_with("-W") && word.find(',') == std::string_view::npos;
    if (!word.empty() && !is_warning) {
      rest += (rest.empty() ? "" : " ") + std::string(word);
    }
  }
  return rest;
}

std::string BuildText(registry::BuildInfo build) {
  build.flags = WithoutWarnings(build.flags);
  return BuildKind(build).dump();
}

// Returns the settings that differ from this program's defaults, so that a field that a later
// revision adds does not begin a new series.
std::string ReducedConfig(const std::string& scheduler, const std::string& config) {
  const history::Leaves leaves = history::LeavesOf(config);
  const registry::SchedulerEntry* const entry = registry::FindScheduler(scheduler);
  if (entry == nullptr) {
    return history::FlatJson(leaves);
  }
  const std::string defaults = config::ToJson(config::Settings(entry->schema())).dump();
  return history::FlatJson(history::WithoutDefaults(leaves, history::LeavesOf(defaults)));
}

// Adds the blocks of a series by the metric that `place` describes.
void AddMetric(const SavedValue& place, const history::SeriesKey& key,
               const harness::Series& series, history::Record& record) {
  const std::string metric = place.Text("metric");
  const std::string unit = place.Text("unit");
  const registry::Metric described{
      .name = metric, .unit = unit, .better = place.At("better").As<registry::Better>(), .doc = ""};
  AddPoint(record, key, described, BlockValues(series, described));
}

void AddRun(const SavedValue& root, const Origin& origin, history::Record& record) {
  root.Require(root.At("complete").As<bool>(), "did not finish");
  const SavedValue workload = root.At("workload");
  const history::SeriesKey key =
      KeyOf(origin, "", root.Text("scheduler"), root.Object("config").dump(), workload.Text("name"),
            workload.Object("parameters").dump());
  const SavedValue summary = root.At("summary");
  for (const auto& [name, value] : root.Object("summary").items()) {
    const SavedValue row = summary.At(name);
    const std::string unit = row.Text("unit");
    const auto median = row.At("median").As<std::optional<double>>();
    // All rounds are from one process, and therefore one block.
    std::vector<double> blocks;
    if (median && std::isfinite(*median) && *median > 0) {
      blocks.push_back(*median);
    }
    AddPoint(
        record, key,
        {.name = name, .unit = unit, .better = row.At("better").As<registry::Better>(), .doc = ""},
        std::move(blocks));
  }
}

void AddComparison(const SavedValue& root, const Origin& origin, history::Record& record) {
  const std::vector<SavedValue> rows = root.At("rows").Elements();
  for (const SavedValue& workload : root.At("workloads").Elements()) {
    for (const SavedValue& saved : root.At("alternatives").Elements()) {
      if (saved.At("saved").As<bool>()) {
        continue;
      }
      const auto alternative = saved.As<harness::Alternative>();
      const auto series = workload.At("measured").At(alternative.name).As<harness::Series>();
      const history::SeriesKey key =
          KeyOf(origin, alternative.runtime, alternative.scheduler, alternative.config,
                workload.Text("workload"), workload.Object("parameters").dump());
      for (const SavedValue& row : rows) {
        if (row.Text("workload") == workload.Text("name") &&
            row.Text("alternative") == alternative.name) {
          AddMetric(row, key, series, record);
        }
      }
    }
  }
}

void AddCells(const SavedValue& root, const Origin& origin, history::Record& record) {
  for (const SavedValue& cell : root.At("cells").Elements()) {
    AddMetric(root,
              KeyOf(origin, "", cell.Text("scheduler"), cell.Object("config").dump(),
                    cell.Text("workload"), cell.Object("parameters").dump()),
              cell.At("measured").As<harness::Series>(), record);
  }
}

struct ResultKind {
  std::string_view name;
  void (*add)(const SavedValue& root, const Origin& origin, history::Record& record);
};

constexpr std::array kResultKinds{
    ResultKind{"run", &AddRun}, ResultKind{"comparison", &AddComparison},
    ResultKind{"sweep", &AddCells}, ResultKind{"scale", &AddCells}, ResultKind{"suite", &AddCells}};

std::string RevisionOf(const SavedValue& root, const registry::BuildInfo& build,
                       const std::string& file, const std::optional<std::string>& given) {
  if (given) {
    return *given;
  }
  if (build.revision == "unknown" || build.revision.empty() || build.modified) {
    throw config::InputError(
        {{.where = config::Escaped(file, 4096),
          .path = "",
          .message = fmt::format("{}    --revision REV says which one it is a result of",
                                 build.modified ? "was measured with changes that no revision has"
                                                : "does not name its revision")}});
  }
  root.At("build")
      .At("revision")
      .Require(config::IsPrintable(build.revision), "has characters that cannot be printed");
  return build.revision;
}

}  // namespace

history::SeriesKey KeyOf(const Origin& origin, const std::string& runtime,
                         const std::string& scheduler, const std::string& config,
                         const std::string& workload, const std::string& parameters) {
  return {.machine = MachineFacts(origin.machine).dump(),
          .build = BuildText(origin.build),
          .runtime = runtime,
          .scheduler = scheduler,
          .config = runtime.empty() ? ReducedConfig(scheduler, config)
                                    : history::FlatJson(history::LeavesOf(config)),
          .workload = workload,
          .parameters = history::FlatJson(history::LeavesOf(parameters)),
          .metric = "",
          .unit = "",
          .better = registry::Better::kNone,
          .reference = ""};
}

Origin OriginOfThisProgram() {
  return {platform::ThisMachine(), registry::ThisBuild()};
}

void AddPoint(history::Record& record, history::SeriesKey key, const registry::Metric& metric,
              std::vector<double> blocks) {
  if (blocks.empty()) {
    return;
  }
  key.metric = metric.name;
  key.unit = metric.unit;
  key.better = metric.better;
  const auto same = std::ranges::find(record.points, key, &history::Point::key);
  if (same == record.points.end()) {
    record.points.push_back({.key = std::move(key), .blocks = std::move(blocks)});
  } else {
    same->blocks.insert(same->blocks.end(), blocks.begin(), blocks.end());
  }
}

std::vector<double> BlockValues(const harness::Series& series, const registry::Metric& metric) {
  auto values = harness::Present(harness::ValuesByBlock(series, metric));
  std::erase_if(values, [](double value) { return !(value > 0) || !std::isfinite(value); });
  return values;
}

history::Store OpenHistory(const Arguments& arguments, history::Database::Access access) {
  try {
    return {HistoryPath(arguments), access};
  } catch (const history::NewerSchema& error) {
    throw NotComparable(error.what());
  }
}

ResultOfRevision ReadResult(const std::string& file, const std::optional<std::string>& revision) {
  const ordered_json json = ReadResultFile(file);
  const SavedValue root(file, json, kAddedFrom);
  const std::string kind = root.Text("kind");
  const auto* const known = std::ranges::find(kResultKinds, kind, &ResultKind::name);
  if (known == kResultKinds.end()) {
    root.At("kind").Require(false,
                            fmt::format("{} has no values for a history", config::Quoted(kind)));
  }
  Differences(root, "Measure it", known->name == "comparison" ? "compare" : known->name);
  RequirePlainMeasurement(file, json);
  const auto origin = root.As<Origin>();
  ResultOfRevision result{.file = file, .record = {}};
  result.record.kind = kind;
  result.record.hash = history::ContentHash(json.dump());
  result.record.revision.name = RevisionOf(root, origin.build, file, revision);
  result.record.added_time = platform::UnixSeconds();
  known->add(root, origin, result.record);
  root.Require(!result.record.points.empty(), "has no finished measurement");
  return result;
}

}  // namespace schedbench::cli
