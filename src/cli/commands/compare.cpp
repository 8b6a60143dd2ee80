#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/places.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/suites.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/baseline.hpp"
#include "cli/results/journal.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/reach_places.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/compare/gate.hpp"
#include "harness/experiment/measure.hpp"
#include "platform/files/terminal.hpp"
#include "platform/time/clock.hpp"
#include "report/comparison/comparison.hpp"
#include "report/parts/progress_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

namespace schedbench::cli {

namespace {

constexpr auto kAllFlag = SwitchFlag{
    "--all", "", "", "Without WHAT: compare also the eight published variants of work_stealing"};

constexpr auto kCompareFlags = FlagsOf(
    kWorkloadsFlag.Described(kWorkloadOrSuiteDoc)
        .Completed(Names::kWorkloadOrSuite)
        .Usually("pingpong, or suite:schedulers to compare all schedulers"),
    kWithFlag, kWorkersFlag, kExtentFlags, kBlocksFlag.Usually("20, or what --budget allows"),
    kBudgetFlag.Described("Measure until this time is over or all verdicts are settled: 60s, 5m")
        .Usually("60s without WHAT"),
    kRoundsOfCellFlag.Usually("3, or 2 without WHAT"), kMetricFlag, kDoctorFlag, kBaselineFlag,
    kFailIfFlag, kRequireFlag, kPerturbationFlags, kPlaceFlags, kJournalFlag, kOutputOfRoundsFlags,
    kVerboseFlag, kAllFlag);

constexpr std::array kCompareHints{
    FlagHint{"--config", "name the files: schedbench compare fast.json mine.json"},
    FlagHint{"--scheduler", "name the schedulers: schedbench compare fast global_fifo"},
    FlagHint{"--set",
             "write settings after the scheduler: schedbench compare fast fast:lifo_limit=0"}};

constexpr std::string_view kCompareDetails =
    R"(Each WHAT is a scheduler, with settings if you like (fast:lifo_limit=0), or a config (fast.json,
./mine.json). NAME=WHAT sets its name in the table. All are compared with the first alternative on
the command line, which --with may also be. Without WHAT, fast is compared with the runtimes of
--with; without --with, it is compared with the other schedulers on suite:schedulers, by throughput,
with --budget 60s.

--budget measures until the time is over: the round that runs then is finished, and its block does
not count. A workload whose first block takes longer has no result; if that is the first workload,
the command ends with code 2. When the verdict on an alternative under a workload is settled, that
alternative is not measured further. The blocks are evaluated only a few times, with wider
intervals, so that all intervals together still hold with 95 % although the verdicts decide when to
stop.

--with adds foreign runtimes and your own agents. `make peers` in a source tree builds the runtimes.
schedbench looks for them in the folder peers next to its own program, or in the folder of
SCHEDBENCH_PEERS. All alternatives do the same work: parameters and numbers of operations must be
equal, each answer is checked, and one extra round of each counts spawns and switches.

A block is a fresh process of each alternative. The processes start in a random order, and run their
rounds in turn, in another random order. The ratio of two alternatives is the median over the
blocks, with its exact sign-test interval; all intervals of the table together hold with 95 %. The
interval alone decides the verdict:
  better, worse    all of it is beyond the smallest difference that matters (--min-effect)
  same             all of it is within that difference
  slightly ...     only the direction is certain
  inconclusive     all other results
--doctor raises the smallest difference of throughput to what this machine can resolve: run
schedbench doctor -o doctor.json with the same --blocks.

--fail-if and --require are gates for scripts: a metric, one of < <= > >=, and a change of its ratio
to the first alternative. Only whole intervals count.
  --fail-if    ends with code 1 if the change is proven for some ratio
  --require    ends with code 1 if the opposite is proven for some ratio, and with code 3 if the
               change is not proven for all ratios, for example with too few blocks
A --fail-if without an interval is inconclusive, but does not change the code. Metrics and workloads
that one of the two does not have are left out. make turns every code into 2.

--baseline compares with a result of compare -o FILE.json: each alternative with the saved one of
its name, or with the first. The two were not measured in turn, so their rounds form no pairs: the
interval is a bootstrap interval, and p is from a Mann-Whitney test. A baseline from another
machine, kind of build or workload is refused with code 5, and so is a --doctor file from another
machine or kind of build.

A block in which other programs, the host or a quota took CPU time is measured again, at most three
times and at most a quarter of all blocks: of fewer than 4 blocks none is. The report mentions the
replaced blocks; the JSON result contains them.

--host and --slurm measure on other machines. Each workload is compared on each machine. The
machines measure at the same time, and no ratio is of rounds of two machines. If a machine is lost,
the result has its finished blocks and the reason, and the exit code is 2.

An alternative that crashes, hangs or gives a wrong answer is DNF (did not finish), with the reason;
the others are compared, and the exit code is 4.
)";

// Default of `compare`.
constexpr std::chrono::nanoseconds kDefaultBudget = std::chrono::seconds(60);

constexpr std::string_view kFirstOfAll = "fast";  // default reference

// Returns whether fast is compared with all other schedulers.
bool ComparesAll(const Arguments& arguments) {
  return arguments.words.empty() && !arguments.Has(kWithFlag) && !arguments.Has(kBaselineFlag);
}

// Returns this tool's alternatives: those of the command line, or the default.
std::vector<std::string> WordsOf(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  if (!words.empty()) {
    return words;
  }
  words.emplace_back(kFirstOfAll);
  if (ComparesAll(arguments)) {
    for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
      if (entry->name != kFirstOfAll && (!entry->is_variant || arguments[kAllFlag])) {
        words.emplace_back(entry->name);
      }
    }
  }
  return words;
}

// Replaces suites by their workloads.
std::vector<std::string> WorkloadsOf(const Arguments& arguments, config::Problems& problems) {
  std::vector<std::string> requested = arguments[kWorkloadsFlag];
  if (requested.empty()) {
    requested.emplace_back(ComparesAll(arguments) ? "suite:schedulers" : "pingpong");
  }
  return WithoutSuites(requested, kWorkloadsFlag, problems);
}

// Sets the extent. A comparison of all schedulers uses one metric and a budget, unless the flags
// say otherwise, so that a result comes soon.
void SetExtentOfComparison(const Arguments& arguments, harness::ComparisonPlan& plan,
                           config::Problems& problems) {
  const bool all = ComparesAll(arguments);
  plan.budget = arguments[kBudgetFlag];
  if (!plan.budget && all && !arguments.Has(kBlocksFlag)) {
    plan.budget = kDefaultBudget;
  }
  for (const Flag& of_here : FlagsOf(kBaselineFlag, kDoctorFlag)) {
    if (arguments.Has(of_here)) {
      RefuseFlags(arguments, FlagsOf(kHostFlag, kSlurmFlag),
                  fmt::format("cannot be combined with {}, which is of one machine", of_here.name),
                  problems);
    }
  }
  if (arguments.Has(kBaselineFlag)) {
    RefuseFlags(arguments, kPerturbationFlags, "cannot be combined with --baseline", problems);
  }
  if (plan.budget && arguments.Has(kBaselineFlag)) {
    Reject(problems, kBudgetFlag,
           "cannot be combined with --baseline    --blocks N sets how much is measured");
  }
  SetExtent(arguments, plan.budget ? kMostBlocks : 20, plan);
  plan.rounds = arguments[kRoundsFlag].value_or(all ? 2 : 3);
  if (all && plan.metrics.empty()) {
    plan.metrics.emplace_back("throughput");
  }
}

harness::ComparisonPlan PlanOf(const Arguments& arguments, config::Problems& problems) {
  harness::ComparisonPlan plan;
  plan.alternatives =
      AlternativesAndPeers(arguments, WordsOf(arguments), arguments[kWorkersFlag], problems);
  for (const std::string& text : WorkloadsOf(arguments, problems)) {
    AddWorkload(text, kWorkloadsFlag, plan.workloads, problems);
  }
  plan.metrics = MetricsOf(arguments, plan, problems);
  SetExtentOfComparison(arguments, plan, problems);
  return plan;
}

ExitCode CodeOf(const std::vector<harness::GateResult>& gates) {
  using harness::GateOutcome;
  ExitCode code = ExitCode::kDone;
  for (const harness::GateResult& result : gates) {
    if (result.outcome == GateOutcome::kFailed) {
      return ExitCode::kRegression;
    }
    if (result.outcome == GateOutcome::kInconclusive &&
        result.gate.kind == harness::Gate::Kind::kRequire) {
      code = ExitCode::kInconclusive;
    }
  }
  return code;
}

constexpr std::uint64_t kRedrawNs = 100'000'000;
constexpr std::string_view kEraseTable = "\033[J";
constexpr std::string_view kEraseLine = "\033[K";

// Returns the first lines that fit on the screen, each cut at the right edge, because lines that
// left the screen cannot be erased. The progress line comes below.
std::string Fitted(std::string_view table, const platform::TerminalSize& size,
                   const report::TerminalStyle& style) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(table, '\n'));
  const std::size_t room = size.rows - std::min<std::size_t>(size.rows, 2);
  const std::size_t shown = lines <= room ? lines : room - std::min<std::size_t>(room, 1);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t end = table.find('\n');
    text += fmt::format("{}\n", config::FirstCharacters(table.substr(0, end), size.columns));
    table.remove_prefix(end + 1);
  }
  if (shown < lines && room > 0) {
    text += fmt::format("  {} {} more\n", style.Sign("…", "..."), lines - shown);
  }
  return text;
}

// Shows the table of a comparison with a budget, with the remaining time, on a terminal at stderr
// during the measurement. It is redrawn at most ten times a second, so that it does not disturb
// short rounds, and erased at the end. One thread uses it.
class LiveComparison {
 public:
  // The table needs a terminal that can erase lines, and no --quiet; the first lines of a longer
  // table than the screen are shown. `result` must outlive this; its plan is complete.
  LiveComparison(const Arguments& arguments, const report::ComparisonResult& result)
      : result_(result),
        shown_(result.plan.budget && !arguments[kQuietFlag] &&
               platform::ErasesLines(platform::Stream::kError)),
        start_ns_(platform::NowNs()) {
  }

  // Shows the blocks so far, if the last update is long enough ago.
  void Update(const harness::ExperimentData& data) {
    if (!shown_ || (updated_ns_ != 0 && platform::NowNs() - updated_ns_ < kRedrawNs)) {
      return;
    }
    report::ComparisonResult so_far = result_;
    so_far.data = data;
    so_far.comparison =
        harness::Analyse(so_far.plan, data,
                         {.of_all = result_.min_effect, .of_throughput = result_.throughput_floor});
    // No colour, because lines are cut.
    report::TerminalStyle style{.unicode = platform::TakesUtf8()};
    const auto size = platform::SizeOf(platform::Stream::kError);
    if (size) {
      style.width = std::min(style.width, size->columns);
    }
    const std::string table = report::RenderMatrix(so_far, style);
    const std::string fitted = size ? Fitted(table, *size, style) : table;
    Say(Erased() + fitted + Progress());
    lines_ = static_cast<std::size_t>(std::ranges::count(fitted, '\n'));
    updated_ns_ = drawn_ns_;
  }

  // Shows the remaining time.
  void Tick() {
    if (shown_ && platform::NowNs() - drawn_ns_ >= kRedrawNs) {
      Say(fmt::format("\r{}{}", Progress(), kEraseLine));
    }
  }

  // Erases the table for good.
  void Stop() {
    if (shown_ && drawn_ns_ != 0) {
      Say(Erased());
    }
    shown_ = false;
  }

 private:
  // Returns the line below the table.
  std::string Progress() {
    drawn_ns_ = platform::NowNs();
    const auto passed = static_cast<double>(drawn_ns_ - start_ns_) / 1e9;
    const double budget = static_cast<double>(result_.plan.budget->count()) / 1e9;
    return report::BudgetText(passed, budget);
  }

  // Returns the codes that move the cursor to the start of the table and erase all of it.
  std::string Erased() const {
    return fmt::format("\r{}{}", lines_ > 0 ? fmt::format("\033[{}A", lines_) : "", kEraseTable);
  }

  const report::ComparisonResult& result_;
  bool shown_;
  std::uint64_t start_ns_;
  std::uint64_t drawn_ns_ = 0;    // last drawing of the progress line; 0: never
  std::uint64_t updated_ns_ = 0;  // last drawing of the table; 0: never
  std::size_t lines_ = 0;         // lines on the screen above the cursor
};

// Adds the measured data to the result. Returns why the journal could not be written, or null.
std::exception_ptr Measure(report::ComparisonResult& result, const Arguments& arguments,
                           Journal* journal) {
  Measurement measurement(arguments, journal);
  LiveComparison live(arguments, result);
  harness::ExperimentEvents events{.progress =
                                       [&](const harness::ExperimentProgress& progress) {
                                         if (result.plan.budget) {
                                           live.Tick();
                                         } else {
                                           measurement.line.Update(progress.rounds_done,
                                                                   progress.rounds);
                                         }
                                       },
                                   .cancelled = nullptr,
                                   .changed = std::bind_front(&LiveComparison::Update, &live)};
  if (result.plan.budget) {
    events.settled = [&result](const harness::ExperimentData& data) {
      return harness::SettledAlternatives(
          result.plan, data,
          {.of_all = result.min_effect, .of_throughput = result.throughput_floor});
    };
  }
  measurement.Connect(events);
  result.data = harness::Measure(harness::ExperimentOf(result.plan), events);
  live.Stop();
  return measurement.Stop();
}

ExitCode Compare(const Arguments& arguments) {
  const bool is_one =
      arguments.words.size() == 1 && !arguments.Has(kWithFlag) && !arguments.Has(kBaselineFlag);
  if (is_one && arguments.words[0].find('*') == std::string::npos) {
    const std::string& word = arguments.words[0];
    config::Problems problems;
    AlternativesOf(arguments.words, std::nullopt, problems);
    const bool is_list = word.find(',') != std::string::npos && word.find(':') == std::string::npos;
    if (!is_list) {
      problems.ThrowIfAny();
    }
    RefuseInput("compare needs at least 2 alternatives; there is only {}    {}",
                config::Quoted(word),
                is_list ? "separate the alternatives by spaces" : arguments.usage);
  }
  config::Problems problems;
  report::ComparisonResult result;
  result.plan = PlanOf(arguments, problems);
  const std::vector<harness::Gate> gates = GatesOf(arguments, result.plan, problems);
  result.min_effect = arguments[kMinEffectFlag];
  problems.ThrowIfAny();
  if (is_one && result.plan.alternatives.size() < 2) {
    RefuseInput("compare needs at least 2 alternatives; {} stands for {} alone",
                config::Quoted(arguments.words[0]), result.plan.alternatives[0].name);
  }
  SetPlaces(arguments, result.plan);
  result.machine = platform::ThisMachine();
  result.throughput_floor = FloorOf(arguments, result.machine);
  result.verbose = arguments[kVerboseFlag];
  const std::optional<Baseline> baseline = ReadBaseline(arguments, result.plan, result.machine);
  const Delivery delivery = Delivery::Of<report::ComparisonResult>(arguments);
  result.command = arguments.command_line;
  if (const auto note = report::NoteOnBlocks(result.plan, harness::CertainComparisons(result.plan));
      note && !arguments[kQuietFlag] && !baseline) {
    // Warn before minutes of measurement that cannot give an interval.
    Say(fmt::format("note: {}    {}\n", note->text, note->remedy));
  }
  const Perturbations perturbations(arguments);
  result.perturbed = perturbations.Text();
  const std::unique_ptr<Journal> journal = JournalOf(
      arguments,
      {.experiment = harness::ExperimentOf(result.plan), .keys = {}, .perturbed = result.perturbed},
      result.plan.seed, result.machine, "compare");
  const std::exception_ptr unwritten = Measure(result, arguments, journal.get());
  if (baseline) {
    Join(*baseline, result.plan, result.data);
  }
  result.comparison =
      harness::Analyse(result.plan, result.data,
                       {.of_all = result.min_effect, .of_throughput = result.throughput_floor});
  for (const harness::Gate& gate : gates) {
    result.gates.push_back(harness::Judge(gate, result.comparison.rows));
  }
  delivery.Deliver(result, unwritten);
  if (!result.data.complete) {
    return ExitCode::kInterrupted;
  }
  const ExitCode code = CodeOfComparison(result.data);
  if (code == ExitCode::kDone) {
    RequireABlock(arguments, result.plan, result.data);
  }
  return code == ExitCode::kDone ? CodeOf(result.gates) : code;
}

const CommandRegistration kCompare{{
    .place = 20,
    .name = "compare",
    .summary = "find out whether one scheduler is better than another",
    .words = kAlternatives,
    .flags = kCompareFlags,
    .details = kCompareDetails,
    .examples =
        R"(  schedbench compare fast global_fifo
  schedbench compare --with go,tokio --workload suite:peers --metric throughput
  schedbench compare slot=fast none=fast:lifo_limit=0 --workload pingpong:hint=next --workload yield
  schedbench compare fast.json mine.json --workload yield --fail-if 'throughput<-3%'
  schedbench compare fast.json mine.json --workload yield --require 'cpu_per_operation<=+5%'
  schedbench compare fast global_fifo --host box1,box2
  schedbench compare old.json new.json --workload spawn_join --min-effect 1% -o result.json
)",
    .hints = kCompareHints,
    .run = &Compare,
}};

}  // namespace

}  // namespace schedbench::cli
