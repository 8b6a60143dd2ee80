#include "report/history/labels.hpp"

#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "history/leaves.hpp"
#include "registry/workload.hpp"
#include "report/parts/quantity.hpp"
#include "stats/change_points.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedbench::report {

namespace {

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return "unknown";
  }
  return found->is_string() ? config::Escaped(found->get<std::string>())
                            : config::Escaped(found->dump());
}

registry::Metric MetricOf(const history::SeriesKey& key) {
  return {.name = key.metric, .unit = key.unit, .better = registry::Better::kNone, .doc = ""};
}

}  // namespace

Json ParsedObject(const std::string& text) {
  return history::IsObject(text) ? Json::parse(text) : Json::object();
}

std::string WorkloadLabel(const history::SeriesKey& key) {
  history::Leaves leaves = history::LeavesOf(ParsedObject(key.parameters).dump());
  if (const auto* const entry = registry::FindWorkload(key.workload); entry != nullptr) {
    const std::string defaults = config::ToJson(config::Settings(entry->schema())).dump();
    leaves = history::WithoutDefaults(leaves, history::LeavesOf(defaults));
  }
  return config::Escaped(history::SpecOf(key.workload, leaves), 400);
}

std::string SchedulerLabel(const history::SeriesKey& key) {
  const history::Leaves leaves = history::LeavesOf(ParsedObject(key.config).dump());
  const std::string text = history::SpecOf(key.scheduler, leaves);
  return config::Escaped(key.runtime.empty() ? text : fmt::format("{} ({})", text, key.runtime),
                         400);
}

std::string SeriesMetricLabel(const history::SeriesKey& key) {
  const std::string metric = MetricLabel(MetricOf(key));
  return config::Escaped(key.reference.empty()
                             ? metric
                             : fmt::format("{} / {}", metric, RevisionLabel(key.reference)));
}

std::string SeriesLabel(const history::StoredSeries& series) {
  return fmt::format("#{} {} on {}: {}", series.number, WorkloadLabel(series.key),
                     SchedulerLabel(series.key), SeriesMetricLabel(series.key));
}

std::string PlaceLabel(const history::SeriesKey& key) {
  const auto machine = ParsedObject(key.machine);
  const auto build = ParsedObject(key.build);
  const bool is_sanitized = TextOf(build, "sanitizer") != "none";
  return fmt::format("{}, {} CPUs, {}; {}, {}, {}{}", TextOf(machine, "cpu_model"),
                     TextOf(machine, "cpus_allowed"), TextOf(machine, "kernel"),
                     TextOf(build, "compiler"), TextOf(build, "build_type"),
                     TextOf(build, "allocator"),
                     is_sanitized ? ", sanitizer " + TextOf(build, "sanitizer") : "");
}

std::string RevisionLabel(const std::string& name) {
  constexpr std::size_t kCommitDigits = 40;
  constexpr std::size_t kShownDigits = 10;
  const bool is_commit = name.size() == kCommitDigits &&
                         name.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_commit ? name.substr(0, kShownDigits) : config::Escaped(name);
}

std::string HistoryValueText(const history::SeriesKey& key, double value,
                             const TerminalStyle& style) {
  return key.reference.empty() ? MetricText(MetricOf(key), value, style)
                               : fmt::format("{:.4g}", value);
}

harness::Spread SpreadOfRevision(const history::RevisionValue& value) {
  std::vector<double> blocks;
  for (const std::vector<double>& result : value.results) {
    blocks.insert(blocks.end(), result.begin(), result.end());
  }
  harness::Spread spread = harness::SpreadOf(blocks);
  spread.median = value.Value();
  spread.low = std::min(spread.low, spread.median);
  spread.high = std::max(spread.high, spread.median);
  return spread;
}

std::string ChangeText(const JudgedSeries& series, std::size_t change) {
  return fmt::format("{}, {}", EstimateText(series.changes.found[change].ratio),
                     harness::ToText(series.verdicts[change]));
}

std::string StatusOf(const JudgedSeries& series) {
  if (!series.verdicts.empty()) {
    return std::string(harness::ToText(series.verdicts.back()));
  }
  return series.changes.too_few ? "too few revisions" : "no change";
}

std::vector<std::string> LevelSentences(const HistoryResult& result) {
  std::vector<std::string> sentences{fmt::format(
      "Without a change in any series, the probability of an alarm is at most {:.3g} %{}.",
      100 * result.alpha,
      result.series.size() > 1 ? fmt::format(" for all {} series together, {:.2g} % for each",
                                             result.series.size(), 100 * result.level)
                               : "")};
  sentences.push_back(
      fmt::format("A change needs at least {} revisions at this level, and {} on each side.",
                  stats::SmallestSeriesWithChange(result.level), stats::kLeastSegment));
  return sentences;
}

std::vector<Note> NotesOn(const HistoryResult& result) {
  std::vector<Note> notes;
  for (const std::string& warning : result.warnings) {
    const std::size_t gap = warning.find("    ");
    notes.push_back({.text = warning.substr(0, gap),
                     .remedy = gap == std::string::npos ? "" : warning.substr(gap + 4)});
  }
  const auto dependent = PresentOf(result.series, [](const JudgedSeries& one) {
    return one.changes.dependent ? std::optional(fmt::format("#{}", one.series.number))
                                 : std::nullopt;
  });
  if (!dependent.empty() && result.kind != HistoryResult::Kind::kList) {
    notes.push_back(
        {.text =
             fmt::format("the values of {} resemble those of their neighbours: false alarms are "
                         "more frequent there",
                         fmt::join(dependent, ", ")),
         .remedy =
             "schedbench history measure measures old revisions together with the current one"});
  }
  return notes;
}

}  // namespace schedbench::report
