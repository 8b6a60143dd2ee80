#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/flag.hpp"
#include "config/problems.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "timeline/exports.hpp"
#include "timeline/live_recording.hpp"
#include "timeline/summary.hpp"
#include "timeline/timeline.hpp"
#include "timeline/worker_cpu.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A run with recorded events, and the files that have them.

namespace schedbench::cli {

// The rule of flags for such files: the ending is that of a format, and the tool has its page.
std::string TraceFileComplaint(const ValueRule& rule, const std::string& path);
inline constexpr ValueRule kTraceFile{.complaint = &TraceFileComplaint};

// The limit is 256 MB for each worker.
inline constexpr auto kEventsFlag =
    NumberFlag{"--events", "", "N", "Events to keep of each worker; the oldest of more are lost"}
        .Checked(WholeNumber(1024, std::uint64_t{1} << 24U))
        .Usually("enough for --for");

struct TraceOptions {
  // Length of the part that is kept, at the end.
  std::chrono::nanoseconds window{std::chrono::milliseconds(50)};
  // Number of events to keep of each worker; none: what the window may need.
  std::optional<std::uint64_t> events{};
  std::vector<std::string> files{};  // paths that obey kTraceFile
  bool with_summary = false;         // whether stdout gets a summary
  // Records the last warm-up round too and discards its events: memory that a new recorder touches
  // is not in a cache, which changes the times.
  bool warms_recorder = false;
};

// Adds a problem if the scheduler of the plan does not record events.
void CheckRecordsEvents(const harness::RunPlan& plan, config::Problems& problems);

// The result of a run, or of the finished part of an unfinished one.
struct TracedRun {
  harness::Outcome outcome;
  std::shared_ptr<timeline::LiveRecording> recording{};
  std::shared_ptr<timeline::WorkerCpu> cpu{};
};

// Does RunInterruptibly(), and records events of measured rounds. Throws harness::SetupError.
TracedRun RunTraced(const harness::RunPlan& plan, const TraceOptions& options,
                    const harness::Progress& progress);

// The end of a run as a page, and in numbers.
struct TracedPage {
  timeline::Summary summary;
  std::string page;  // "" where the tool was built without pages
};

// Returns a page of the last `most` events of the window. None: nothing was recorded.
std::optional<TracedPage> PageOf(const Arguments& arguments, const harness::RunPlan& plan,
                                 const TraceOptions& options, const TracedRun& run,
                                 std::uint64_t most);

// Writes the files, and adds the figures of the timeline to the result. Returns the summary and the
// names of the files. Throws platform::WriteError.
std::string DeliverTrace(const Arguments& arguments, const harness::RunPlan& plan,
                         const TraceOptions& options, TracedRun& run);

}  // namespace schedbench::cli
