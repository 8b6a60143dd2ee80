#pragma once

#include "cli/flags/tracing.hpp"
#include "graph/task_graph.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"

namespace schedbench::cli {

// Records some rounds of a plan, each on a scheduler of its own, and returns the graph of the one with the median makespan. Throws
// std::runtime_error if no round ends well, or its events contradict each other.
graph::TaskGraph RecordedGraph(const harness::RunPlan& plan, const TraceOptions& options);

// Sets the overhead of the graph so that replays in the configuration of the plan take as long as the program does: first by the
// lengths of computations in recorded replays, then by the makespans of replays and of the program, in turns. Sets its
// makespan, and the fact "replay_makespan_ns". `measured`: rounds of the program without recording.
void FitReplay(const harness::RunPlan& plan, const TraceOptions& options,
               harness::RunResult& measured, graph::TaskGraph& graph);

}  // namespace schedbench::cli
