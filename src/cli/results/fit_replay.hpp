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

// How a program is recorded, and a replay fitted.
struct FitPlan {
  harness::RunPlan program;
  TraceOptions options;
  std::optional<std::uint32_t>
      rounds;  // of the program, and of a replay, in each turn; none: by their length
  std::function<void(const std::string& step)> progress;
};

// Records five rounds of the program of a plan, each on a scheduler of its own, and returns their
// median (graph/fit/median_graph.hpp). Throws UnfinishedRun, and std::runtime_error if the events
// contradict each other.
graph::TaskGraph RecordedGraph(const FitPlan& plan);

// Sets the overhead of the graph so that replays in the configuration of the plan take as long as the program does: first by the
// lengths of computations in recorded replays, then by the makespans of replays and of the program, in turns. Sets its
// makespan, and the fact "replay_makespan_ns". Of a graph that lacks the beginning of the run the makespan is that of the rest, and
// is not fitted. `measured`: rounds of the program without recording. Throws UnfinishedRun.
void FitReplay(const FitPlan& plan, const harness::RunResult& measured, graph::TaskGraph& graph);

}  // namespace schedbench::cli
