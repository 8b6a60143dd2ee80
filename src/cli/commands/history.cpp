#include "cli/commands/history.hpp"

#include "cli/command.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/flags/names.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/revision_agents.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr std::array kHistoryFlags{kDbFlag.For("add list show check plot measure"),
                                   kRevisionFlag.For("add measure"),
                                   kRepositoryFlag.For("add list show check plot measure bisect"),
                                   kHistoryWorkloadFlag.For("list show check plot measure bisect"),
                                   kHistoryMetricFlag.For("list show check plot measure bisect"),
                                   kHistorySchedulerFlag.For("measure bisect"),
                                   kWorkersOfAllFlag.For("measure bisect"),
                                   kBuildFlag.For("measure bisect"),
                                   kAgentFlag.For("measure bisect"),
                                   kCacheFlag.For("measure bisect"),
                                   kHistoryBlocksFlag.For("measure bisect"),
                                   kRoundsOfCellFlag.For("measure bisect"),
                                   kWarmupOfCellFlag.For("measure bisect"),
                                   kRoundLimitFlag.For("measure bisect"),
                                   kSeedFlag.For("measure bisect"),
                                   kHereFlag.For("list show check plot"),
                                   kAlphaFlag.For("show check plot"),
                                   kMinEffectOfCellFlag.For("show check plot measure bisect"),
                                   kRequireRevisionsFlag.For("check"),
                                   kTableOrPageFlag.For("list show check plot bisect"),
                                   kOutputFlag.For("list show check plot bisect"),
                                   kQuietFlag.For("measure bisect")};

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
        .summary = "measures revisions of a git repository beside this program, and adds them; "
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
differ; otherwise it ends with code 3, or with "no difference". Each step measures GOOD, BAD and a
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
  // The words of bisect are configs, unless they are revisions.
  std::vector<std::string> configs;
  std::ranges::copy_if(rest, std::back_inserter(configs), [&words](const std::string& word) {
    return words.front() == "bisect" && word.ends_with(".json");
  });
  return configs;
}

// The history itself, also where the default names it.
std::vector<std::string> HistoryItself(const Arguments& arguments) {
  try {
    return {HistoryPath(arguments)};
  } catch (const config::InputError&) {
    return {};  // there is no home folder; an action that needs one reports it
  }
}

ExitCode RunHistory(const Arguments& arguments) {
  const Action& action = *FindByName(kHistoryActions, arguments.words.front());
  config::Problems problems;
  for (const Flag& flag : kHistoryFlags) {
    if (arguments.Has(flag) && !Takes(&action, flag)) {
      problems.Add(std::string(flag.name), "",
                   fmt::format("history {} does not use it", action.name));
    }
  }
  problems.ThrowIfAny();
  return action.run(arguments);
}

constexpr std::string_view kHistoryDetails =
    R"(history keeps results in one file and finds the revision at which a metric changed. A series has one
value for each revision: the median of the medians of its results.

Revisions are in the order of the commits of --repository; else by their commit times, which add
--repository stores, if all have one; else in the order of adding. The report warns where a clock
contradicts the order.

Several processes may use a history at a time. A file that is damaged, of another program or of a
newer schedbench (code 5) is not changed. `schedbench history measure --help` has the flags and
examples of one action.

)";

}  // namespace

const Command kHistoryCommand{
    .name = "history",
    .summary = "keep results, and find the revision that changed them",
    .words = "add|list|show|check|plot|measure|bisect [WORD...]",
    .min_words = 1,
    .max_words = 10'000,
    .first_word = OneOf(kHistoryActionNames),
    .files_of = &FilesOfHistory,
    .reads_also = &HistoryItself,
    .words_are = Names::kFile,
    .flags = kHistoryFlags,
    .details = kHistoryDetails,
    .actions = kHistoryActions,
    .run = &RunHistory,
};

}  // namespace schedbench::cli
