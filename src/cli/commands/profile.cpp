#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/sampling.hpp"
#include "cli/output/file_conflicts.hpp"
#include "cli/output/progress_line.hpp"
#include "harness/machine/disturbance.hpp"
#include "platform/files/file.hpp"
#include "platform/proc/grant.hpp"
#include "profile/sampling/code_name.hpp"
#include "profile/speedscope.hpp"
#include "registry/pages.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace schedbench::cli {

namespace {

constexpr auto kFolderFlag = kFileFlag.Taking("FOLDER")
                                 .Described("Folder of the files; created if it does not exist")
                                 .Default("out");
constexpr auto kFramesFlag = SwitchFlag{
    "--worker-frames", "", "", "Also show the calls of the worker's loop below those of a fiber"};

constexpr auto kInlinedFlag = SwitchFlag{"--inlined", "", "",
                                         "Also show inlined functions of the standard library at "
                                         "the end of a stack (default: part of their caller)"};

constexpr std::array<std::string_view, 4> kRoots{"worker", "fiber", "created", "none"};
constexpr auto kRootFlag =
    TextFlag{"--root", "", "LIST",
             "Outermost frames of the text files: worker,fiber,created or none"}
        .Checked(OneOf(kRoots, ','))
        .Default("fiber");

constexpr auto kProfileFlags = FlagsOf(kPlanFlags, kSamplingFlags, kRootFlag, kFramesFlag,
                                       kInlinedFlag, kFolderFlag, kQuietFlag);

constexpr std::string_view kProfileDetails =
    R"(Samples each worker at fixed intervals of its CPU time, and records the fiber and its calls. Only
workers are sampled, and only while they run. This needs neither root nor perf: it uses
perf_event_open(2), or, if that is refused, a timer of the thread, which the kernel checks only at
its own tick, so that each sample has a larger weight.

Writes into the folder, for a workload called NAME:
  NAME.perf.txt         the format of `perf script`, for stackcollapse-perf.pl, inferno and the
                        Firefox Profiler
  NAME.folded           one line per stack, with its CPU time in sampling periods (a sample may
                        count for several); flamegraph diff reads two of these
  NAME.waiting.folded   which fibers waited where and for what, in microseconds, summed over all
                        fibers
  NAME.queueing.folded  which fibers were ready and did not run, in the same form; fibers that have
                        never run are "fiber:not begun", counted if there are at most 600 stacks
  NAME.speedscope.json  for speedscope, each worker in the order of time
  NAME.html             flame graphs for a browser, without any network

The outermost frame is the fiber, by its name or by the line of its start
("fiber:pingpong.cpp:66"), or the activity of the worker without a fiber: worker:run (tasks that are
not fibers, and the time between two tasks), worker:search, worker:steal, worker:park.

--root changes that in the .perf.txt and the .folded files: "worker,fiber" has the worker outside,
"fiber,created" adds the line where a fiber was started, "none" has only calls. A waiting fiber has
no worker. The page has tabs for these.

Waiting and queueing are estimates from snapshots of all fibers (of some, if there are many), at
most a hundred a second.

The metrics of such a run include the cost of sampling, so they are not printed.
)";

// The ends of the names of the files that the command writes.
constexpr std::string_view kPerfEnd = ".perf.txt";
constexpr std::string_view kFoldedEnd = ".folded";
constexpr std::string_view kWaitingEnd = ".waiting.folded";
constexpr std::string_view kQueueingEnd = ".queueing.folded";
constexpr std::string_view kSpeedscopeEnd = ".speedscope.json";
constexpr std::string_view kPageEnd = ".html";
constexpr std::array kEnds{kPerfEnd,     kFoldedEnd,     kWaitingEnd,
                           kQueueingEnd, kSpeedscopeEnd, kPageEnd};

// Returns the path of the file with this end of its name.
std::string PathOf(const Arguments& arguments, const harness::RunPlan& plan,
                   std::string_view ending) {
  return (std::filesystem::path(arguments[kFolderFlag]) /
          fmt::format("{}{}", plan.workload->name, ending))
      .string();
}

std::string HotFramesText(const profile::StackProfile& profile) {
  constexpr std::size_t kShown = 10;
  std::string text = "  self  total\n";
  for (const profile::HotFrame& frame : profile::HottestFrames(profile, kShown)) {
    text += fmt::format("{:5.1f}% {:5.1f}%  {}\n", 100 * frame.self, 100 * frame.total,
                        profile::FrameLabel(frame.name));
  }
  return text;
}

std::string MicrosecondsText(const profile::StackProfile& profile, profile::Roots roots) {
  constexpr std::uint64_t kMicrosecond = 1000;
  // A waiting fiber does not belong to a worker.
  roots.fiber = roots.fiber || (roots.worker && !roots.created);
  roots.worker = false;
  return profile::FoldedText(profile::Fold(profile, roots), kMicrosecond);
}

profile::Roots RootsFromFlag(const Arguments& arguments, config::Problems& problems) {
  const std::vector<std::string> roots = arguments.Values(kRootFlag);
  const auto has = [&roots](std::string_view root) {
    return std::ranges::find(roots, root) != roots.end();
  };
  if (has("none") && roots.size() > 1) {
    Reject(problems, fmt::format("{} {}", kRootFlag.name, fmt::join(roots, ",")),
           "'none' cannot be combined with others");
  }
  return {.worker = has("worker"), .fiber = has("fiber"), .created = has("created")};
}

std::string WaitsText(const profile::Census& waits) {
  if (!waits.CanRead()) {
    return "not observed: process_vm_readv(2) is refused here    " +
           platform::GrantCapability("SYS_PTRACE");
  }
  return fmt::format("estimated from {} snapshots; {:.0f} % of the fibers changed during one",
                     waits.Looks(), 100 * waits.MovedShare());
}

// Writes the files, then prints their names and the summary, so the files exist even if stdout
// fails.
void WriteFiles(const Arguments& arguments, const harness::RunPlan& plan,
                const profile::Roots& roots, const SampledRun& run) {
  const std::string title = TitleOf(plan);
  const profile::Show show = arguments[kFramesFlag] ? profile::Show::kWorker : profile::Show::kOwn;
  const profile::InlinedLeaves leaves =
      arguments[kInlinedFlag] ? profile::InlinedLeaves::kShown : profile::InlinedLeaves::kFolded;
  const std::string waits = WaitsText(run.sampling->Waits());
  const profile::ProfiledRun named = Profiled(run, show, leaves);
  const profile::StackProfile& profile = named.cpu;
  const std::string how = SamplingText(run, profile);
  std::string text = fmt::format("{}\n  {}\n  waits {}\n", title, how, waits);
  if (run.report.times.empty() && run.report.unsampled == 0) {
    text += fmt::format(
        "no sample: no thread of scheduler {} has run a fiber. Threads are sampled from their "
        "first fiber on; those that run only plain tasks need a platform::WorkerScope    "
        "schedbench describe workload {}\n",
        plan.scheduler->name, plan.workload->name);
  } else if (run.report.samples == 0 && run.report.unsampled == 0) {
    text +=
        "no sample: the workers used less CPU time than one sampling period. Try more --rounds, a "
        "larger workload or a larger --frequency\n";
  }
  const std::string command = report::ReplayCommand(arguments.command_line, plan.seed);
  std::string speedscope;
  profile::WriteSpeedscope(profile, title,
                           [&speedscope](std::string_view part) { speedscope += part; });
  std::vector<std::string> written;
  const auto write = [&](std::string_view ending, const std::string& content) {
    written.push_back(PathOf(arguments, plan, ending));
    platform::WriteFileWhole(written.back(), content);
  };
  write(kPerfEnd, PerfText(profile, run, roots, arguments.command_line));
  write(kFoldedEnd, profile::FoldedText(profile::Fold(profile, roots), run.period_ns));
  write(kWaitingEnd, MicrosecondsText(named.waiting, roots));
  write(kQueueingEnd, MicrosecondsText(named.ready, roots));
  write(kSpeedscopeEnd, speedscope);
  if (!registry::FlameGraphPage().empty()) {
    const profile::GraphPage page{
        .title = title,
        .facts = {{"sampled", how}, {"waits", waits}, {"command", command}},
        .graphs = profile::GraphsOf(named)};
    write(kPageEnd, profile::PageHtml(registry::FlameGraphPage(), page));
  }
  if (run.report.samples > 0) {
    text += HotFramesText(profile);
  }
  for (const std::string& path : written) {
    text += path + "\n";
  }
  if (registry::FlameGraphPage().empty()) {
    text += fmt::format("no page: {}\n", registry::kNoPages);
  }
  Print(text);
}

ExitCode Profile(const Arguments& arguments) {
  const harness::RunPlan plan = PlanFromFlags(arguments);
  config::Problems problems;
  const profile::SamplerOptions options = SamplingFromFlags(arguments);
  const profile::Roots roots = RootsFromFlag(arguments, problems);
  const std::string path = arguments[kFolderFlag];
  if (path.empty()) {
    Reject(problems, kFolderFlag, "the name of the folder is empty");
  }
  for (const std::string_view ending : kEnds) {
    const std::string output = PathOf(arguments, plan, ending);
    if (const std::string input = OverwrittenInput(arguments, output); !input.empty()) {
      Reject(problems, PlaceOf(kFolderFlag, path),
             "{} would overwrite the input {}    choose another folder", config::Quoted(output),
             config::Quoted(input));
    }
  }
  problems.ThrowIfAny();
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw platform::WriteError(error, "cannot create the folder " + path);
  }
  for (const std::string_view ending : kEnds) {
    platform::CheckWritable(PathOf(arguments, plan, ending));
  }
  ProgressLine line(arguments);
  harness::DisturbanceWatch watch;
  SampledRun run = RunSampled(plan, options, {.waits = true}, line.Updates());
  run.outcome.result.disturbance = watch.Look({});
  line.Stop();
  DeliverOutcome(run.outcome, [&] {
    WriteFiles(arguments, plan, roots, run);
    Say(report::NoteLines(report::NotesOnSurroundings(run.outcome.result), {}));
  });
  return ExitCode::kDone;
}

const CommandRegistration kProfile{{
    .place = 120,
    .name = "profile",
    .summary = "show where the workers spend their time, as flame graphs",
    .flags = kProfileFlags,
    .details = kProfileDetails,
    .examples =
        R"(  schedbench profile --config fast.json --workload pingpong -F 999 -o out/
  schedbench profile -s global_fifo -w fib:n=22 --rounds 50 --worker-frames
  schedbench flamegraph diff before.folded after.folded -o diff.html
)",
    .run = &Profile,
}};

}  // namespace

}  // namespace schedbench::cli
