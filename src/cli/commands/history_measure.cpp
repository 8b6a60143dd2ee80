#include "cli/commands/history.hpp"
#include "cli/flags/history_plan.hpp"
#include "cli/flags/revision_agents.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/history_records.hpp"
#include "config/input_error.hpp"
#include "config/settings_json.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/compare/block_value.hpp"
#include "history/content_hash.hpp"
#include "platform/time/wall_clock.hpp"
#include "registry/build_info.hpp"
#include "report/history/labels.hpp"
#include "report/history/measured.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

// Old revisions beside the current program at a time: all of their processes are alive together.
constexpr std::size_t kTogether = 6;
constexpr std::uint32_t kUsualBlocks = 10;

// The revision that ratios refer to.
std::string ReferenceName(const Arguments& arguments) {
  if (const auto given = arguments.Value(kRevisionFlag)) {
    return *given;
  }
  const registry::BuildInfo& build = registry::ThisBuild();
  if (build.modified || build.revision == "unknown") {
    throw config::InputError(fmt::format(
        "this program {}    --revision NAME names what the old revisions are compared with",
        build.modified ? "has changes that no revision has" : "does not report its revision"));
  }
  return std::string(build.revision);
}

// The same with its commit, if the repository has it.
history::Revision OwnRevision(const std::string& name, const history::Repository& repository) {
  try {
    const std::string commit = repository.Commit(name);
    return {.name = commit, .commit_time = repository.CommitTime(commit)};
  } catch (const config::InputError&) {
    return {.name = name, .commit_time = std::nullopt};
  }
}

// A group of revisions that are measured at the same time.
class Group {
 public:
  Group(const harness::ComparisonPlan& plan, std::string reference, const ordered_json& root,
        const std::vector<std::string>& parameters, const std::string& config)
      : plan_(plan),
        reference_(std::move(reference)),
        root_(root),
        parameters_(parameters),
        config_(config) {
  }

  // The record of an alternative; the first one is the current program.
  history::Record RecordOf(const harness::ComparisonData& data, std::size_t alternative,
                           history::Revision revision) const {
    static const std::string kNoFile = "this measurement";
    const SavedValue root(kNoFile, root_, "history");
    history::Record record{.kind = "measure",
                           .hash = "",
                           .revision = std::move(revision),
                           .added_time = platform::UnixSeconds(),
                           .points = {}};
    ordered_json content = ordered_json::array();
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      const harness::Series& series = data.series[workload][alternative];
      content.push_back(report::SeriesJson(series));
      const history::SeriesKey key =
          KeyOf(root, "", plan_.alternatives[alternative].scheduler, config_,
                std::string(plan_.workloads[workload].entry->name), parameters_[workload]);
      for (const registry::Metric* const metric :
           harness::ComparedMetrics(*plan_.workloads[workload].entry, plan_.metrics)) {
        AddPoint(record, key, *metric, BlockValues(series, *metric));
        if (alternative > 0) {
          history::SeriesKey ratio = key;
          ratio.reference = reference_;
          AddPoint(record, ratio, *metric, Ratios(data.series[workload].front(), series, *metric));
        }
      }
    }
    record.hash = history::ContentHash(
        fmt::format("{} {} {}", record.revision.name, plan_.seed, content.dump()));
    return record;
  }

 private:
  // Of each block that both have.
  static std::vector<double> Ratios(const harness::Series& now, const harness::Series& old,
                                    const registry::Metric& metric) {
    std::vector<double> ratios;
    for (std::size_t block = 0; block < std::min(now.blocks.size(), old.blocks.size()); ++block) {
      const auto value = [&](const harness::Series& series) {
        return harness::BlockValue(series.blocks[block],
                                   [&metric](const harness::RoundReply& round) {
                                     return harness::RoundValue(metric, round);
                                   });
      };
      const auto a = value(now);
      const auto b = value(old);
      if (a && b && *a > 0 && *b > 0) {
        ratios.push_back(*b / *a);
      }
    }
    return ratios;
  }

  const harness::ComparisonPlan& plan_;
  const std::string reference_;
  const ordered_json& root_;
  const std::vector<std::string>& parameters_;
  const std::string& config_;
};

struct Candidate {
  history::Revision revision;
  harness::Alternative alternative;
};

std::string FailureOf(const harness::ComparisonData& data, std::size_t alternative) {
  for (const std::vector<harness::Series>& of_workload : data.series) {
    if (!of_workload[alternative].failure.empty() && of_workload[alternative].blocks.empty()) {
      return of_workload[alternative].failure;
    }
  }
  return "";
}

}  // namespace

ExitCode MeasureHistory(const Arguments& arguments) {
  const std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
  if (words.empty()) {
    throw config::InputError(
        "history measure needs a revision    schedbench history measure v1.0 main~20..main");
  }
  config::Problems problems;
  harness::ComparisonPlan plan = HistoryPlan(arguments, ConfigForm::kGiven, kUsualBlocks, problems);
  const auto workers = arguments.Value(kWorkersOfAllFlag);
  const std::string* const workers_of_all = workers ? &*workers : nullptr;
  const std::vector<std::string> what{*arguments.Value(kHistorySchedulerFlag)};
  plan.alternatives = AlternativesOf(what, workers_of_all, problems, ConfigForm::kGiven);
  const auto whole = AlternativesOf(what, workers_of_all, problems);
  std::vector<std::string> parameters;  // all of them, for the series
  for (const harness::ComparedWorkload& workload : plan.workloads) {
    config::Problems ignored;
    const auto choice = ChooseWorkload(workload.name, ignored);
    parameters.push_back(choice ? config::ToJson(choice->parameters).dump() : "{}");
  }
  problems.ThrowIfAny();
  const std::string reference = ReferenceName(arguments);
  RevisionAgents agents(arguments);
  const std::vector<std::string> commits = agents.Repository().CommitsOf(words);
  const history::Revision own = OwnRevision(reference, agents.Repository());
  history::Store store = OpenHistory(arguments, history::Database::Access::kWrite);
  const ordered_json root{{"machine", report::MachineJson(platform::ThisMachine())},
                          {"build", report::BuildJson()}};
  const harness::Alternative current = plan.alternatives.front();
  std::vector<report::MeasuredRevision> measured;
  std::vector<Candidate> candidates;
  bool is_complete = true;
  // What is named is shown in the table.
  const std::string shown = plan.metrics.empty() ? "throughput" : plan.metrics.front();

  const auto measure = [&] {
    if (candidates.empty()) {
      return;
    }
    plan.alternatives = {current};
    for (const Candidate& candidate : candidates) {
      plan.alternatives.push_back(candidate.alternative);
    }
    ProgressLine line(arguments);
    const harness::ComparisonData data =
        harness::Sample(plan, {.progress =
                                   [&line](std::size_t done, std::size_t of) {
                                     line.Update(done, of);
                                   },
                               .cancelled =
                                   [&agents] {
                                     return agents.IsInterrupted();
                                   }});
    line.Stop();
    is_complete = data.complete;
    const Group group(plan, own.name, root, parameters, whole.front().config);
    const harness::Comparison comparison =
        harness::Analyse(plan, data, {.of_all = arguments.Share(kHistoryMinEffectFlag)});
    for (std::size_t i = 0; i <= candidates.size(); ++i) {
      const history::Revision& revision = i > 0 ? candidates[i - 1].revision : own;
      const history::Record record = group.RecordOf(data, i, revision);
      // Without a place among the commits, the values of this program have none in a series.
      if (!record.points.empty() && revision.commit_time) {
        store.Add(record);
      }
      if (i > 0) {
        report::MeasuredRevision& row = measured.emplace_back();
        row.name = revision.name;
        row.hole = FailureOf(data, i);
        if (row.hole.empty() && record.points.empty()) {
          row.hole = is_complete ? "it was not measured beside this program: " + FailureOf(data, 0)
                                 : "interrupted";
        }
        std::ranges::copy_if(comparison.rows, std::back_inserter(row.rows),
                             [i](const harness::ComparedRow& one) {
                               return one.alternative == i;
                             });
      }
    }
    candidates.clear();
  };

  try {
    for (const std::string& commit : commits) {
      try {
        candidates.push_back(
            {{.name = commit, .commit_time = agents.Repository().CommitTime(commit)},
             agents.Of(commit, current, std::string(plan.workloads.front().entry->name))});
      } catch (const history::NoAgent& error) {
        measured.push_back({.name = commit, .hole = error.what(), .rows = {}});
      }
      if (candidates.size() == kTogether) {
        measure();
      }
      if (!is_complete) {
        break;
      }
    }
    measure();
  } catch (const history::Cancelled&) {
    is_complete = false;
  }
  std::ranges::stable_sort(measured, {}, [&commits](const report::MeasuredRevision& one) {
    return std::ranges::find(commits, one.name) - commits.begin();
  });
  Print(report::MeasuredRevisionsText(measured, plan, shown, StdoutStyle()));
  const auto holes = std::ranges::count_if(measured, [](const report::MeasuredRevision& one) {
    return !one.hole.empty();
  });
  Print(fmt::format(
      "  {} in {}, beside {}{}\n",
      report::Plural(measured.size() - static_cast<std::size_t>(holes), "revision"), store.Path(),
      reference,
      holes == 0 ? ""
                 : fmt::format("; {}", report::Plural(static_cast<std::size_t>(holes), "hole"))));
  if (!is_complete) {
    return ExitCode::kInterrupted;
  }
  return static_cast<std::size_t>(holes) == measured.size() ? ExitCode::kInput : ExitCode::kDone;
}

}  // namespace schedbench::cli
