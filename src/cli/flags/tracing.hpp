#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/trace_file.hpp"
#include "config/problems.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "timeline/live_recording.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// A run whose events are recorded.

namespace schedbench::cli {

struct TraceOptions {
  std::chrono::nanoseconds window{std::chrono::milliseconds(50)};  // so much of the end is kept
  std::optional<std::uint64_t>
      events{};  // room for so many of each worker; none: what the window may need
  std::vector<TraceFile> files{};
  bool with_summary = false;  // on stdout
};

// A problem where the scheduler of the plan records no events.
void CheckRecordsEvents(const harness::RunPlan& plan, config::Problems& problems);

// What is known after it. Where the run did not come to its end, up to there.
struct TracedRun {
  harness::Outcome outcome;
  std::shared_ptr<timeline::LiveRecording> recording{};
};

// Measures as RunInterruptibly() does, and records the events of the measured rounds. Throws harness::SetupError.
TracedRun RunTraced(const harness::RunPlan& plan, const TraceOptions& options,
                    const harness::Progress& progress);

// Writes the files, and says which: to stdout, with the summary, or to stderr. Throws platform::WriteError.
void DeliverTrace(const Arguments& arguments, const harness::RunPlan& plan,
                  const TraceOptions& options, const TracedRun& run, void (*say)(std::string_view));

}  // namespace schedbench::cli
