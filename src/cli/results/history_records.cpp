#include "cli/results/history_records.hpp"

#include "base/text.hpp"
#include "cli/flags/history_flags.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "harness/compare/block_value.hpp"
#include "harness/result.hpp"
#include "history/content_hash.hpp"
#include "history/leaves.hpp"
#include "platform/time/wall_clock.hpp"
#include "registry/scheduler.hpp"
#include "report/parts/json_parts.hpp"

#include <fmt/core.h>
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

// Warnings change no code: two revisions that differ in them are comparable.
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

std::string BuildText(const SavedValue& root) {
  ordered_json build = BuildKind(root);
  build["flags"] = WithoutWarnings(root.At("build").Text("flags"));
  return build.dump();
}

// The settings that differ from the defaults of this program, so that a field that a later revision adds begins no new series.
std::string ReducedConfig(const std::string& scheduler, const std::string& config) {
  const history::Leaves leaves = history::LeavesOf(config);
  const registry::SchedulerEntry* const entry = registry::FindScheduler(scheduler);
  if (entry == nullptr) {
    return history::FlatJson(leaves);
  }
  const std::string defaults = config::ToJson(config::Settings(entry->schema())).dump();
  return history::FlatJson(history::WithoutDefaults(leaves, history::LeavesOf(defaults)));
}

registry::Better BetterOf(const SavedValue& place) {
  using registry::Better;
  constexpr std::array kAll{Better::kHigher, Better::kLower, Better::kNone};
  const auto* const found = std::ranges::find(kAll, place.Text("better"),
                                              [](Better one) { return registry::ToText(one); });
  place.At("better").Require(found != kAll.end(), "is not higher, lower or none");
  return *found;
}

void RequireObject(const SavedValue& place) {
  place.Require(place.Value().is_object(), "is not an object");
}

std::string ObjectText(const SavedValue& place) {
  RequireObject(place);
  return place.Value().dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

void AddRun(const SavedValue& root, history::Record& record) {
  root.Require(root.At("complete").Value() == true, "did not finish");
  const SavedValue workload = root.At("workload");
  const history::SeriesKey key =
      KeyOf(root, "", root.Text("scheduler"), ObjectText(root.At("config")), workload.Text("name"),
            ObjectText(workload.At("parameters")));
  const SavedValue summary = root.At("summary");
  RequireObject(summary);
  for (const auto& [name, row] : summary.Value().items()) {
    const SavedValue place = summary.At(name);
    const std::string unit = place.Text("unit");
    const SavedValue median = place.At("median");
    // All rounds are of one process, and so one block.
    std::vector<double> blocks;
    if (median.Value().is_number() && std::isfinite(median.Value().get<double>()) &&
        median.Value().get<double>() > 0) {
      blocks.push_back(median.Value().get<double>());
    }
    AddPoint(record, key, {.name = name, .unit = unit, .better = BetterOf(place), .doc = ""},
             std::move(blocks));
  }
}

void AddComparison(const SavedValue& root, history::Record& record) {
  std::vector<SavedValue> measured;
  for (const SavedValue& place : root.At("alternatives").Elements()) {
    if (!place.Value().contains("saved") || place.At("saved").Value() != true) {
      measured.push_back(place);
    }
  }
  const std::vector<SavedValue> rows = root.At("rows").Elements();
  for (const SavedValue& workload : root.At("workloads").Elements()) {
    const std::string shown = workload.Text("name");
    for (const SavedValue& alternative : measured) {
      const std::string name = alternative.Text("name");
      const harness::Series series = ToSeries(workload.At("measured").At(name));
      const bool is_own = alternative.At("runtime").Value().is_null();
      const history::SeriesKey key =
          KeyOf(root, is_own ? "" : alternative.Text("runtime"), alternative.Text("scheduler"),
                ObjectText(alternative.At("config")), workload.Text("workload"),
                ObjectText(workload.At("parameters")));
      for (const SavedValue& row : rows) {
        if (row.Text("workload") == shown && row.Text("alternative") == name) {
          const std::string metric = row.Text("metric");
          const std::string unit = row.Text("unit");
          const registry::Metric described{
              .name = metric, .unit = unit, .better = BetterOf(row), .doc = ""};
          AddPoint(record, key, described, BlockValues(series, described));
        }
      }
    }
  }
}

void AddCells(const SavedValue& root, history::Record& record) {
  const std::string metric = root.Text("metric");
  const std::string unit = root.Text("unit");
  const registry::Metric described{
      .name = metric, .unit = unit, .better = BetterOf(root), .doc = ""};
  for (const SavedValue& cell : root.At("cells").Elements()) {
    const harness::Series series = ToSeries(cell.At("measured"));
    AddPoint(record,
             KeyOf(root, "", cell.Text("scheduler"), ObjectText(cell.At("config")),
                   cell.Text("workload"), ObjectText(cell.At("parameters"))),
             described, BlockValues(series, described));
  }
}

struct ResultKind {
  std::string_view name;
  void (*add)(const SavedValue& root, history::Record& record);
};

constexpr std::array kResultKinds{
    ResultKind{"run", &AddRun}, ResultKind{"comparison", &AddComparison},
    ResultKind{"sweep", &AddCells}, ResultKind{"scale", &AddCells}, ResultKind{"suite", &AddCells}};

std::string RevisionOf(const SavedValue& root, const std::string& file,
                       const std::optional<std::string>& given) {
  if (given) {
    return *given;
  }
  const SavedValue build = root.At("build");
  const std::string revision = build.Text("revision");
  const bool is_modified = build.At("modified").Value() == true;
  if (revision == "unknown" || revision.empty() || is_modified) {
    throw config::InputError(
        {{.where = config::Escaped(file, 4096),
          .path = "",
          .message = fmt::format("{}    --revision REV says which one it is a result of",
                                 is_modified ? "was measured with changes that no revision has"
                                             : "does not name its revision")}});
  }
  build.At("revision")
      .Require(config::IsPrintable(revision), "has characters that cannot be printed");
  return revision;
}

}  // namespace

history::SeriesKey KeyOf(const SavedValue& root, const std::string& runtime,
                         const std::string& scheduler, const std::string& config,
                         const std::string& workload, const std::string& parameters) {
  return {.machine = MachineFacts(root).dump(),
          .build = BuildText(root),
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

ordered_json OriginOfThisProgram() {
  return {{"machine", record::ToJson(platform::ThisMachine())},
          {"build", record::ToJson(registry::ThisBuild())}};
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
  std::vector<double> values;
  for (const std::optional<double>& value : harness::ValuesByBlock(series, metric)) {
    if (value && *value > 0 && std::isfinite(*value)) {
      values.push_back(*value);
    }
  }
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
  Differences differences;
  differences.Compare("schema_version", root.Count("schema_version"), harness::kSchemaVersion);
  differences.ThrowIfAny(file, "Measure it", known->name == "comparison" ? "compare" : known->name);
  RequirePlainMeasurement(file, json);
  ResultOfRevision result{.file = file, .record = {}};
  result.record.kind = kind;
  result.record.hash = history::ContentHash(json.dump());
  result.record.revision.name = RevisionOf(root, file, revision);
  result.record.added_time = platform::UnixSeconds();
  known->add(root, result.record);
  root.Require(!result.record.points.empty(), "has no finished measurement");
  return result;
}

}  // namespace schedbench::cli
