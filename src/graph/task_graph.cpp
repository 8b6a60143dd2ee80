#include "graph/task_graph.hpp"

#include "base/random.hpp"

#include <algorithm>

namespace schedbench::graph {

std::string_view ToText(StepKind kind) {
  constexpr std::array<std::string_view, kStepKinds> kNames{"run", "spawn", "wake", "wait",
                                                            "yield"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view TaskGraph::Fact(std::string_view name) const {
  const auto found = std::ranges::find(facts, name, &std::pair<std::string, std::string>::first);
  return found == facts.end() ? std::string_view() : std::string_view(found->second);
}

std::uint64_t TaskGraph::WorkNs(std::size_t task, std::size_t step) const {
  const std::span<const Step> of_task = StepsOf(task);
  const std::uint64_t recorded = of_task[step].ns;
  if (!overhead || task == kOutside) {
    return recorded;
  }
  const StepKind before = step == 0 ? StepKind::kRun : of_task[step - 1].kind;
  const StepKind after = step + 1 == of_task.size() ? StepKind::kRun : of_task[step + 1].kind;
  const std::int64_t extra =
      (*overhead)[static_cast<std::size_t>(before)][static_cast<std::size_t>(after)];
  // The difference may have any value for times that no program has.
  return extra < 0 ? recorded + static_cast<std::uint64_t>(-extra)
                   : recorded - std::min(recorded, static_cast<std::uint64_t>(extra));
}

std::uint64_t TaskGraph::RecordedNs(const Step& step) const {
  constexpr std::uint64_t kEventNs = 10;  // measured: src/trace/README.md
  return overhead ? step.ns - std::min(step.ns, kEventNs) : step.ns;
}

std::uint64_t StructureHash(const TaskGraph& graph) {
  std::uint64_t hash = 0;
  for (std::size_t task = 0; task < graph.tasks.size(); ++task) {
    hash = MixSeed(hash ^ (graph.tasks[task].is_plain ? 1U : 0U));
    for (const Step& step : graph.StepsOf(task)) {
      if (step.kind != StepKind::kRun) {
        hash = MixSeed(hash ^ (std::uint64_t{step.target} << 8U) ^
                       static_cast<std::uint64_t>(step.kind));
      }
    }
  }
  return hash;
}

}  // namespace schedbench::graph
