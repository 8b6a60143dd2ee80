#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/outcome.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "platform/files/file.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace schedbench::cli {

namespace {

constexpr Flag kForFlag =
    Flag{"--for", "", "TIME", "How much is kept: the last so much of the measured rounds"}
        .Checked(kTime)
        .Default("50ms");
constexpr Flag kFilesFlag =
    Flag{"--output", "-o", "FILE", "Where it goes: a .pftrace, .json or .html"}
        .Checked(kTraceFile)
        .Repeatable();
constexpr Flag kSummaryFlag{
    "--summary", "", "", "Print what the timeline says in figures; without -o this is done anyway"};
// At most 256 MB of each worker.
constexpr Flag kEventsFlag =
    Flag{"--events", "", "N",
         "Room for so many events of each worker (default: what --for may need)"}
        .Checked(WholeNumber(1024, std::uint64_t{1} << 24U));

constexpr std::array kTraceFlags{
    kConfigFlag, kSchedulerFlag, kSetFlag, kWorkersFlag, kWorkloadFlag, kRoundsFlag,  kWarmupFlag,
    kSeedFlag,   kTimeoutFlag,   kForFlag, kEventsFlag,  kFilesFlag,    kSummaryFlag, kQuietFlag};

constexpr std::string_view kTraceDetails =
    R"(Records what each worker does: which fiber it runs from when to when, who makes whom ready, what it steals, takes and gives
away, when it searches and sleeps. Rings keep the last events, as a flight recorder does: also of a run that hangs, fails or
is interrupted by Ctrl-C the last of it is written.

  .pftrace  for ui.perfetto.dev: tracks of workers, slices of fibers, arrows of wakes and steals, lengths of queues
  .json     Chrome's Trace Event Format, for speedscope and others; at most the last 2,000,000 events
  .html     a page of our own, which needs no network; at most the last 100,000 events

--summary prints what the workers did, the wasted core time (a worker idle while a fiber was ready), the longest waits with who
ended them and who had woken that one, who stole from whom and when first.

A fiber is called by its name, or where it was started ("pingpong.cpp:66"). "outside" are timers and threads that are no workers.

A worker that records an event needs some 10 ns for it: times are a little longer than without, and no figures for comparison.

Where no scheduler is named it is fast with its defaults.

Examples:
  schedbench trace --workload burst --for 50ms -o t.pftrace --summary
  schedbench trace --config fast.json -w pingpong:pairs=8 --for 2ms -o pingpong.html
)";

TraceOptions OptionsFromFlags(const Arguments& arguments, config::Problems& problems) {
  TraceOptions options;
  options.window = arguments.Time(kForFlag);
  options.events = arguments.Number(kEventsFlag);
  for (const std::string& path : arguments.Values(kFilesFlag)) {
    const bool is_again = std::ranges::any_of(options.files, [&](const TraceFile& file) {
      return IsSameFile(file.path, path);
    });
    if (is_again) {
      problems.Add(PlaceOf(kFilesFlag, path), "", "is given twice");
      break;
    }
    options.files.push_back(TraceFileOf(path));
  }
  options.with_summary = arguments.Has(kSummaryFlag) || options.files.empty();
  return options;
}

ExitCode Trace(const Arguments& arguments) {
  const harness::RunPlan plan = PlanFromFlags(arguments, kDefaultScheduler);
  config::Problems problems;
  const TraceOptions options = OptionsFromFlags(arguments, problems);
  CheckRecordsEvents(plan, problems);
  problems.ThrowIfAny();
  for (const TraceFile& file : options.files) {
    platform::CheckWritable(file.path);
  }
  ProgressLine line(arguments);
  const TracedRun run = RunTraced(plan, options, line.Updates());
  line.Stop();
  DeliverOutcome(run.outcome, [&] {
    DeliverTrace(arguments, plan, options, run, &Print);
  });
  return ExitCode::kDone;
}

}  // namespace

const Command kTraceCommand{
    .name = "trace",
    .summary = "show what each worker did when, as a timeline",
    .flags = kTraceFlags,
    .details = kTraceDetails,
    .run = &Trace,
};

}  // namespace schedbench::cli
