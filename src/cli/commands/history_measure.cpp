#include "cli/commands/history.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "cli/results/history_records.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/revision_agents.hpp"
#include "config/input_error.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/compare/block_value.hpp"
#include "history/content_hash.hpp"
#include "platform/time/clock.hpp"
#include "registry/build_info.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kUsualBlocks = 10;

// Returns the revision that ratios refer to.
std::string ReferenceName(const Arguments& arguments) {
  if (const auto given = arguments[kRevisionFlag]) {
    return *given;
  }
  const registry::BuildInfo& build = registry::ThisBuild();
  if (build.modified || build.revision == "unknown") {
    RefuseInput(
        "this program {}    --revision NAME names what the old revisions are compared with",
        build.modified ? "has changes that no revision has" : "does not report its revision");
  }
  return std::string(build.revision);
}

// Returns the revision with its commit, if the repository has it.
history::Revision OwnRevision(const std::string& name, const history::Repository& repository) {
  try {
    const std::string commit = repository.Commit(name);
    return {.name = commit, .commit_time = repository.CommitTime(commit)};
  } catch (const config::InputError&) {
    return {.name = name, .commit_time = std::nullopt};
  }
}

// Returns the ratio of each block that both have.
std::vector<double> RatiosOf(const harness::Series& now, const harness::Series& old,
                             const registry::Metric& metric) {
  const harness::BlockPairs pairs(harness::ValuesByBlock(now, metric),
                                  harness::ValuesByBlock(old, metric));
  std::vector<double> ratios;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    if (pairs.a[i] > 0 && pairs.b[i] > 0) {
      ratios.push_back(pairs.b[i] / pairs.a[i]);
    }
  }
  return ratios;
}

// Measures each revision next to this program in its own blocks. Revisions that shared this
// program's blocks would share their noise, and their ratios would not be exchangeable.
class RevisionMeasurement {
 public:
  explicit RevisionMeasurement(const Arguments& arguments)
      : arguments_(arguments),
        agents_(arguments) {
    config::Problems problems;
    plan_ = HistoryPlan(arguments, ConfigForm::kGiven, kUsualBlocks, problems);
    const auto workers = arguments[kWorkersFlag];
    const std::vector<std::string> what{arguments[kHistorySchedulerFlag]};
    plan_.alternatives = AlternativesOf(what, workers, problems, ConfigForm::kGiven);
    const auto whole = AlternativesOf(what, workers, problems);
    const harness::ComparisonPlan whole_plan =
        HistoryPlan(arguments, ConfigForm::kWhole, kUsualBlocks, problems);
    problems.ThrowIfAny();
    config_ = whole.front().config;
    parameters_ = VectorOf(whole_plan.workloads, &harness::ComparedWorkload::parameters);
    origin_ = OriginOfThisProgram();
    own_ = OwnRevision(ReferenceName(arguments), agents_.Repository());
  }

  // Measures the revisions that the words name, and prints the result.
  ExitCode Do(const std::vector<std::string>& words) {
    const std::vector<std::string> commits = agents_.Repository().CommitsOf(words);
    history::Store store = OpenHistory(arguments_, history::Database::Access::kWrite);
    std::vector<report::MeasuredRevision> measured;
    try {
      for (std::size_t i = 0; i < commits.size() && is_complete_; ++i) {
        measured.push_back(Measure(commits[i], store));
      }
    } catch (const history::Cancelled&) {
      is_complete_ = false;
    }
    const std::vector<std::string>& metrics = plan_.metrics;
    Print(report::MeasuredRevisionsText(
        measured, plan_,
        metrics.empty() ? std::string(plan_.workloads.front().entry->ranked_by) : metrics.front(),
        StdoutStyle()));
    const auto holes = static_cast<std::size_t>(std::ranges::count_if(
        measured, [](const report::MeasuredRevision& one) { return !one.hole.empty(); }));
    Print(fmt::format("  {} in {}, compared with {}{}\n",
                      report::Plural(measured.size() - holes, "revision"), store.Path(),
                      report::RevisionLabel(own_.name),
                      holes == 0 ? "" : fmt::format("; {}", report::Plural(holes, "hole"))));
    if (!is_complete_) {
      return ExitCode::kInterrupted;
    }
    return holes == measured.size() ? ExitCode::kInput : ExitCode::kDone;
  }

 private:
  // Measures the commit and stores what was finished. Throws history::Cancelled.
  report::MeasuredRevision Measure(const std::string& commit, history::Store& store) {
    report::MeasuredRevision measured{.name = commit, .hole = "", .rows = {}};
    const history::Revision revision{.name = commit,
                                     .commit_time = agents_.Repository().CommitTime(commit)};
    const harness::Alternative current = plan_.alternatives.front();
    plan_.alternatives.resize(1);
    try {
      plan_.alternatives.push_back(
          agents_.Of(commit, current, std::string(plan_.workloads.front().entry->name)));
    } catch (const history::NoAgent& error) {
      measured.hole = error.what();
      return measured;
    }
    const harness::ExperimentData data = MeasureShown(arguments_, harness::ExperimentOf(plan_),
                                                      [this] { return agents_.IsInterrupted(); });
    is_complete_ = data.complete;
    for (const std::size_t alternative : {std::size_t{0}, std::size_t{1}}) {
      const history::Record record =
          RecordOf(data, alternative, alternative == 0 ? own_ : revision);
      // Values without a position among the commits cannot be in a series.
      if (!record.points.empty() && record.revision.commit_time) {
        store.Add(record);
      }
      if (alternative == 1 && record.points.empty()) {
        measured.hole = HoleOf(data);
      }
    }
    const harness::Comparison comparison =
        harness::Analyse(plan_, data, {.of_all = arguments_[kMinEffectFlag]});
    std::ranges::copy_if(comparison.rows, std::back_inserter(measured.rows),
                         [](const harness::ComparedRow& row) { return row.alternative == 1; });
    return measured;
  }

  static std::string HoleOf(const harness::ExperimentData& data) {
    for (const std::size_t alternative : {std::size_t{1}, std::size_t{0}}) {
      for (const std::vector<harness::Series>& of_workload : data.series) {
        if (const std::string& failure = of_workload[alternative].failure; !failure.empty()) {
          return alternative == 1 ? failure : "this program: " + failure;
        }
      }
    }
    return "it has no finished block";
  }

  // `alternative`: 0 is this program, 1 the old revision.
  history::Record RecordOf(const harness::ExperimentData& data, std::size_t alternative,
                           const history::Revision& revision) const {
    history::Record record{.kind = "measure",
                           .hash = "",
                           .revision = revision,
                           .added_time = platform::UnixSeconds(),
                           .points = {}};
    ordered_json content = ordered_json::array();
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      const harness::Series& series = data.series[workload][alternative];
      content.push_back(record::ToJson(series));
      const history::SeriesKey key =
          KeyOf(origin_, "", plan_.alternatives[alternative].scheduler, config_,
                std::string(plan_.workloads[workload].entry->name), parameters_[workload]);
      for (const registry::Metric* const metric :
           harness::ComparedMetrics(*plan_.workloads[workload].entry, plan_.metrics)) {
        AddPoint(record, key, *metric, BlockValues(series, *metric));
        if (alternative == 1) {
          history::SeriesKey ratio = key;
          ratio.reference = own_.name;
          AddPoint(record, ratio, *metric,
                   RatiosOf(data.series[workload].front(), series, *metric));
        }
      }
    }
    record.hash =
        history::ContentHash(fmt::format("{} {} {}", revision.name, plan_.seed, content.dump()));
    return record;
  }

  const Arguments& arguments_;
  RevisionAgents agents_;
  harness::ComparisonPlan plan_;
  std::string config_;                   // the whole config, for the series
  std::vector<std::string> parameters_;  // whole parameters by workload
  Origin origin_;                        // this machine and this build
  history::Revision own_;                // revision of this program
  bool is_complete_ = true;
};

}  // namespace

ExitCode MeasureHistory(const Arguments& arguments) {
  const std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
  if (words.empty()) {
    throw config::InputError(
        "history measure needs a revision    schedbench history measure v1.0 main~20..main");
  }
  return RevisionMeasurement(arguments).Do(words);
}

}  // namespace schedbench::cli
