#pragma once

#include "cli/flags/tracing.hpp"
#include "graph/task_graph.hpp"
#include "harness/live_run.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"

namespace schedbench::cli {

// A run has failed or was interrupted.
struct UnfinishedRun {
  harness::Outcome outcome;
};

// Records some rounds of a plan, each on a scheduler of its own, and returns the graph of the one with the least work: what disturbs a
// round makes its computations longer. Throws UnfinishedRun, and std::runtime_error if the events contradict each other.
graph::TaskGraph RecordedGraph(const harness::RunPlan& plan, const TraceOptions& options);

// Sets the overhead of the graph so that replays in the configuration of the plan take as long as the program does: first by the
// lengths of computations in recorded replays, then by the makespans of replays and of the program, in turns. Sets its
// makespan, and the fact "replay_makespan_ns". Of a graph that lacks the beginning of the run the makespan is that of the rest, and
// is not fitted. `measured`: rounds of the program without recording. Throws UnfinishedRun.
void FitReplay(const harness::RunPlan& plan, const TraceOptions& options,
               harness::RunResult& measured, graph::TaskGraph& graph);

}  // namespace schedbench::cli
