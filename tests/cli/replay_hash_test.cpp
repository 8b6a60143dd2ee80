// A replay of a recorded graph, recorded again, in the recorded configuration.
#include "cli/results/fit_replay.hpp"
#include "config/settings.hpp"
#include "graph/graph_file.hpp"
#include "graph/task_graph.hpp"
#include "harness/plan.hpp"
#include "platform/files/memory_file.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests::replay_hash_test {

namespace {

harness::RunPlan OnOneWorker(std::string_view scheduler, const registry::WorkloadEntry& workload,
                             std::string_view preset) {
  const registry::SchedulerEntry* const entry = registry::FindScheduler(scheduler);
  harness::RunPlan plan{.scheduler = entry,
                        .config = config::Settings(entry->schema()),
                        .workload = &workload,
                        .parameters = config::Settings(workload.schema()),
                        .warmup = 1,
                        .seed = 1};
  if (entry->schema().FindLeaf("workers") != nullptr) {
    plan.config.Set("workers", std::uint64_t{1}, {});
  }
  EXPECT_TRUE(registry::ApplyPreset(workload, preset, plan.parameters)) << workload.name;
  return plan;
}

graph::TaskGraph Recorded(const harness::RunPlan& plan) {
  return cli::RecordedGraph({.program = plan,
                             .options = {.events = std::uint64_t{1} << 18U, .warms_recorder = true},
                             .rounds = std::nullopt,
                             .progress = [](const std::string& /*step*/) {}});
}

// Else threads that are no workers spawn and wake too, and race with the worker.
bool HasOneRoot(const graph::TaskGraph& graph) {
  std::size_t steps = 0;
  for (const graph::Step& step : graph.StepsOf(graph::kOutside)) {
    steps += step.kind == graph::StepKind::kRun ? 0 : 1;
  }
  return steps == 1;
}

std::vector<std::string> SchedulersToTest() {
  std::vector<std::string> names{"fast"};
  if (FullTier()) {
    names.insert(names.end(), {"single_thread", "work_stealing", "global_fifo"});
  }
  return names;
}

class ReplayOnOneWorker : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schedulers, ReplayOnOneWorker, testing::ValuesIn(SchedulersToTest()),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(ReplayOnOneWorker, HasTheHashOfTheProgramIfAllTasksDescendFromOne) {
  std::vector<std::string_view> compared;
  for (const registry::WorkloadEntry* workload : registry::Workloads()) {
    if (workload->name == "replay") {
      continue;
    }
    const graph::TaskGraph program = Recorded(OnOneWorker(GetParam(), *workload, "smoke"));
    if (!HasOneRoot(program) || program.lost_events > 0) {
      continue;
    }
    const platform::MemoryFile file(graph::Encode(program));
    harness::RunPlan again = OnOneWorker(GetParam(), *registry::FindWorkload("replay"), "small");
    again.parameters.Set("graph", config::Value(file.Path()), {});
    const graph::TaskGraph replay = Recorded(again);
    EXPECT_EQ(graph::StructureHash(replay), graph::StructureHash(program))
        << workload->name << ": " << program.waits << " waits, in the replay " << replay.waits;
    compared.push_back(workload->name);
  }
  EXPECT_GE(compared.size(), 15U);
  EXPECT_NE(std::ranges::find(compared, "skynet"), compared.end());
}

}  // namespace

}  // namespace schedbench::tests::replay_hash_test
