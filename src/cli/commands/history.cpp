#include "cli/commands/history.hpp"

#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/flags/names.hpp"
#include "cli/results/history_records.hpp"
#include "cli/results/revision_agents.hpp"
#include "config/suggest.hpp"
#include "harness/compare/analysis.hpp"
#include "history/leaves.hpp"
#include "history/repository.hpp"
#include "report/history/labels.hpp"
#include "report/parts/plan_text.hpp"
#include "stats/change.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace schedbench::cli {

namespace {

using Kind = report::HistoryResult::Kind;
using history::StoredSeries;

// Parses "3" or "#3".
std::int64_t SeriesOfWord(const std::string& word) {
  const auto number =
      schedbench::WholeNumber(std::string_view(word).substr(word.starts_with('#') ? 1 : 0));
  if (!number || *number < 1 || !std::in_range<std::int64_t>(*number)) {
    RefuseInput("{} is not the number of a series    schedbench history list",
                config::Quoted(word));
  }
  return static_cast<std::int64_t>(*number);
}

// Returns whether the series is of the workload "pingpong" or "pingpong:pairs=8".
bool IsOfWorkload(const StoredSeries& series, const std::string& text) {
  std::string_view settings = text;
  if (TakePart(settings, ':') != series.key.workload) {
    return false;
  }
  const history::Leaves leaves = history::LeavesOf(series.key.parameters);
  while (!settings.empty()) {
    const std::string setting = fmt::format(":{}", TakePart(settings, ','));
    const bool has = std::ranges::any_of(
        leaves, [&](const auto& leaf) { return history::SpecOf("", {leaf}) == setting; });
    if (!has) {
      return false;
    }
  }
  return true;
}

// Throws config::InputError: a check of nothing would seem to pass.
[[noreturn]] void RefuseNothing(const Arguments& arguments, const std::vector<StoredSeries>& all) {
  config::Problems problems;
  for (const auto& [flag, member] : {std::pair{&kWorkloadsFlag, &history::SeriesKey::workload},
                                     std::pair{&kMetricFlag, &history::SeriesKey::metric}}) {
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

// Returns the series that the words and flags choose. Throws config::InputError if there are none.
std::vector<StoredSeries> ChosenSeries(const Arguments& arguments,
                                       const std::vector<StoredSeries>& stored) {
  std::vector<StoredSeries> all = stored;
  std::set<std::int64_t> numbers;
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::int64_t number = SeriesOfWord(arguments.words[i]);
    if (std::ranges::find(all, number, &StoredSeries::number) == all.end()) {
      RefuseInput("there is no series {}    schedbench history list", number);
    }
    numbers.insert(number);
  }
  if (arguments[kHereFlag]) {
    const history::SeriesKey here = KeyOf(OriginOfThisProgram(), "", "", "{}", "", "{}");
    std::erase_if(all, [&here](const StoredSeries& series) {
      return series.key.machine != here.machine || series.key.build != here.build;
    });
  }
  const auto workloads = arguments[kWorkloadsFlag];
  const auto metrics = arguments[kMetricFlag];
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
  if (all.empty() && !(workloads.empty() && metrics.empty() && !arguments[kHereFlag])) {
    RefuseNothing(arguments, stored);
  }
  return all;
}

// Warns of newest revisions that begin a new series, as the machine or build changed.
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
      warnings.push_back(
          fmt::format("{} is not comparable with #{}: {} is another {}    measure on the same "
                      "machine with the same kind of build",
                      report::SeriesLabel(series), former->number,
                      report::RevisionLabel(series.values.front().revision.name),
                      former->key.machine != series.key.machine ? "machine" : "kind of build"));
    }
  }
  return warnings;
}

struct Judged {
  report::HistoryResult result;
  bool not_comparable = false;  // a newest revision begins a new series; only of kCheck
};

Judged Judge(const Arguments& arguments, Kind kind) {
  history::Store store = OpenHistory(arguments, history::Database::Access::kRead);
  const std::vector<StoredSeries> stored = store.Read();
  std::vector<StoredSeries> chosen = ChosenSeries(arguments, stored);
  std::vector<std::string> commits;
  if (const auto folder = arguments[kRepositoryFlag]) {
    commits = history::Repository(*folder, [] { return false; }).Commits();
  }
  Judged judged;
  report::HistoryResult& result = judged.result;
  result.kind = kind;
  result.file = store.Path();
  result.is_empty = stored.empty();
  result.alpha = arguments[kAlphaFlag];
  result.min_effect = arguments[kMinEffectFlag];
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
      const auto values = VectorOf(series.values, &history::RevisionValue::Value);
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

ExitCode ListHistory(const Arguments& arguments) {
  return Deliver(arguments, Kind::kList);
}

ExitCode ShowHistory(const Arguments& arguments) {
  return Deliver(arguments, Kind::kShow);
}

ExitCode PlotHistory(const Arguments& arguments) {
  const auto files = arguments[kOutputFlag];
  if (std::ranges::none_of(files,
                           [](const std::string& file) { return file.ends_with(".html"); })) {
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
  return too_few && arguments[kRequireRevisionsFlag] ? ExitCode::kInconclusive : ExitCode::kDone;
}

ExitCode AddToHistory(const Arguments& arguments) {
  const std::vector<std::string> files(arguments.words.begin() + 1, arguments.words.end());
  if (files.empty()) {
    throw config::InputError(
        "history add needs a RESULT.json    schedbench run -o RESULT.json writes one");
  }
  // Read all files before the first write: a wrong one must prevent all additions.
  auto results =
      VectorOf(files, [&](const auto& file) { return ReadResult(file, arguments[kRevisionFlag]); });
  if (const auto folder = arguments[kRepositoryFlag]) {
    const history::Repository repository(*folder, [] { return false; });
    for (ResultOfRevision& result : results) {
      history::Revision& revision = result.record.revision;
      revision.name = repository.Commit(revision.name);
      revision.commit_time = repository.CommitTime(revision.name);
    }
  }
  history::Store store = OpenHistory(arguments, history::Database::Access::kWrite);
  const auto records = VectorOf(results, &ResultOfRevision::record);
  const std::vector<history::Store::Added> added = store.AddAll(records);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const history::Record& record = results[i].record;
    Print(fmt::format(
        "{}: {} of {}{}\n", config::Escaped(results[i].file, 4096),
        report::Plural(record.points.size(), "value"), config::Escaped(record.revision.name),
        added[i] == history::Store::Added::kNew ? "" : ": already there, nothing changed"));
  }
  return ExitCode::kDone;
}

constexpr auto kHistoryFlags = FlagsOf(
    FlagsFor("add list show check plot measure", kDbFlag), FlagsFor("add measure", kRevisionFlag),
    FlagsFor("add list show check plot measure bisect", kRepositoryFlag),
    FlagsFor("list show check plot measure bisect",
             kWorkloadsFlag.Described("Only series of this workload; measure, bisect: what to run "
                                      "(there pingpong by default)"),
             kMetricFlag),
    FlagsFor("measure bisect", kHistorySchedulerFlag, kWorkersFlag, kBuildFlag, kAgentFlag,
             kCacheFlag, kBlocksFlag.Usually("10; of bisect at most 40 in a step"),
             kRoundsOfCellFlag, kWarmupOfCellFlag, kRoundLimitFlag, kSeedFlag),
    FlagsFor("list show check plot", kHereFlag), FlagsFor("show check plot", kAlphaFlag),
    FlagsFor("show check plot measure bisect", kMinEffectFlag),
    FlagsFor("check", kRequireRevisionsFlag),
    FlagsFor("list show check plot bisect", kFormatFlag, kOutputFlag),
    FlagsFor("measure bisect", kQuietFlag));

constexpr std::array kHistoryActions{
    Action{.name = "add",
           .words = "RESULT.json...",
           .run = &AddToHistory,
           .summary = "adds results of run, compare, sweep or scale -o FILE.json, each whole or "
                      "not at all; the same result twice changes nothing",
           .examples = "  schedbench history add result.json --revision v1.2\n"},
    Action{.name = "list",
           .words = "",
           .run = &ListHistory,
           .summary = "lists the series: what has the same machine, kind of build, workload, "
                      "scheduler and metric",
           .examples = "  schedbench history list --workload pingpong\n"},
    Action{
        .name = "show",
        .words = "[SERIES...]",
        .run = &ShowHistory,
        .summary = "shows the revisions of series, with the changes marked",
        .details =
            R"(show finds changes by binary segmentation with a permutation test on ranks. --alpha is the
probability of any alarm in all chosen series together if none of them has a change. It holds for
values that do not resemble those of their neighbours; the report names the series where they do.
)",
        .examples = "  schedbench history show 3 --repository .\n"},
    Action{
        .name = "check",
        .words = "[SERIES...]",
        .run = &CheckHistory,
        .summary = "ends with code 1 if the newest change of a series is a regression",
        .details =
            R"(check: a regression is a proven change for the worse, all of whose 95 % interval is beyond
--min-effect. --here leaves out other machines and kinds of build. If the newest revision is of
another machine or kind of build than the others, the code is 5. With --require, too few revisions
give code 3.
)",
        .examples = "  schedbench history check --metric throughput --require\n"},
    Action{.name = "plot",
           .words = "[SERIES...]",
           .run = &PlotHistory,
           .summary = "writes a page with the trends: -o FILE.html",
           .examples = "  schedbench history plot -o trends.html\n"},
    Action{
        .name = "measure",
        .words = "REV...",
        .run = &MeasureHistory,
        .summary =
            "measures revisions of a git repository together with this program, and adds them; "
            "A..B stands for the revisions after A up to B",
        .details =
            R"(measure builds each revision with --build in a folder of its own below --cache, once, and starts its
--agent. It runs the agent of each revision and that of this program in turn, in the same blocks,
and stores the values and their ratios to this program: a ratio is free of what the machine did
at that time. Agents get only the settings that you give. A revision that does not build or does not
answer is a hole; all others are kept.
)",
        .examples = "  schedbench history measure v1.0 main~20..main --workload yield --repository "
                    "~/schedbench\n"},
    Action{
        .name = "bisect",
        .words = "GOOD BAD",
        .run = &BisectHistory,
        .summary = "finds the first revision that is bad, or the fields of a config that make the "
                   "difference",
        .details =
            R"(bisect builds revisions and starts their agents as measure does. It first proves that GOOD and BAD
differ by the --metric (default: that of the workload, mostly throughput); otherwise it ends with
code 3, or with "no difference". Each step measures GOOD, BAD and a
candidate in turn, and takes more blocks, up to --blocks, as long as the candidate is not proven to
be nearer to one of them (99 %). Of two configs of one scheduler, it reports a smallest set of
fields that makes GOOD as BAD, what they change, and what remains. Of two revisions, it follows the
first parents and skips revisions that cannot be measured. Words that are schedulers or end in .json
are configs, unless --repository is given.
)",
        .examples =
            R"(  schedbench history bisect fast fast:lifo_limit=0,workers=1 --workload pingpong
  schedbench history bisect v1.0 main --workload yield --repository ~/schedbench
)"}};

constexpr auto kHistoryActionNames = NamesOf(kHistoryActions);

std::vector<std::string> FilesOfHistory(const std::vector<std::string>& words) {
  const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (!words.empty() && words.front() == "add") {
    return rest;
  }
  // The words of bisect are configs or revisions.
  std::vector<std::string> configs;
  std::ranges::copy_if(rest, std::back_inserter(configs), [&words](const std::string& word) {
    return words.front() == "bisect" && word.ends_with(".json");
  });
  return configs;
}

// Returns the path of the history, even if it is the default.
std::vector<std::string> HistoryItself(const Arguments& arguments) {
  try {
    return {HistoryPath(arguments)};
  } catch (const config::InputError&) {
    return {};  // there is no home folder; an action that needs it reports it
  }
}

ExitCode RunHistory(const Arguments& arguments) {
  const Action& action = *FindByName(kHistoryActions, arguments.words.front());
  config::Problems problems;
  for (const Flag& flag : kHistoryFlags) {
    if (arguments.Has(flag) && !Takes(&action, flag)) {
      Reject(problems, flag, "history {} does not use it", action.name);
    }
  }
  problems.ThrowIfAny();
  return action.run(arguments);
}

constexpr std::string_view kHistoryDetails =
    R"(history keeps results in one file and finds the revision at which a metric changed. A series has one
value for each revision: the median of the medians of its results.

Revisions are in the order of the commits of --repository. Without it, they are in the order of
their commit times, if all have one (history add --repository stores it); otherwise in the order in
which they were added. The report warns where a clock contradicts the order.

Several processes may use a history at a time. A file that is damaged, of another program or of a
newer schedbench (code 5) is not changed. `schedbench history measure --help` has the flags and
examples of one action.

)";

const CommandRegistration kHistory{{
    .place = 90,
    .name = "history",
    .summary = "keep results, and find the revision that changed them",
    .words = {"[WORD...]", 1, 10'000, Names::kFile, &FilesOfHistory, OneOf(kHistoryActionNames)},
    .reads_also = &HistoryItself,
    .flags = kHistoryFlags,
    .details = kHistoryDetails,
    .actions = kHistoryActions,
    .run = &RunHistory,
}};

}  // namespace

}  // namespace schedbench::cli
