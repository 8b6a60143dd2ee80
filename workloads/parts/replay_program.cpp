#include "workloads/parts/replay_program.hpp"

#include "base/assert.hpp"
#include "fibers/core/waiting.hpp"
#include "workloads/parts/spin_work.hpp"

#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace schedbench::workloads {

using graph::StepKind;

ReplayProgram::Action::Action(Kind kind, std::uint64_t work, std::uint32_t target,
                              executors::SchedulerHint hint)
    : bits_(static_cast<std::uint64_t>(kind) | (static_cast<std::uint64_t>(hint) << 3U) |
            (work << kWorkShift) | (std::uint64_t{target} << 32U)) {
  SB_ASSERT(kind == Kind::kCompute ? target == 0 : work <= kMostWork, "an action is too long");
}

// Writes all tasks' slots. At first the targets are numbers of the graph: slots are unknown.
class ReplayProgram::Compiler {
 public:
  Compiler(const graph::TaskGraph& graph, std::uint32_t percent, bool is_open,
           ReplayProgram& program)
      : graph_(graph),
        percent_(percent),
        program_(program),
        sleeps_(graph.waits, false),
        baton_of_(graph.waits, 0),
        join_of_(graph.tasks.size(), kNoWait) {
    for (const graph::Step& step : graph.StepsOf(graph::kOutside)) {
      if (step.kind == StepKind::kWake) {
        sleeps_[step.target] = !is_open;
      }
    }
    FindJoins();
  }

  void Compile() {
    std::vector<std::uint32_t> actions;  // actions with a target
    for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
      program_.begins_.push_back(Place());
      actions_.emplace_back();
      AddTask(task, actions);
    }
    for (const std::uint32_t at : actions) {
      Action& action = actions_[at];
      const bool is_wake = action.GetKind() == Kind::kWake;
      action = Action(action.GetKind(), action.Work(),
                      is_wake ? baton_of_[action.Target()] : program_.begins_[action.Target()],
                      action.Hint());
    }
    program_.slots_ = std::make_unique<Slot[]>(actions_.size());
    for (std::size_t at = 0; at < actions_.size(); ++at) {
      new (&program_.slots_[at].action) Action(actions_[at]);
    }
    for (const std::uint32_t at : program_.batons_) {
      new (&program_.slots_[at].baton) Baton;
    }
  }

 private:
  static constexpr std::uint32_t kNoWait = ~0U;

  // Finds the waits of tasks for the ends of fibers that they have spawned.
  void FindJoins() {
    std::vector<std::uint32_t> waker_of(graph_.waits, graph::kOutside);
    std::vector<std::uint32_t> spawner_of(graph_.tasks.size(), graph::kOutside);
    for (std::uint32_t task = 1; task < graph_.tasks.size(); ++task) {
      for (const graph::Step& step : graph_.StepsOf(task)) {
        if (step.kind == StepKind::kWake) {
          waker_of[step.target] = task;
        } else if (step.kind == StepKind::kSpawn) {
          spawner_of[step.target] = task;
        }
      }
    }
    for (std::uint32_t task = 1; task < graph_.tasks.size(); ++task) {
      for (const graph::Step& step : graph_.StepsOf(task)) {
        if (step.kind == StepKind::kWait &&
            static_cast<fibers::WaitKind>(step.detail) == fibers::WaitKind::kJoin &&
            spawner_of[waker_of[step.target]] == task) {
          join_of_[waker_of[step.target]] = step.target;
        }
      }
    }
  }

  std::uint32_t Place() const {
    if (actions_.size() > std::numeric_limits<std::uint32_t>::max() - 4) {
      throw std::runtime_error("the task graph has more steps than a replay can hold: 4 billion");
    }
    return static_cast<std::uint32_t>(actions_.size());
  }

  void Add(Kind kind, std::uint64_t work, std::uint32_t target = 0,
           executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) {
    if (work > Action::kMostWork && kind != Kind::kCompute) {
      Add(Kind::kCompute, std::exchange(work, 0));
    }
    Place();
    actions_.emplace_back(kind, work, target, hint);
  }

  void AddTask(std::uint32_t task, std::vector<std::uint32_t>& actions) {
    std::uint64_t work = 0;
    const auto steps = graph_.StepsOf(task);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const graph::Step& step = steps[i];
      const auto hint = static_cast<executors::SchedulerHint>(step.detail);
      switch (step.kind) {
        case StepKind::kRun:
          work += task == graph::kOutside ? 0 : StepsOfWork(graph_.WorkNs(task, i));
          continue;
        case StepKind::kSpawn:
          Add(graph_.tasks[step.target].is_plain ? Kind::kSubmit : Kind::kSpawn, work, step.target,
              join_of_[step.target] == kNoWait ? executors::SchedulerHint::UpToYou : kJoined);
          actions.push_back(Place() - 1);
          if (join_of_[step.target] != kNoWait) {
            Add(Kind::kWake, 0, join_of_[step.target]);
            actions.push_back(Place() - 1);
          }
          break;
        case StepKind::kWake:
          Add(Kind::kWake, work, step.target, hint);
          actions.push_back(Place() - 1);
          break;
        case StepKind::kWait:
          AddWait(step, work);
          break;
        case StepKind::kYield:
          AddYield(work);
          break;
      }
      work = 0;
    }
    Add(Kind::kEnd, work);
  }

  // Successive yields are one action, whose target is their number.
  void AddYield(std::uint64_t work) {
    Action& last = actions_.back();
    if (work == 0 && last.GetKind() == Kind::kYield) {
      last = Action(Kind::kYield, last.Work(), last.Target() + 1, last.Hint());
    } else {
      Add(Kind::kYield, work, 1);
    }
  }

  void AddWait(const graph::Step& step, std::uint64_t work) {
    if (sleeps_[step.target]) {
      Add(Kind::kSleep, work, static_cast<std::uint32_t>(program_.sleeps_.size()));
      program_.sleeps_.emplace_back(step.ns);
      return;
    }
    Add(Kind::kWait, work);
    baton_of_[step.target] = Place();
    program_.batons_.push_back(Place());
    actions_.emplace_back();
  }

  // Times below the shortest work, or below SpinWork's resolution, accumulate until they are long
  // enough, so that the total is right.
  std::uint64_t StepsOfWork(std::uint64_t ns) {
    due_ns_ += static_cast<double>(ns) * percent_ / 100;
    if (due_ns_ < SpinWork::LeastNs()) {
      return 0;
    }
    const SpinWork work = SpinWork::Lasting(due_ns_);
    due_ns_ -= work.Ns();
    return work.Steps();
  }

  const graph::TaskGraph& graph_;
  const std::uint32_t percent_;
  ReplayProgram& program_;
  double due_ns_ = 0;                    // computations that are not done yet
  std::vector<Action> actions_;          // actions by slot
  std::vector<bool> sleeps_;             // slot of the baton of each wait
  std::vector<std::uint32_t> baton_of_;  // slot of the baton by wait
  std::vector<std::uint32_t> join_of_;   // wait of the spawner for its end, by task; or kNoWait
};

ReplayProgram::ReplayProgram(const graph::TaskGraph& graph, std::uint32_t percent, bool is_open) {
  Compiler(graph, percent, is_open, *this).Compile();
}

void ReplayProgram::Reset() noexcept {
  for (const std::uint32_t at : begins_) {
    slots_[at].runs = 0;
  }
  for (const std::uint32_t at : batons_) {
    slots_[at].baton.Reset();
  }
}

}  // namespace schedbench::workloads
