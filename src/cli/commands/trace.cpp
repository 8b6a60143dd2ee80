#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/progress_line.hpp"
#include "harness/machine/disturbance.hpp"
#include "platform/files/file.hpp"
#include "report/parts/notes.hpp"

namespace schedbench::cli {

namespace {

constexpr auto kForFlag =
    TimeFlag{"--for", "", "TIME", "How much to keep, up to the end of the measured rounds"}.Default(
        "50ms");
constexpr auto kFilesFlag = kFileFlag.Described("Timeline file: a .pftrace, .json or .html")
                                .Checked(kTraceFile)
                                .Writes()
                                .Repeatable();
constexpr auto kSummaryFlag =
    SwitchFlag{"--summary", "", "", "Print a summary in numbers (default without -o)"};

constexpr auto kTraceFlags =
    FlagsOf(kPlanFlags, kForFlag, kEventsFlag, kFilesFlag, kSummaryFlag, kQuietFlag);

constexpr std::string_view kTraceDetails =
    R"(Records the events of each worker: which fiber it runs and when, which fiber resumes which, what it
steals, grabs and offloads, when it searches and parks, and when the kernel takes the CPU from it
(perf_event_open(2), without root). The last events of the measured rounds are kept in rings, and
are written also after a hang, a failure or Ctrl-C in one of them.

  .pftrace  for ui.perfetto.dev: tracks of workers, slices of fibers, arrows of wake-ups and steals,
            lengths of queues
  .json     Chrome's Trace Event Format, for speedscope and others; at most the last 200,000 events,
            and with --events 2,000,000
  .html     a page that needs no network; at most the last 100,000 events

--summary prints the activity of the workers, the wasted core time (a worker idle while a fiber was
ready), the longest waits with the fibers that ended them and the fibers that resumed those, and the
steals between workers with the time of the first.

A fiber has its name, or the line of its start ("pingpong.cpp:66"). "outside" means timers and
threads that are not workers.

Recording an event costs about 10 ns, so times are slightly longer than without it: do not compare
them with those of other runs.
)";

ExitCode Trace(const Arguments& arguments) {
  const harness::RunPlan plan = PlanFromFlags(arguments);
  config::Problems problems;
  TraceOptions options{.window = arguments[kForFlag],
                       .events = arguments[kEventsFlag],
                       .files = arguments[kFilesFlag]};
  options.with_summary = arguments[kSummaryFlag] || options.files.empty();
  CheckRecordsEvents(plan, problems);
  problems.ThrowIfAny();
  std::ranges::for_each(options.files, &platform::CheckWritable);
  ProgressLine line(arguments);
  harness::DisturbanceWatch watch;
  TracedRun run = RunTraced(plan, options, line.Updates());
  run.outcome.result.disturbance = watch.Look({});
  line.Stop();
  DeliverOutcome(run.outcome, [&] {
    Print(DeliverTrace(arguments, plan, options, run));
    Say(report::NoteLines(report::NotesOnSurroundings(run.outcome.result), {}));
  });
  return ExitCode::kDone;
}

const CommandRegistration kTrace{{
    .place = 140,
    .name = "trace",
    .summary = "show what each worker did when, as a timeline",
    .flags = kTraceFlags,
    .details = kTraceDetails,
    .examples =
        R"(  schedbench trace --workload burst --for 50ms -o t.pftrace --summary
  schedbench trace --config fast.json -w pingpong:pairs=8 --for 2ms -o pingpong.html
)",
    .run = &Trace,
}};

}  // namespace

}  // namespace schedbench::cli
