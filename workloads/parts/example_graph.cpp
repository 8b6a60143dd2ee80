#include "workloads/parts/example_graph.hpp"

#include "base/random_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace schedbench::workloads {

namespace {

using graph::StepKind;

constexpr std::uint64_t kRunNs = 500;

// Draws steps for all tasks in one order, where a wait precedes its wake: no step depends on
// itself.
class ExampleMaker {
 public:
  explicit ExampleMaker(std::uint32_t fibers)
      : fibers_(fibers) {
    Spawn(graph::kOutside);
  }

  graph::TaskGraph Make() && {
    while (!active_.empty()) {
      const std::size_t place = Drawn(active_.size());
      const std::uint32_t task = active_[place];
      steps_[task].push_back({.ns = kRunNs, .kind = StepKind::kRun});
      Draw(task, place);
    }
    graph::TaskGraph graph;
    graph.tasks.clear();
    graph.labels.emplace_back("example");
    graph.waits = waits_;
    for (std::size_t task = 0; task < steps_.size(); ++task) {
      graph.tasks.push_back({.first_step = graph.steps.size(),
                             .step_count = steps_[task].size(),
                             .label = task == graph::kOutside ? 0U : 1U});
      graph.steps.insert(graph.steps.end(), steps_[task].begin(), steps_[task].end());
    }
    return graph;
  }

 private:
  void Draw(std::uint32_t task, std::size_t place) {
    const bool is_last = active_.size() == 1;
    switch (random_.Below(5)) {
      case 0:
        if (steps_.size() <= fibers_) {
          Spawn(task);
        }
        return;
      case 1:
        steps_[task].push_back({.kind = StepKind::kYield});
        return;
      case 2:
        if (!is_last) {
          steps_[task].push_back({.target = waits_, .kind = StepKind::kWait});
          waiting_.emplace_back(task, waits_++);
          Leave(place);
        }
        return;
      case 3:
        if (!waiting_.empty()) {
          std::swap(waiting_[Drawn(waiting_.size())], waiting_.back());
          steps_[task].push_back({.target = waiting_.back().second, .kind = StepKind::kWake});
          active_.push_back(waiting_.back().first);
          waiting_.pop_back();
        }
        return;
      default:
        if (!is_last || (waiting_.empty() && steps_.size() > fibers_)) {
          Leave(place);
        }
        return;
    }
  }

  void Spawn(std::uint32_t by) {
    const auto task = static_cast<std::uint32_t>(std::max<std::size_t>(steps_.size(), 1));
    steps_.resize(std::size_t{task} + 1);
    steps_[by].push_back({.target = task, .kind = StepKind::kSpawn});
    active_.push_back(task);
  }

  std::size_t Drawn(std::size_t count) {
    return random_.Below(static_cast<std::uint32_t>(count));
  }

  void Leave(std::size_t place) {
    active_[place] = active_.back();
    active_.pop_back();
  }

  const std::uint32_t fibers_;
  RandomChoice random_{1};
  std::vector<std::vector<graph::Step>> steps_;                   // steps by task
  std::vector<std::uint32_t> active_;                             // tasks that get more steps
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting_;  // tasks, each with its wait
  std::uint32_t waits_ = 0;
};

}  // namespace

graph::TaskGraph ExampleGraph(std::uint32_t fibers) {
  return ExampleMaker(fibers).Make();
}

}  // namespace schedbench::workloads
