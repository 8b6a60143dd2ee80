#pragma once

#include "cli/flags/tracing.hpp"
#include "graph/task_graph.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace schedbench::cli {

// The plan to record a program and fit a replay.
struct FitPlan {
  harness::RunPlan program;
  TraceOptions options;
  // Rounds of the program and of a replay in each turn; none: by their length.
  std::optional<std::uint32_t> rounds;
  std::function<void(const std::string& step)> progress;
};

// Records five rounds of the plan's program, each on its own scheduler, and returns their median
// (graph/fit/median_graph.hpp). Throws UnfinishedRun, and std::runtime_error if events contradict
// each other.
graph::TaskGraph RecordedGraph(const FitPlan& plan);

// Sets the overhead of the graph so that replays in the plan's configuration take as long as the
// program: first by the lengths of computations in recorded replays, then by the makespans of
// replays and of the program, in turns. Sets its makespan, and the fact "replay_makespan_ns". For a
// graph that lacks the start of the run the makespan is that of the rest, and is not fitted.
// `measured`: rounds of the program without recording. Throws UnfinishedRun.
void FitReplay(const FitPlan& plan, const harness::RunResult& measured, graph::TaskGraph& graph);

}  // namespace schedbench::cli
