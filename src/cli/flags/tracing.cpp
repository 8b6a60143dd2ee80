#include "cli/flags/tracing.hpp"

#include "cli/flags/sampling.hpp"
#include "harness/session.hpp"
#include "platform/files/terminal.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/replay.hpp"
#include "report/timeline/text.hpp"
#include "timeline/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace schedbench::cli {

namespace {

// The size of a ring, as a power of two. Throws harness::SetupError if the rings together would be too large.
unsigned RingBits(const TraceOptions& options, std::size_t workers) {
  // Measured: 37 million a second, pingpong on one worker of an AMD EPYC.
  constexpr double kEventsPerSecond = 40e6;
  constexpr unsigned kMinBits = 12;
  constexpr unsigned kMaxBits = 22;
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;  // of all rings
  const std::uint64_t rings = workers + 1;                      // one for events from outside
  if (options.events) {
    constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30U;
    const auto bits = static_cast<unsigned>(std::bit_width(*options.events - 1));
    const std::uint64_t bytes = rings * sizeof(trace::Event) << bits;
    if (bytes > kMaxBytes) {
      throw harness::SetupError(
          fmt::format("--events {}   {} workers and the threads outside would need {} MB for their "
                      "events; allowed: {} MB    use fewer --events",
                      *options.events, workers, bytes >> 20U, kMaxBytes >> 20U));
    }
    return bits;
  }
  const double events = kEventsPerSecond * std::chrono::duration<double>(options.window).count();
  unsigned bits = kMinBits;
  while (bits < kMaxBits && static_cast<double>(std::uint64_t{1} << bits) < events &&
         (rings * sizeof(trace::Event) << (bits + 1)) <= kMaxBytes) {
    ++bits;
  }
  return bits;
}

// "worker 1 ran F all that time": the fibers that did not end.
std::string StillRunning(const timeline::Timeline& timeline, const timeline::Recording& recording) {
  std::string text;
  for (const timeline::Slice& slice : timeline.slices) {
    if (slice.kind == timeline::SliceKind::kRun && slice.end == timeline.end_ns) {
      text += fmt::format("worker {} ran {} all that time\n", timeline.tracks[slice.track].worker,
                          recording.FullName(slice.fiber));
    }
  }
  return text;
}

harness::TimelineFigures FiguresOf(const timeline::Summary& summary) {
  return {.length_ns = summary.length_ns,
          .wasted_ns = summary.wasted_ns,
          .waits = summary.waits,
          .longest_wait_ns =
              summary.longest_waits.empty() ? 0 : summary.longest_waits.front().length_ns,
          .fairness_windows = summary.fairness.windows,
          .jain_index = summary.fairness.median,
          .least_jain_index = summary.fairness.least};
}

timeline::PageTexts TextsOf(const Arguments& arguments, const harness::RunPlan& plan,
                            const timeline::Summary& summary) {
  timeline::PageTexts texts{
      .title = TitleOf(plan),
      .facts = {{"command", report::ReplayCommand(arguments.command_line, plan.seed)}}};
  std::string text = report::TimelineText(summary, {.unicode = true});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    texts.summary.push_back(text.substr(begin, end - begin));
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return texts;
}

}  // namespace

namespace {

// Of a scheduler without tracers.
constexpr std::string_view kNoEvents =
    "this scheduler records no events, so it has no timeline (IScheduler::Tracers() is empty)    "
    "use fast, work_stealing, global_fifo or single_thread; or schedbench profile";

}  // namespace

void CheckRecordsEvents(const harness::RunPlan& plan, config::Problems& problems) {
  if (!plan.scheduler->records_events) {
    problems.Add(fmt::format("scheduler {}", plan.scheduler->name), "", std::string(kNoEvents));
  }
}

TracedRun RunTraced(const harness::RunPlan& plan, const TraceOptions& options,
                    const harness::Progress& progress) {
  // By value: the thread of an interrupted run continues, and uses it after our return.
  auto recording = std::make_shared<timeline::LiveRecording>();
  auto cpu = std::make_shared<timeline::WorkerCpu>();
  harness::Outcome outcome =
      harness::RunInterruptibly(plan, [plan, options, recording, cpu, progress](
                                          harness::Recorder& recorder, harness::WatchPoint& watch) {
        registry::IScheduler* scheduler = nullptr;
        unsigned bits = 0;
        const harness::Progress traced = [&](std::uint32_t done, std::uint32_t of,
                                             bool warming_up) {
          const bool is_warm = options.warms_recorder && plan.warmup > 0;
          if (done == (is_warm ? plan.warmup - 1 : plan.warmup)) {
            cpu->Begin();
            recording->Begin(*scheduler, bits);
          } else if (is_warm && done == plan.warmup) {
            recording->Discard();
          }
          if (done == of) {
            recording->Stop();  // before the workers end
            cpu->Stop();
          }
          progress(done, of, warming_up);
        };
        return harness::ExecutePlan(plan, recorder, traced, watch, [&](registry::IScheduler& made) {
          const std::size_t workers = made.Tracers().workers.size();
          if (workers == 0) {
            throw harness::SetupError(
                fmt::format("scheduler {}   {}", plan.scheduler->name, kNoEvents));
          }
          bits = RingBits(options, workers);
          scheduler = &made;
        });
      });
  recording->Stop();
  cpu->Stop();
  outcome.result.observed = "recorded event by event";
  return {.outcome = std::move(outcome), .recording = std::move(recording), .cpu = std::move(cpu)};
}

std::string DeliverTrace(const Arguments& arguments, const harness::RunPlan& plan,
                         const TraceOptions& options, TracedRun& run) {
  const report::TerminalStyle style{.unicode = platform::TakesUtf8()};
  auto recording = run.recording->Take();
  if (!recording) {
    return "nothing was recorded\n";
  }
  recording->SetCpuTimes(run.cpu->Take());
  std::string text;
  const auto window = static_cast<std::uint64_t>(options.window.count());
  // After the last event comes the end of the run, or the time that detected a hang. The part before it is shown.
  const std::uint64_t silence =
      recording->StopNs() - std::min(recording->StopNs(), recording->LastEventNs());
  if (silence >= window) {
    text += fmt::format(
        "no event was recorded in the last {} of the run: the timeline ends before that\n",
        report::Duration(static_cast<double>(silence), style));
  }
  const timeline::Timeline timeline =
      timeline::BuildTimeline(*recording, window, timeline::EndsAt::kLastEvent);
  if (silence >= window) {
    text += StillRunning(timeline, *recording);
  }
  const timeline::Summary summary = timeline::Summarize(timeline, *recording);
  run.outcome.result.timeline = FiguresOf(summary);
  if (options.with_summary) {
    text += TitleOf(plan) + "\n" + report::TimelineText(summary, style);
  }
  const auto describe = [&](const timeline::Timeline& shown) {
    return TextsOf(arguments, plan, timeline::Summarize(shown, *recording));
  };
  for (const TraceFile& file : options.files) {
    text += WriteTraceFile(file, timeline, *recording, describe,
                           options.events ? TraceLimit::kReaders : TraceLimit::kUsual);
  }
  return text;
}

}  // namespace schedbench::cli
