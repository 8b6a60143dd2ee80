#include "base/assert.hpp"
#include "cli/command.hpp"
#include "cli/flags/sleep_mode.hpp"
#include "harness/paper/benchmark.hpp"
#include "platform/files/file.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/process/interrupt.hpp"
#include "registry/build_info.hpp"
#include "registry/pages.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "report/paper/paper_report.hpp"
#include "report/parts/chart_page.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr std::array<std::string_view, 2> kBools{"true", "false"};
constexpr std::array<std::string_view, 2> kBenchmarkFormats{"console", "json"};
constexpr std::array<std::string_view, 2> kNotifyModes{"all_under_lock", "one"};

constexpr auto kNotifyFlag =
    TextFlag{"--notify", "", "MODE",
             "Which workers a submit wakes: all_under_lock, as published, or one"}
        .Checked(OneOf(kNotifyModes))
        .Default("all_under_lock");

std::string SecondsComplaint(const ValueRule& /*rule*/, const std::string& text) {
  const auto ns = ParseNanoseconds(text + "s");
  return ns && *ns > 0 && *ns <= 3.6e12 ? "" : "expected seconds, above 0 and at most 3600: 0.1";
}

// Google Benchmark's own flags, which are passed on unchanged.
constexpr auto kFilterFlag =
    TextFlag{"--benchmark_filter", "", "REGEX",
             "Only the rows whose name has a match; after a '-': all others"}
        .Default(".");
constexpr auto kListFlag =
    TextFlag{"--benchmark_list_tests", "", "BOOL", "Print the names of the rows, and run none"}
        .Checked(OneOf(kBools))
        .Default("false");
constexpr auto kMinTimeFlag =
    TextFlag{"--benchmark_min_time", "", "SECONDS",
             "CPU time of the caller, or a fifth of the wall time, that a row takes at least"}
        .Checked({.complaint = &SecondsComplaint})
        .Default("0.5");
constexpr auto kRepetitionsFlag =
    NumberFlag{"--benchmark_repetitions", "", "N", "Times that each row is measured"}
        .Checked(WholeNumber(1, 1'000'000))
        .Default("1");
constexpr auto kAggregatesFlag =
    TextFlag{"--benchmark_report_aggregates_only", "", "BOOL", "Only the statistics of repetitions"}
        .Checked(OneOf(kBools))
        .Default("false");
constexpr auto kInterleavingFlag = TextFlag{"--benchmark_enable_random_interleaving", "", "BOOL",
                                            "Repetitions of all rows in random order"}
                                       .Checked(OneOf(kBools))
                                       .Default("false");
constexpr auto kBenchmarkFormatFlag =
    TextFlag{"--benchmark_format", "", "FORMAT", "console or json"}
        .Checked(OneOf(kBenchmarkFormats))
        .Default("console");
constexpr auto kOutFlag =
    TextFlag{"--benchmark_out", "", "FILE", "Also write the result to a file, as JSON"}.Writes();
// Each has Google Benchmark's default, because otherwise the environment would set it.
constexpr auto kPassedFlags = FlagsOf(kFilterFlag, kListFlag, kMinTimeFlag, kRepetitionsFlag,
                                      kAggregatesFlag, kInterleavingFlag, kBenchmarkFormatFlag);

std::string PageNameComplaint(const ValueRule& /*rule*/, const std::string& path) {
  if (!path.ends_with(".html")) {
    return "the name must end in .html; --benchmark_out writes JSON";
  }
  return report::HasChartPage() ? "" : std::string(registry::kNoPages);
}

constexpr auto kPaperPageFlag =
    kFileFlag.Described("Also write a page with charts next to the published times: .html")
        .Checked({.complaint = &PageNameComplaint})
        .Writes();

constexpr auto kPaperFlags =
    FlagsOf(kPassedFlags, kOutFlag, kPaperPageFlag, kSleepModeFlag, kNotifyFlag);

constexpr std::string_view kPaperDetails =
    R"(The toucan report compares nine schedulers in four tables of Google Benchmark. This command measures
the same 36 rows, under the same names, with Google Benchmark's own runner, and after them the 45
rows of BM_SingleMutex, which the program of the report has and its text does not. All rows take
about fifteen minutes.

Columns:
  Time          wall time of a round, until all fibers have ended
  CPU           CPU time of the calling thread, which only starts and waits, as in the report
  cpu_all_ms    CPU time of all threads
  published_ms  Time in the report, measured on another machine

Except BM_MergeSort, the tasks call the kernel to sleep for 2 ns, which takes some 60 us. So the
rows mostly measure the kernel. --mode slack1 sets the timer slack to 1 ns, --mode spin computes for
2 ns. The names of such rows end with /mode:NAME.

Ctrl-C ends the row that is measured. The rows before it are reported, also in --benchmark_out and
-o, and the exit code is 130.

A wrong answer is an error of its row, and the exit code is then 4.
)";

// Returns why a run lacks a result, or "". Google Benchmark 1.8 renamed the members.
template <typename Run>
std::string FailureOf(const Run& run) {
  if constexpr (requires { run.skip_message; }) {
    return run.skip_message;
  } else {
    return run.error_message;
  }
}

// Shows results as Google Benchmark does, and collects JSON for a file written whole at the end.
class CollectingReporter final : public benchmark::BenchmarkReporter {
 public:
  CollectingReporter()
      : shown_(benchmark::CreateDefaultDisplayReporter()) {
    json_.SetOutputStream(&text_);
    json_.SetErrorStream(&text_);
  }

  bool ReportContext(const Context& context) override {
    shown_->SetOutputStream(&GetOutputStream());
    shown_->SetErrorStream(&GetErrorStream());
    return json_.ReportContext(context) && shown_->ReportContext(context);
  }

  // A row that was interrupted, or follows such a row, does not have a result.
  void ReportRuns(const std::vector<Run>& runs) override {
    const bool interrupted = std::ranges::any_of(
        runs, [](const Run& run) { return FailureOf(run) == harness::kPaperInterrupted; });
    if (interrupted) {
      return;
    }
    ++results_;
    json_.ReportRuns(runs);
    shown_->ReportRuns(runs);
    for (const Run& run : runs) {
      Collect(run);
    }
  }

  void Finalize() override {
    json_.Finalize();
    shown_->Finalize();
  }

  // Returns how many results were reported.
  std::size_t Results() const {
    return results_;
  }

  std::string Json() const {
    return text_.str();
  }

  std::vector<report::PaperRowResult> TakeRows() {
    return std::move(rows_);
  }

 private:
  // Adds a result. Repetitions of a row come in any order.
  void Collect(const Run& run) {
    if (run.run_type != Run::RT_Iteration) {
      return;
    }
    const std::string& name = run.run_name.function_name;  // without "/repeats:5"
    auto row = std::ranges::find(rows_, name, &report::PaperRowResult::name);
    if (row == rows_.end()) {
      row = rows_.insert(rows_.end(), {.name = name});
    }
    if (std::string failure = FailureOf(run); !failure.empty()) {
      row->failure = std::move(failure);
      return;
    }
    constexpr double kNsPerMs = 1e6;
    // Both times are in the unit of the row.
    row->wall_ns.push_back(kNsPerMs * run.GetAdjustedRealTime());
    row->caller_cpu_ns.push_back(kNsPerMs * run.GetAdjustedCPUTime());
    if (const auto all = run.counters.find("cpu_all_ms"); all != run.counters.end()) {
      row->all_cpu_ns.push_back(kNsPerMs * all->second);
    }
    if (const auto published = run.counters.find("published_ms"); published != run.counters.end()) {
      row->published_ns = kNsPerMs * published->second;
    }
  }

  std::vector<report::PaperRowResult> rows_;
  std::unique_ptr<benchmark::BenchmarkReporter> shown_;
  benchmark::JSONReporter json_;
  std::ostringstream text_;
  std::size_t results_ = 0;
};

// Returns the measurable rows: a user's program may lack schedulers or workloads.
std::vector<std::unique_ptr<harness::PaperBenchmark>> RowsOf(const Arguments& arguments) {
  std::vector<std::unique_ptr<harness::PaperBenchmark>> rows;
  for (harness::PaperRow& row : harness::PaperRows()) {
    if (registry::FindScheduler(row.scheduler) != nullptr &&
        registry::FindWorkload(row.workload) != nullptr) {
      rows.push_back(std::make_unique<harness::PaperBenchmark>(
          std::move(row), arguments[kSleepModeFlag], arguments[kNotifyFlag]));
    }
  }
  return rows;
}

// Passes its flags to Google Benchmark.
void Initialize(const Arguments& arguments) {
  // Google Benchmark uses the words while it runs.
  static std::vector<std::string> words;
  words = {"schedbench", "--benchmark_counters_tabular=true",
           "--benchmark_out=", "--benchmark_display_aggregates_only=false"};
  for (const Flag& flag : kPassedFlags) {
    words.push_back(fmt::format("{}={}", flag.name, arguments.Values(flag).back()));
  }
  static std::vector<char*> pointers;
  pointers = VectorOf(words, [](std::string& word) { return word.data(); });
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  SB_ASSERT(count == 1, "Google Benchmark does not accept a flag");
}

ExitCode Paper(const Arguments& arguments) {
  if (const auto out = arguments[kOutFlag]) {
    platform::CheckWritable(*out);
  }
  const auto page = arguments[kPaperPageFlag];
  const bool lists = arguments[kListFlag] == "true";
  if (page) {
    platform::CheckWritable(*page);
  }
  const platform::MachineInfo machine = platform::ThisMachine();
  const auto rows = RowsOf(arguments);
  using Ending = harness::PaperBenchmark::Ending;
  bool failed = false;
  bool interrupted = false;
  platform::InterruptibleEvent interrupt;
  const auto cancelled = [&] {
    interrupted = interrupted || interrupt.HasCome();
    return interrupted;
  };
  for (const auto& row : rows) {
    benchmark::RegisterBenchmark(row->Name().c_str(), [&](benchmark::State& state) {
      failed |= row->Measure(state, cancelled) == Ending::kFailed;
    })->Unit(benchmark::kMillisecond);
  }
  Initialize(arguments);
  const registry::BuildInfo& build = registry::ThisBuild();
  benchmark::AddCustomContext("schedbench", fmt::format("{} {}", build.version, build.revision));
  CollectingReporter reporter;
  const std::size_t measured = benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  benchmark::ClearRegisteredBenchmarks();
  if (measured == 0) {
    RefuseInput(
        "{}   selects no row, or is not a POSIX extended regular expression    schedbench paper "
        "--benchmark_list_tests=true",
        PlaceOf(kFilterFlag, arguments[kFilterFlag]));
  }
  if (const auto out = arguments[kOutFlag]; out && !reporter.Json().empty()) {
    platform::WriteFileWhole(*out, reporter.Json());
  }
  if (page && !lists) {
    platform::WriteFileWhole(*page, report::PageText(report::DocumentOf(
                                        report::PaperResult{.rows = reporter.TakeRows(),
                                                            .machine = machine,
                                                            .command = arguments.command_line},
                                        report::kPageStyle)));
  }
  if (!std::cout.flush()) {
    throw platform::WriteError(std::make_error_code(std::errc::io_error), "cannot write to stdout");
  }
  if (interrupted) {
    Say(fmt::format("interrupted: {} of {} rows were finished\n", reporter.Results(), measured));
    return ExitCode::kInterrupted;
  }
  return failed ? ExitCode::kWrongAnswer : ExitCode::kDone;
}

const CommandRegistration kPaper{{
    .place = 110,
    .name = "paper",
    .summary = "reproduce the tables of the toucan report with Google Benchmark",
    .flags = kPaperFlags,
    .details = kPaperDetails,
    .examples =
        R"(  schedbench paper --benchmark_filter=MergeSort
  schedbench paper --benchmark_filter=SingleSpawner --mode spin
  schedbench paper --benchmark_repetitions=5 --benchmark_out=paper.json
  schedbench paper --benchmark_filter=MergeSort -o paper.html
)",
    .run = &Paper,
}};

}  // namespace

}  // namespace schedbench::cli
