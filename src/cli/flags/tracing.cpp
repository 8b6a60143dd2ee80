#include "cli/flags/tracing.hpp"

#include "base/text.hpp"
#include "cli/flags/sampling.hpp"
#include "harness/session.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"
#include "platform/memory/memory.hpp"
#include "profile/page_with_data.hpp"
#include "registry/pages.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/replay.hpp"
#include "report/timeline/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace schedbench::cli {

namespace {

using timeline::PageTexts;
using timeline::Timeline;

template <typename Write>
std::string Gathered(const Write& write) {
  std::string text;
  write([&text](std::string_view part) { text += part; });
  return text;
}

template <auto Write>
std::string TextBy(const Timeline& timeline, const PageTexts& /*texts*/) {
  return Gathered([&](const profile::TextSink& sink) { Write(timeline, sink); });
}

std::string PageText(const Timeline& timeline, const PageTexts& texts) {
  return profile::PageWithData(registry::TimelinePage(),
                               Gathered([&](const profile::TextSink& sink) {
                                 timeline::WritePageData(timeline, texts, sink);
                               }));
}

// A file format of timelines, chosen by the ending of the file's name.
struct TraceFormat {
  std::string_view ending;
  std::uint64_t usual_events;  // default limit: what its readers show without delay
  std::uint64_t max_events;    // limit of its readers
  std::string (*text)(const Timeline&, const PageTexts&);
};

// Origin of the limits: Perfetto fails near 900 MB, viewers of JSON near 256 MB; a page shows
// 100,000 events without delay, and speedscope 200,000 (20 MB).
constexpr std::array kFormats{
    TraceFormat{".pftrace", 16'000'000, 16'000'000, &TextBy<timeline::WritePerfetto>},
    TraceFormat{".json", 200'000, 2'000'000, &TextBy<timeline::WriteChromeJson>},
    TraceFormat{".html", 100'000, 100'000, &PageText},
};

const TraceFormat* FormatOf(const std::string& path) {
  const auto* const format = std::ranges::find_if(
      kFormats, [&](const TraceFormat& one) { return path.ends_with(one.ending); });
  return format == kFormats.end() ? nullptr : format;
}

// Returns the log2 of a ring's size. Throws harness::SetupError if all rings would be too large.
unsigned RingBits(const TraceOptions& options, std::size_t workers) {
  // Measured with pingpong on one worker of an AMD EPYC: 37 million a second.
  constexpr double kEventsPerSecond = 40e6;
  constexpr unsigned kMinBits = 12;
  constexpr unsigned kMaxBits = 22;
  // Measured: with the timeline that is made of it, an event takes eight times its size.
  constexpr std::uint64_t kBytesPerRingByte = 8;
  const std::uint64_t fits =
      platform::AvailableMemoryBytes().value_or(~std::uint64_t{0}) / kBytesPerRingByte;
  const std::uint64_t max_bytes = std::min(std::uint64_t{1} << 30U, fits);  // size of all rings
  const std::uint64_t rings = workers + 1;  // one ring is for events from outside
  if (options.events) {
    constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30U;
    const auto bits = static_cast<unsigned>(std::bit_width(*options.events - 1));
    const std::uint64_t bytes = rings * sizeof(trace::Event) << bits;
    if (bytes > std::min(kMaxBytes, fits)) {
      throw harness::SetupError(
          fmt::format("--events {}   {} workers and the threads outside would need {} MB for their "
                      "events; {} {} MB    use fewer --events",
                      *options.events, workers, bytes >> 20U,
                      bytes > kMaxBytes ? "expected at most" : "the free memory is enough for",
                      (bytes > kMaxBytes ? kMaxBytes : fits) >> 20U));
    }
    return bits;
  }
  const double events = kEventsPerSecond * std::chrono::duration<double>(options.window).count();
  unsigned bits = kMinBits;
  while (bits < kMaxBits && static_cast<double>(std::uint64_t{1} << bits) < events &&
         (rings * sizeof(trace::Event) << (bits + 1)) <= max_bytes) {
    ++bits;
  }
  return bits;
}

// Returns "worker 1 ran F all that time" for fibers that did not end.
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

PageTexts TextsOf(const Arguments& arguments, const harness::RunPlan& plan,
                  const timeline::Summary& summary) {
  PageTexts texts{.title = TitleOf(plan),
                  .facts = {{"command", report::ReplayCommand(arguments.command_line, plan.seed)}}};
  const std::string text = report::TimelineText(summary, {.unicode = true});
  for (std::string_view lines = text; !lines.empty();) {
    texts.summary.emplace_back(TakePart(lines, '\n'));
  }
  return texts;
}

// Writes the timeline, or the last events of one that is too long for the format, whole or not at
// all. Returns a line that reports the file. Throws platform::WriteError.
std::string WriteTraceFile(const Arguments& arguments, const harness::RunPlan& plan,
                           const std::string& path, bool takes_all, Timeline timeline,
                           const timeline::Recording& recording) {
  const TraceFormat& format = *FormatOf(path);
  const std::uint64_t most = takes_all ? format.max_events : format.usual_events;
  const std::uint64_t events = timeline.events;
  std::string cut;
  if (events > most) {
    timeline::CutToEvents(timeline, recording, most);
    cut = fmt::format("the last {} of {} events", report::Count(timeline.events),
                      report::Count(events));
  }
  PageTexts texts = TextsOf(arguments, plan, timeline::Summarize(timeline, recording));
  if (!cut.empty()) {
    texts.facts.emplace_back("shown", cut);
  }
  platform::WriteFileWhole(path, format.text(timeline, texts));
  if (cut.empty()) {
    return path + "\n";
  }
  return fmt::format(
      "{}    {}: {}\n", path, cut,
      most < format.max_events ? "--events N writes more" : "the limit of its readers");
}

// Returns the recording with the CPU times of the workers. None: nothing was recorded.
std::optional<timeline::Recording> TakeRecording(const TracedRun& run) {
  auto recording = run.recording->Take();
  if (recording) {
    recording->SetCpuTimes(run.cpu->Take());
  }
  return recording;
}

// The message for a scheduler without tracers.
constexpr std::string_view kNoEvents =
    "this scheduler records no events, so it has no timeline (IScheduler::Tracers() is empty)    "
    "use fast, work_stealing, global_fifo or single_thread; or schedbench profile";

}  // namespace

std::string TraceFileComplaint(const ValueRule& /*rule*/, const std::string& path) {
  const TraceFormat* const format = FormatOf(path);
  if (format == nullptr) {
    return "the name must end in .pftrace, .json or .html";
  }
  return format->text == &PageText && registry::TimelinePage().empty()
             ? std::string(registry::kNoPages)
             : "";
}

void CheckRecordsEvents(const harness::RunPlan& plan, config::Problems& problems) {
  if (!plan.scheduler->records_events) {
    problems.Add(fmt::format("scheduler {}", plan.scheduler->name), "", std::string(kNoEvents));
  }
}

TracedRun RunTraced(const harness::RunPlan& plan, const TraceOptions& options,
                    const harness::Progress& progress) {
  // Shared, because the thread of an interrupted run continues and uses it after our return.
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

std::optional<TracedPage> PageOf(const Arguments& arguments, const harness::RunPlan& plan,
                                 const TraceOptions& options, const TracedRun& run,
                                 std::uint64_t most) {
  const auto recording = TakeRecording(run);
  if (!recording) {
    return std::nullopt;
  }
  Timeline timeline = timeline::BuildTimeline(
      *recording, static_cast<std::uint64_t>(options.window.count()), timeline::EndsAt::kLastEvent);
  if (timeline.events > most) {
    timeline::CutToEvents(timeline, *recording, most);
  }
  const timeline::Summary summary = timeline::Summarize(timeline, *recording);
  return TracedPage{.summary = summary,
                    .page = registry::TimelinePage().empty()
                                ? ""
                                : PageText(timeline, TextsOf(arguments, plan, summary))};
}

std::string DeliverTrace(const Arguments& arguments, const harness::RunPlan& plan,
                         const TraceOptions& options, TracedRun& run) {
  const report::TerminalStyle style{.unicode = platform::TakesUtf8()};
  const auto recording = TakeRecording(run);
  if (!recording) {
    return "nothing was recorded\n";
  }
  std::string text;
  const auto window = static_cast<std::uint64_t>(options.window.count());
  // The end of the run, or the detection of a hang, follows the last event. Show the part before
  // it.
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
  for (const std::string& path : options.files) {
    text += WriteTraceFile(arguments, plan, path, options.events.has_value(), timeline, *recording);
  }
  return text;
}

}  // namespace schedbench::cli
