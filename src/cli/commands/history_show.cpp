#include "base/text.hpp"
#include "cli/commands/history.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/history_records.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/compare/analysis.hpp"
#include "history/leaves.hpp"
#include "history/repository.hpp"
#include "report/format.hpp"
#include "report/history/labels.hpp"
#include "stats/change.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using Kind = report::HistoryResult::Kind;
using history::StoredSeries;

// "3" or "#3"
std::int64_t SeriesOfWord(const std::string& word) {
  const auto number =
      schedbench::WholeNumber(std::string_view(word).substr(word.starts_with('#') ? 1 : 0));
  if (!number || *number < 1 || !std::in_range<std::int64_t>(*number)) {
    throw config::InputError(fmt::format(
        "{} is not the number of a series    schedbench history list", config::Quoted(word)));
  }
  return static_cast<std::int64_t>(*number);
}

// Whether the series is of the workload "pingpong" or "pingpong:pairs=8".
bool IsOfWorkload(const StoredSeries& series, const std::string& text) {
  std::string_view settings = text;
  if (TakePart(settings, ':') != series.key.workload) {
    return false;
  }
  const history::Leaves leaves = history::LeavesOf(series.key.parameters);
  while (!settings.empty()) {
    const std::string setting = fmt::format(":{}", TakePart(settings, ','));
    const bool has = std::ranges::any_of(leaves, [&](const auto& leaf) {
      return history::SpecOf("", {leaf}) == setting;
    });
    if (!has) {
      return false;
    }
  }
  return true;
}

// Throws config::InputError: a check of nothing would look like one that has passed.
[[noreturn]] void RefuseNothing(const Arguments& arguments, const std::vector<StoredSeries>& all) {
  config::Problems problems;
  for (const auto& [flag, member] :
       {std::pair{&kHistoryWorkloadFlag, &history::SeriesKey::workload},
        std::pair{&kHistoryMetricFlag, &history::SeriesKey::metric}}) {
    std::set<std::string_view> names;
    for (const StoredSeries& series : all) {
      names.insert(series.key.*member);
    }
    for (const std::string& value : arguments.Values(*flag)) {
      const std::string name = value.substr(0, value.find(':'));
      if (!names.contains(name)) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        problems.Add(PlaceOf(*flag, value), "",
                     "the history has no such series" + config::DidYouMean(name, known));
      }
    }
  }
  problems.ThrowIfAny();
  throw config::InputError(
      "the history has no series of all that the words and flags name    schedbench history list");
}

// The series that the words and flags choose. Throws config::InputError if these name none.
std::vector<StoredSeries> ChosenSeries(const Arguments& arguments,
                                       const std::vector<StoredSeries>& stored) {
  std::vector<StoredSeries> all = stored;
  std::set<std::int64_t> numbers;
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::int64_t number = SeriesOfWord(arguments.words[i]);
    if (std::ranges::find(all, number, &StoredSeries::number) == all.end()) {
      throw config::InputError(
          fmt::format("there is no series {}    schedbench history list", number));
    }
    numbers.insert(number);
  }
  if (arguments.Has(kHereFlag)) {
    const std::string no_file = "this program";
    const nlohmann::ordered_json origin = OriginOfThisProgram();
    const history::SeriesKey here =
        KeyOf(SavedValue(no_file, origin, "history"), "", "", "{}", "", "{}");
    std::erase_if(all, [&here](const StoredSeries& series) {
      return series.key.machine != here.machine || series.key.build != here.build;
    });
  }
  const auto workloads = arguments.Values(kHistoryWorkloadFlag);
  const auto metrics = arguments.Values(kHistoryMetricFlag);
  std::erase_if(all, [&](const StoredSeries& series) {
    const bool is_of_workload =
        workloads.empty() || std::ranges::any_of(workloads, [&](const std::string& text) {
          return IsOfWorkload(series, text);
        });
    const bool is_of_metric =
        metrics.empty() || std::ranges::find(metrics, series.key.metric) != metrics.end();
    const bool is_named = numbers.empty() || numbers.contains(series.number);
    return !is_of_workload || !is_of_metric || !is_named;
  });
  if (all.empty() && !(workloads.empty() && metrics.empty() && !arguments.Has(kHereFlag))) {
    RefuseNothing(arguments, stored);
  }
  return all;
}

// Warnings on newest revisions whose values begin a new series because the machine or the build is another one.
std::vector<std::string> NotComparableTo(const std::vector<StoredSeries>& all) {
  std::vector<std::string> warnings;
  const auto newest = [](const StoredSeries& series) {
    return std::ranges::max(series.values, {}, &history::RevisionValue::sequence).sequence;
  };
  for (const StoredSeries& series : all) {
    if (series.values.size() > 1) {
      continue;
    }
    const auto former = std::ranges::find_if(all, [&](const StoredSeries& other) {
      history::SeriesKey key = other.key;
      key.machine = series.key.machine;
      key.build = series.key.build;
      return other.number != series.number && key == series.key && other.values.size() > 1 &&
             newest(other) < newest(series);
    });
    if (former != all.end()) {
      warnings.push_back(fmt::format(
          "{} is not comparable with #{}: {} is another {}    measure on the same machine with the "
          "same kind of build",
          report::SeriesLabel(series), former->number,
          report::RevisionLabel(series.values.front().revision.name),
          former->key.machine != series.key.machine ? "machine" : "kind of build"));
    }
  }
  return warnings;
}

struct Judged {
  report::HistoryResult result;
  bool not_comparable = false;
};

Judged Judge(const Arguments& arguments, Kind kind) {
  history::Store store = OpenHistory(arguments, history::Database::Access::kRead);
  const std::vector<StoredSeries> stored = store.Read();
  std::vector<StoredSeries> chosen = ChosenSeries(arguments, stored);
  std::vector<std::string> commits;
  if (const auto folder = arguments.Value(kRepositoryFlag)) {
    commits = history::Repository(*folder, [] {
                return false;
              }).Commits();
  }
  Judged judged;
  report::HistoryResult& result = judged.result;
  result.kind = kind;
  result.file = store.Path();
  result.is_empty = stored.empty();
  result.alpha = arguments.Share(kAlphaFlag);
  result.min_effect = arguments.Share(kMinEffectOfCellFlag);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  if (kind == Kind::kCheck) {
    std::erase_if(chosen, [](const StoredSeries& series) {
      return series.key.better == registry::Better::kNone;
    });
    result.warnings = NotComparableTo(chosen);
    judged.not_comparable = !result.warnings.empty();
  }
  // All series together keep the level (Bonferroni).
  result.level = result.alpha / static_cast<double>(std::max<std::size_t>(chosen.size(), 1));
  for (StoredSeries& series : chosen) {
    for (std::string& warning : history::OrderByRevision(series.values, commits)) {
      if (std::ranges::find(result.warnings, warning) == result.warnings.end()) {
        result.warnings.push_back(std::move(warning));
      }
    }
    report::JudgedSeries& one = result.series.emplace_back();
    if (kind != Kind::kList) {
      std::vector<double> values;
      for (const history::RevisionValue& value : series.values) {
        values.push_back(value.Value());
      }
      one.changes = history::FindChanges(values, result.level);
      for (const history::Change& change : one.changes.found) {
        one.verdicts.push_back(
            harness::ToVerdict(stats::Judge(change.ratio, result.min_effect), series.key.better));
      }
    }
    one.series = std::move(series);
  }
  return judged;
}

ExitCode Deliver(const Arguments& arguments, Kind kind) {
  const Delivery delivery = Delivery::Of<report::HistoryResult>(arguments);
  delivery.Deliver(Judge(arguments, kind).result);
  return ExitCode::kDone;
}

}  // namespace

ExitCode ListHistory(const Arguments& arguments) {
  return Deliver(arguments, Kind::kList);
}

ExitCode ShowHistory(const Arguments& arguments) {
  return Deliver(arguments, Kind::kShow);
}

ExitCode PlotHistory(const Arguments& arguments) {
  const auto files = arguments.Values(kOutputFlag);
  if (std::ranges::none_of(files, [](const std::string& file) {
        return file.ends_with(".html");
      })) {
    throw config::InputError("history plot writes a page    -o FILE.html");
  }
  return Deliver(arguments, Kind::kShow);
}

ExitCode CheckHistory(const Arguments& arguments) {
  const Delivery delivery = Delivery::Of<report::HistoryResult>(arguments);
  const Judged judged = Judge(arguments, Kind::kCheck);
  delivery.Deliver(judged.result);
  const auto& series = judged.result.series;
  if (std::ranges::any_of(series, &report::JudgedSeries::IsRegression)) {
    return ExitCode::kRegression;
  }
  if (judged.not_comparable) {
    return ExitCode::kNotComparable;
  }
  const bool too_few =
      series.empty() || std::ranges::any_of(series, [](const report::JudgedSeries& one) {
        return one.changes.too_few;
      });
  return too_few && arguments.Has(kRequireRevisionsFlag) ? ExitCode::kInconclusive
                                                         : ExitCode::kDone;
}

}  // namespace schedbench::cli
