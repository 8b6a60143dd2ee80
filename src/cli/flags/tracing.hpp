#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/trace_file.hpp"
#include "config/problems.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "timeline/live_recording.hpp"
#include "timeline/worker_cpu.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A run with recorded events.

namespace schedbench::cli {

struct TraceOptions {
  std::chrono::nanoseconds window{
      std::chrono::milliseconds(50)};  // the part that is kept, at the end
  std::optional<std::uint64_t>
      events{};  // that are kept of each worker; none: what the window may need
  std::vector<TraceFile> files{};
  bool with_summary = false;  // on stdout
  // Also records the last warm-up round, and discards its events: the first round with a recorder has other times, because what it
  // touches is in no cache.
  bool warms_recorder = false;
};

// Adds a problem if the scheduler of the plan records no events.
void CheckRecordsEvents(const harness::RunPlan& plan, config::Problems& problems);

// What is known after the run; of an unfinished run, its finished part.
struct TracedRun {
  harness::Outcome outcome;
  std::shared_ptr<timeline::LiveRecording> recording{};
  std::shared_ptr<timeline::WorkerCpu> cpu{};
};

// Measures as RunInterruptibly() does, and records the events of the measured rounds. Throws harness::SetupError.
TracedRun RunTraced(const harness::RunPlan& plan, const TraceOptions& options,
                    const harness::Progress& progress);

// Writes the files, and adds the figures of the timeline to the result. Returns the summary and the names of the files. Throws
// platform::WriteError.
std::string DeliverTrace(const Arguments& arguments, const harness::RunPlan& plan,
                         const TraceOptions& options, TracedRun& run);

}  // namespace schedbench::cli
