#include "cli/results/fit_replay.hpp"

#include "base/vector_of.hpp"
#include "config/settings.hpp"
#include "graph/analysis.hpp"
#include "graph/check.hpp"
#include "graph/fit/median_graph.hpp"
#include "graph/fit/overhead.hpp"
#include "graph/fit/overhead_search.hpp"
#include "graph/graph_file.hpp"
#include "platform/files/memory_file.hpp"
#include "registry/workload.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr int kRecordedRounds = 5;  // arbitrary: enough for medians

// Records one round.
graph::TaskGraph RecordedRound(harness::RunPlan plan, const TraceOptions& options) {
  plan.rounds = 1;
  TracedRun run = RunTraced(plan, options, [](auto...) {});
  if (run.outcome.ending != harness::Ending::kComplete) {
    throw UnfinishedRun{std::move(run.outcome)};
  }
  return *run.recording->TakeGraph(run.cpu->Take());
}

// Returns the lower quartile, because disturbances make a round slower.
double Undisturbed(const std::vector<double>& times) {
  return stats::Quantile(times, 0.25);
}

std::vector<double> TimesOf(const harness::RunResult& result) {
  return VectorOf(result.rounds,
                  [](const auto& round) { return static_cast<double>(round.wall_ns); });
}

// Returns the times of the rounds in nanoseconds.
std::vector<double> MeasuredTimes(const harness::RunPlan& plan) {
  return TimesOf(CompletedRun(plan));
}

// Scales the times of a thread that spawns and waits repeatedly: recording made it slower.
void ScaleOutside(graph::TaskGraph& graph, double factor) {
  for (std::size_t i = 0; i < graph.tasks[graph::kOutside].step_count; ++i) {
    graph::Step& step = graph.steps[graph.tasks[graph::kOutside].first_step + i];
    step.ns = static_cast<std::uint64_t>(static_cast<double>(step.ns) * std::min(factor, 1.0));
  }
}

class Fit {
 public:
  Fit(const FitPlan& plan, double round_ns, graph::TaskGraph& graph)
      : plan_(plan),
        program_(plan.program),
        replay_(plan.program),
        graph_(graph) {
    // A turn is longer than most disturbances. With long rounds turns are few. Both are arbitrary.
    constexpr std::chrono::milliseconds kTurn(40);
    program_.rounds = plan.rounds.value_or(harness::RoundsIn(kTurn, round_ns, 1));
    if (round_ns > 1e8) {
      program_.warmup = std::min(program_.warmup, 1U);
    }
    turns_ = round_ns > 1e9 ? 1 : round_ns > 1e8 ? 3 : round_ns > 1e7 ? 5 : 7;
    replay_ = program_;
    replay_.workload = registry::FindWorkload("replay");
  }

  // Fits the times of a thread outside to those of the program.
  void ScaleRecorded() {
    plan_.progress("measuring the program");
    const double program_ns = Undisturbed(MeasuredTimes(program_));
    ScaleOutside(graph_,
                 program_ns / static_cast<double>(std::max<std::uint64_t>(graph_.makespan_ns, 1)));
    graph_.makespan_ns = static_cast<std::uint64_t>(program_ns);
  }

  // Fits the lengths of computations in recorded replays.
  void FitLengths() {
    constexpr int kReplays = 3;  // measured: the fourth changes little
    for (int i = 0; i < kReplays; ++i) {
      plan_.progress(fmt::format("recording replay {} of {}", i + 1, kReplays));
      const platform::MemoryFile file = GraphFile();
      graph::FitOverhead(graph_, RecordedRound(replay_, plan_.options));
    }
  }

  // Fits makespans if a thread outside acts until the end: it had waited for the fibers, and the
  // graph has only these times. Less than 1 % is noise.
  void FitOutside() {
    constexpr double kUntilTheEnd = 0.9;
    constexpr double kExact = 0.01;
    constexpr int kPasses = 3;
    for (int i = 0; i < kPasses && graph::OutsideShare(graph_) > kUntilTheEnd; ++i) {
      const graph::OverheadSearch::Pass pass = Measured(0);
      if (pass.Error() < kExact) {
        return;
      }
      ScaleOutside(graph_, pass.program_ns / pass.replay_ns);
    }
  }

  // Fits makespans: recording hides some costs of a replay, and adds others.
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
    const double best = search.Best().overhead;
    shift(best);
    // Measure the best pass again: chance makes the best of several passes look better.
    const graph::OverheadSearch::Pass result = Measured(best);
    graph_.makespan_ns = static_cast<std::uint64_t>(result.program_ns);
    graph_.facts.emplace_back("replay_makespan_ns", std::to_string(std::llround(result.replay_ns)));
  }

 private:
  // Measures in turns, because the speed of a machine drifts.
  graph::OverheadSearch::Pass Measured(double overhead) {
    const platform::MemoryFile file = GraphFile();
    std::vector<double> program;
    std::vector<double> replay;
    ++comparisons_;
    for (int turn = 0; turn < turns_; ++turn) {
      plan_.progress(fmt::format("comparing replays with the program, pass {}, turn {} of {}",
                                 comparisons_, turn + 1, turns_));
      Append(program, MeasuredTimes(program_));
      Append(replay, MeasuredTimes(replay_));
    }
    return {overhead, Undisturbed(program), Undisturbed(replay)};
  }

  static void Append(std::vector<double>& all, const std::vector<double>& times) {
    all.insert(all.end(), times.begin(), times.end());
  }

  platform::MemoryFile GraphFile() {
    platform::MemoryFile file(graph::Encode(graph_));
    replay_.parameters = ReplayParameters(file.Path(), graph::ComesOverTime(graph_));
    return file;
  }

  double ComputationsOnAWorker() const {
    const auto runs = std::ranges::count(graph_.steps, graph::StepKind::kRun, &graph::Step::kind);
    return static_cast<double>(runs) / std::max(1U, graph_.workers);
  }

  const FitPlan& plan_;
  harness::RunPlan program_;
  harness::RunPlan replay_;
  int turns_;            // turns of a pass
  int comparisons_ = 0;  // number of passes so far
  graph::TaskGraph& graph_;
};

}  // namespace

graph::TaskGraph RecordedGraph(const FitPlan& plan) {
  std::vector<graph::TaskGraph> graphs;
  for (int round = 0; round < kRecordedRounds; ++round) {
    plan.progress(fmt::format("recording round {} of {}", round + 1, kRecordedRounds));
    graphs.push_back(RecordedRound(plan.program, plan.options));
    if (const std::string wrong = graph::Check(graphs.back()); !wrong.empty()) {
      throw std::runtime_error("the recorded events make no graph: " + wrong);
    }
  }
  return graph::MedianGraph(std::move(graphs));
}

void FitReplay(const FitPlan& plan, const harness::RunResult& measured, graph::TaskGraph& graph) {
  Fit fit(plan, Undisturbed(TimesOf(measured)), graph);
  if (graph.lost_events > 0) {
    fit.FitLengths();
    return;
  }
  fit.ScaleRecorded();
  fit.FitLengths();
  fit.FitOutside();
  fit.FitMakespan();
}

}  // namespace schedbench::cli
