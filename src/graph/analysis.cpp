#include "graph/analysis.hpp"

#include "base/stable_sort.hpp"
#include "graph/walk.hpp"

#include <algorithm>
#include <limits>

namespace schedbench::graph {

namespace {

// Adds without overflow: a graph may have any times.
std::uint64_t Sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

// A step of a task.
struct Place {
  std::uint32_t task = kOutside;
  std::size_t step = 0;
};

class Analyser {
 public:
  explicit Analyser(const TaskGraph& graph)
      : graph_(graph),
        time_(graph.tasks.size(), 0),
        spawned_by_(graph.tasks.size()),
        waits_(graph.waits) {
  }

  Analysis Take() && {
    for (std::size_t task = 1; task < graph_.tasks.size(); ++task) {
      ++(graph_.tasks[task].is_plain ? result_.plain_tasks : result_.fibers);
    }
    Walk(graph_, [this](std::uint32_t task, std::size_t step) { Do(task, step); });
    const auto last = std::ranges::max_element(time_);
    result_.span_ns = *last;
    FollowBack(static_cast<std::uint32_t>(last - time_.begin()));
    return std::move(result_);
  }

 private:
  struct Wait {
    std::uint64_t ended_at = 0;
    Place waker{};
    bool delays = false;  // the task waited before its end
  };

  void Do(std::uint32_t task, std::size_t index) {
    const Step& step = graph_.StepsOf(task)[index];
    std::uint64_t& now = time_[task];
    switch (step.kind) {
      case StepKind::kRun:
        if (task != kOutside) {
          const std::uint64_t work = graph_.RecordedNs(step);
          now = Sum(now, work);
          result_.work_ns = Sum(result_.work_ns, work);
        }
        break;
      case StepKind::kSpawn:
        time_[step.target] = now;
        spawned_by_[step.target] = {.task = task, .step = index};
        break;
      case StepKind::kWake:
        waits_[step.target].ended_at = now;
        waits_[step.target].waker = {.task = task, .step = index};
        break;
      case StepKind::kWait: {
        Wait& wait = waits_[step.target];
        if (wait.waker.task == kOutside) {
          now = Sum(now, step.ns);
        } else if (wait.ended_at > now) {
          now = wait.ended_at;
          wait.delays = true;
        }
        break;
      }
      case StepKind::kYield:
        ++result_.yields;
        break;
    }
  }

  // Follows the critical path from the end of a task back to the start.
  void FollowBack(std::uint32_t task) {
    std::vector<PathPart> parts(graph_.labels.size());
    Place at{.task = task, .step = graph_.tasks[task].step_count};
    while (at.task != kOutside) {
      ++result_.path_tasks;
      at = FollowTask(at, parts);
    }
    for (std::uint32_t label = 0; label < parts.size(); ++label) {
      if (parts[label].runs > 0) {
        parts[label].label = label;
        result_.path.push_back(parts[label]);
      }
    }
    StableSort(result_.path, std::ranges::greater{}, &PathPart::ns);
  }

  // Returns the step of another task for which the steps of `end`'s task before it waited.
  Place FollowTask(const Place& end, std::vector<PathPart>& parts) {
    const auto steps = graph_.StepsOf(end.task);
    PathPart& part = parts[graph_.tasks[end.task].label];
    for (std::size_t i = end.step; i-- > 0;) {
      const Step& step = steps[i];
      if (step.kind == StepKind::kRun) {
        part.ns = Sum(part.ns, graph_.RecordedNs(step));
        ++part.runs;
      } else if (step.kind == StepKind::kWait) {
        const Wait& wait = waits_[step.target];
        if (wait.waker.task == kOutside) {
          result_.outside_ns = Sum(result_.outside_ns, step.ns);
        } else if (wait.delays) {
          return wait.waker;
        }
      }
    }
    return spawned_by_[end.task];
  }

  const TaskGraph& graph_;
  Analysis result_;
  std::vector<std::uint64_t> time_;  // time after its steps so far, by task
  std::vector<Place> spawned_by_;    // spawner of each task
  std::vector<Wait> waits_;
};

}  // namespace

double OutsideShare(const TaskGraph& graph) {
  std::uint64_t now = 0;
  for (const Step& step : graph.StepsOf(kOutside)) {
    now = step.kind == StepKind::kRun ? Sum(now, step.ns) : now;
  }
  return graph.makespan_ns == 0
             ? 0.0
             : std::min(1.0, static_cast<double>(now) / static_cast<double>(graph.makespan_ns));
}

bool ComesOverTime(const TaskGraph& graph) {
  constexpr double kGoodPart = 0.1;  // arbitrary
  return OutsideShare(graph) > kGoodPart;
}

Analysis Analyse(const TaskGraph& graph) {
  return Analyser(graph).Take();
}

}  // namespace schedbench::graph
