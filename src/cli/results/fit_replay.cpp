#include "cli/results/fit_replay.hpp"

#include "config/settings.hpp"
#include "graph/analysis.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "graph/overhead.hpp"
#include "graph/overhead_search.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "platform/files/memory_file.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr int kRecordedRounds = 5;  // arbitrary: enough that one is undisturbed

// The recording of one round.
graph::TaskGraph RecordedRound(harness::RunPlan plan, const TraceOptions& options) {
  plan.rounds = 1;
  TracedRun run = RunTraced(plan, options, [](auto...) {});
  if (run.outcome.ending != harness::Ending::kComplete) {
    throw UnfinishedRun{std::move(run.outcome)};
  }
  return *run.recording->TakeGraph(run.cpu->Take());
}

// The median of `sample`, which has at least one element.
template <typename T, typename Key>
T& MedianBy(std::vector<T>& sample, Key key) {
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::ranges::nth_element(sample, middle, {}, key);
  return *middle;
}

double MedianWallNs(harness::RunResult& result) {
  return static_cast<double>(MedianBy(result.rounds, &harness::Round::wall_ns).wall_ns);
}

// The median time of a round.
double MeasuredNs(const harness::RunPlan& plan) {
  // By value: the thread of an interrupted run continues.
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [plan](harness::Recorder& recorder, harness::WatchPoint& watch) {
        return harness::ExecutePlan(
            plan, recorder, [](auto...) {}, watch);
      });
  if (outcome.ending != harness::Ending::kComplete) {
    throw UnfinishedRun{std::move(outcome)};
  }
  return MedianWallNs(outcome.result);
}

std::uint64_t WorkOf(const graph::TaskGraph& graph) {
  return graph::Analyse(graph).work_ns;
}

// A thread that spawns, waits for the fibers and spawns again was slower while events were recorded.
void ScaleOutside(graph::TaskGraph& graph, double factor) {
  for (std::size_t i = 0; i < graph.tasks[graph::kOutside].step_count; ++i) {
    graph::Step& step = graph.steps[graph.tasks[graph::kOutside].first_step + i];
    step.ns = static_cast<std::uint64_t>(static_cast<double>(step.ns) * std::min(factor, 1.0));
  }
}

class Fit {
 public:
  Fit(const harness::RunPlan& program, const TraceOptions& options, double round_ns,
      graph::TaskGraph& graph)
      : program_(program),
        replay_(program),
        options_(options),
        graph_(graph) {
    // A pass takes some seconds at most. Arbitrary.
    program_.rounds = round_ns > 1e8 ? 1 : 7;
    program_.warmup = round_ns > 1e8 ? 0 : 2;
    turns_ = round_ns > 1e7 ? 1 : 3;
    replay_.workload = registry::FindWorkload("replay");
    replay_.rounds = program_.rounds;
    replay_.warmup = program_.warmup;
  }

  // By the lengths of computations in recorded replays.
  void FitLengths() {
    constexpr int kReplays = 3;  // measured: the fourth changes little
    for (int i = 0; i < kReplays; ++i) {
      const platform::MemoryFile file = GraphFile();
      graph::FitOverhead(graph_, RecordedRound(replay_, options_));
    }
  }

  // By makespans, where a thread outside acts until the end: it has waited for the fibers before, and the graph has only the
  // times of that.
  void FitOutside() {
    constexpr double kUntilTheEnd = 0.9;
    constexpr int kPasses = 3;
    for (int i = 0; i < kPasses && graph::OutsideShare(graph_) > kUntilTheEnd; ++i) {
      const graph::OverheadSearch::Pass pass = Measured(0);
      ScaleOutside(graph_, pass.program_ns / pass.replay_ns);
    }
  }

  // By makespans: recording hides some costs of a replay, and causes others.
  void FitMakespan() {
    const graph::Overhead fitted = graph_.overhead.value_or(graph::Overhead{});
    const auto shift = [&](double ns) {
      graph_.overhead = fitted;
      graph::ShiftOverhead(graph_, ns);
    };
    graph::OverheadSearch search(ComputationsOnAWorker());
    while (const std::optional<double> overhead = search.Next()) {
      shift(*overhead);
      search.Add(Measured(*overhead));
    }
    const graph::OverheadSearch::Pass& best = search.Best();
    shift(best.overhead);
    graph_.makespan_ns = static_cast<std::uint64_t>(best.program_ns);
    graph_.facts.emplace_back("replay_makespan_ns", std::to_string(std::llround(best.replay_ns)));
  }

 private:
  // In turns, because the speed of a machine drifts: the turn with the median ratio.
  graph::OverheadSearch::Pass Measured(double overhead) {
    const platform::MemoryFile file = GraphFile();
    std::vector<graph::OverheadSearch::Pass> passes;
    for (int turn = 0; turn < turns_; ++turn) {
      const double program_ns = MeasuredNs(program_);
      passes.push_back({overhead, program_ns, MeasuredNs(replay_)});
    }
    return MedianBy(passes, &graph::OverheadSearch::Pass::Error);
  }

  platform::MemoryFile GraphFile() {
    platform::MemoryFile file(graph::Encode(graph_));
    replay_.parameters = config::Settings(replay_.workload->schema());
    replay_.parameters.Set("graph", config::Value(file.Path()), {});
    replay_.parameters.Set(
        "loop", config::Value(std::string(graph::ComesOverTime(graph_) ? "open" : "closed")), {});
    return file;
  }

  double ComputationsOnAWorker() const {
    const auto runs = std::ranges::count(graph_.steps, graph::StepKind::kRun, &graph::Step::kind);
    return static_cast<double>(runs) / std::max(1U, graph_.workers);
  }

  harness::RunPlan program_;
  harness::RunPlan replay_;
  int turns_ = 1;  // of a pass
  const TraceOptions& options_;
  graph::TaskGraph& graph_;
};

}  // namespace

graph::TaskGraph RecordedGraph(const harness::RunPlan& plan, const TraceOptions& options) {
  std::vector<graph::TaskGraph> graphs;
  for (int round = 0; round < kRecordedRounds; ++round) {
    graphs.push_back(RecordedRound(plan, options));
    if (const std::string wrong = graph::Check(graphs.back()); !wrong.empty()) {
      throw std::runtime_error("the recorded events make no graph: " + wrong);
    }
  }
  return std::move(*std::ranges::min_element(graphs, {}, &WorkOf));
}

void FitReplay(const harness::RunPlan& plan, const TraceOptions& options,
               harness::RunResult& measured, graph::TaskGraph& graph) {
  const double round_ns = MedianWallNs(measured);
  Fit fit(plan, options, round_ns, graph);
  if (graph.lost_events > 0) {
    fit.FitLengths();
    return;
  }
  ScaleOutside(graph,
               round_ns / static_cast<double>(std::max<std::uint64_t>(graph.makespan_ns, 1)));
  graph.makespan_ns = static_cast<std::uint64_t>(round_ns);
  fit.FitLengths();
  fit.FitOutside();
  fit.FitMakespan();
}

}  // namespace schedbench::cli
