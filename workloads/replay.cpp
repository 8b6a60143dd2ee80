#include "base/atomic.hpp"
#include "config/schema_of.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "graph/graph_file.hpp"
#include "graph/task_graph.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/example_graph.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/spin_work.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// When what came from outside the tasks happens again.
enum class ReplayLoop : std::uint8_t { kClosed, kOpen };

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::ReplayLoop> {
  static constexpr std::array<std::string_view, 2> value{"closed", "open"};
};

namespace schedbench::workloads {

namespace {

struct ReplayParameters {
  // clang-format off
  config::Field<"graph", config::FileName{}, config::AnyOf{}, "File of a recorded task graph; empty: a built-in example"> graph;
  config::Field<"loop", ReplayLoop::kClosed, config::AnyOf{}, "Spawns and wakes from outside: closed (spawns at once, and a wait for outside takes as long as it did) or open (at the recorded times)"> loop;
  config::Field<"work_percent", std::uint32_t{100}, config::Range{0U, 100000U}, "Length of all computations, of the recorded one; 0: only the scheduler works"> work_percent;
  config::Field<"fibers", std::uint32_t{2000}, config::Range{1U, 1000000U}, "Fibers of the built-in example"> fibers;
  // clang-format on

  static void Check(const ReplayParameters& parameters, config::Problems& problems) {
    if (!std::string_view(parameters.graph.value).empty()) {
      problems.AddUnused("fibers", "only the built-in example has this number of fibers");
    }
  }
};

constexpr std::array kReplayMetrics{
    registry::Metric{"makespan", "ns", registry::Better::kLower,
                     "Time from the first spawn until the thread that waits for all tasks continues"},
    registry::Metric{"makespan_to_recorded", "share", registry::Better::kLower,
                     "That time by the makespan of the program, which the graph has; 0 if it is not known"},
};

// Does again what a graph says. One operation is one task.
//
// Each wait is an event, which the recorded waker fires: a fiber continues when the recorded one could, however the scheduler
// orders them. A computation is SpinWork of the recorded length.
//
// All that a task needs lies together, because the order in which a scheduler runs tasks is not that of the graph: a replay that
// looks into several tables spends most of its time on cache misses (measured: skynet took 2.2 times as long).
class Replay final : public registry::IWorkload {
 public:
  // Throws graph::FormatError.
  explicit Replay(const ReplayParameters& parameters)
      : is_open_(parameters.loop.value == ReplayLoop::kOpen),
        work_percent_(parameters.work_percent),
        graph_(std::string_view(parameters.graph.value).empty()
                   ? ExampleGraph(parameters.fibers)
                   : graph::ReadGraph(std::string(std::string_view(parameters.graph.value)))) {
    Compile();
  }

  void Prepare() override {
    for (Action& action : actions_) {
      action.event.Reset();
      action.work = action.kind == ActionKind::kBegin ? 0 : action.work;
    }
    left_.Store(graph_.tasks.size(), memory_order_relaxed);  // relaxed: no fiber runs
    done_.Reset();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    scheduler_ = &scheduler;
    begin_ns_ = platform::NowNs();
    DoOutside();
    Ended();
    done_.Wait();
    end_ns_ = platform::NowNs();
    return graph_.tasks.size() - 1;
  }

  std::string Verify() override {
    for (std::size_t task = 1; task < begins_.size(); ++task) {
      if (const std::uint32_t runs = actions_[begins_[task]].work; runs != 1) {
        return fmt::format("task {} of the graph was done {} times", task, runs);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    const auto makespan = static_cast<double>(end_ns_ - begin_ns_);
    return {makespan, graph_.makespan_ns == 0
                          ? 0.0
                          : makespan / static_cast<double>(graph_.makespan_ns)};
  }

 private:
  enum class ActionKind : std::uint8_t { kBegin, kCompute, kSpawn, kWake, kWait, kSleep, kYield };

  // A step of a task, and the computation before it.
  struct Action {
    fibers::Event event{};      // kWait: the one that it waits for
    std::uint32_t target = 0;   // kBegin: how many follow; kSpawn: the task's kBegin; kWake: the kWait
    std::uint32_t work = 0;     // steps of SpinWork before it. kBegin: how often it ran, written by the task
    std::uint32_t sleep = 0;    // kSleep: place in sleeps_
    ActionKind kind = ActionKind::kCompute;
    std::uint8_t detail = 0;  // kWake: the hint
    bool is_plain = false;    // kSpawn: the task is no fiber
  };

  // Makes the actions of all tasks, one task after the other.
  void Compile() {
    const std::vector<bool> is_outside = EndedOutside();
    std::size_t count = 0;
    for (std::size_t task = 0; task < graph_.tasks.size(); ++task) {
      count += ActionsOf(task, is_outside, nullptr);
    }
    actions_ = std::vector<Action>(count);
    std::vector<std::uint32_t> wait_at(graph_.waits, 0);
    Action* next = actions_.data();
    for (std::size_t task = 0; task < graph_.tasks.size(); ++task) {
      begins_.push_back(static_cast<std::uint32_t>(next - actions_.data()));
      const std::size_t of_task = ActionsOf(task, is_outside, next);
      for (std::size_t i = 0; i < of_task; ++i) {
        if (next[i].kind == ActionKind::kWait || next[i].kind == ActionKind::kSleep) {
          wait_at[next[i].target] = begins_.back() + static_cast<std::uint32_t>(i);
        }
      }
      next += of_task;
    }
    for (Action& action : actions_) {
      if (action.kind == ActionKind::kSpawn) {
        action.target = begins_[action.target];
      } else if (action.kind == ActionKind::kWake) {
        action.target = wait_at[action.target];
      }
    }
  }

  // By wait: whether it takes as long as it did.
  std::vector<bool> EndedOutside() const {
    std::vector<bool> is_outside(graph_.waits, false);
    for (const graph::Step& step : graph_.StepsOf(graph::kOutside)) {
      if (step.kind == graph::StepKind::kWake) {
        is_outside[step.target] = !is_open_;
      }
    }
    return is_outside;
  }

  // Writes the actions of a task to `to`, if it is not null, with the numbers of the graph. Returns how many there are.
  std::size_t ActionsOf(std::size_t task, const std::vector<bool>& is_outside, Action* to) {
    std::size_t count = 0;
    const auto add = [&](ActionKind kind, const graph::Step& step, std::uint32_t work) {
      if (to != nullptr) {
        to[count].kind = kind;
        to[count].target = step.target;
        to[count].detail = step.detail;
        to[count].work = work;
        if (kind == ActionKind::kSpawn) {
          to[count].is_plain = graph_.tasks[step.target].is_plain;
        } else if (kind == ActionKind::kSleep) {
          to[count].sleep = static_cast<std::uint32_t>(sleeps_.size());
          sleeps_.emplace_back(step.ns);
        }
      }
      ++count;
    };
    add(ActionKind::kBegin, {}, 0);
    std::uint64_t work = 0;
    const auto steps = graph_.StepsOf(task);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind == graph::StepKind::kRun) {
        work += StepsOfWork(task, i);
        for (; work > std::numeric_limits<std::uint32_t>::max() || (work > 0 && i + 1 == steps.size());
             work -= std::min<std::uint64_t>(work, std::numeric_limits<std::uint32_t>::max())) {
          add(ActionKind::kCompute, {},
              static_cast<std::uint32_t>(
                  std::min<std::uint64_t>(work, std::numeric_limits<std::uint32_t>::max())));
        }
        continue;
      }
      add(KindOf(steps[i], is_outside), steps[i], static_cast<std::uint32_t>(std::exchange(work, 0)));
    }
    if (to != nullptr) {
      to->target = static_cast<std::uint32_t>(count - 1);
    }
    return count;
  }

  std::uint64_t StepsOfWork(std::size_t task, std::size_t step) const {
    if (task == graph::kOutside) {
      return 0;
    }
    const auto ns = static_cast<double>(graph_.WorkNs(task, step));
    return SpinWork(static_cast<std::uint64_t>(ns * work_percent_ / 100)).Steps();
  }

  static ActionKind KindOf(const graph::Step& step, const std::vector<bool>& is_outside) {
    switch (step.kind) {
      case graph::StepKind::kRun:
        return ActionKind::kCompute;
      case graph::StepKind::kSpawn:
        return ActionKind::kSpawn;
      case graph::StepKind::kWake:
        return ActionKind::kWake;
      case graph::StepKind::kWait:
        return is_outside[step.target] ? ActionKind::kSleep : ActionKind::kWait;
      case graph::StepKind::kYield:
        return ActionKind::kYield;
    }
    return ActionKind::kCompute;
  }

  // By the thread of the round.
  void DoOutside() {
    const PreciseSleep precise;
    std::uint64_t due_ns = begin_ns_;
    const Action* action = &actions_.front();
    for (const graph::Step& step : graph_.StepsOf(graph::kOutside)) {
      if (step.kind == graph::StepKind::kRun) {
        due_ns += step.ns;
        continue;
      }
      ++action;
      if (is_open_ && due_ns > platform::NowNs()) {
        platform::SleepUntilNs(due_ns);
      }
      if (action->kind == ActionKind::kSpawn) {
        Start(*action);
      } else if (is_open_) {
        actions_[action->target].event.Fire();
      }
    }
  }

  void Start(const Action& spawn) {
    Action* const begin = &actions_[spawn.target];
    if (spawn.is_plain) {
      executors::Submit(*scheduler_, [this, begin] {
        Task(*begin);
      });
    } else {
      fibers::Go(*scheduler_, [this, begin] {
        Task(*begin);
      });
    }
  }

  void Task(Action& begin) {
    ++begin.work;
    Action* const last = &begin + begin.target;
    for (Action* action = &begin; action != last;) {
      ++action;
      SpinWork::OfSteps(action->work).Do();
      switch (action->kind) {
        case ActionKind::kBegin:
        case ActionKind::kCompute:
          break;
        case ActionKind::kSpawn:
          Start(*action);
          break;
        case ActionKind::kWake:
          actions_[action->target].event.Fire(static_cast<executors::SchedulerHint>(action->detail));
          break;
        case ActionKind::kWait:
          action->event.Wait();
          break;
        case ActionKind::kSleep:
          fibers::SleepFor(sleeps_[action->sleep]);
          break;
        case ActionKind::kYield:
          fibers::Yield();
          break;
      }
    }
    Ended();
  }

  void Ended() {
    // acq_rel: pairs with itself in the other tasks: the last one has seen all of them end.
    if (left_.FetchSub(1, memory_order_acq_rel) == 1) {
      done_.Fire();
    }
  }

  const bool is_open_;
  const std::uint32_t work_percent_;
  const graph::TaskGraph graph_;
  std::vector<Action> actions_;         // of each task a kBegin, then its steps
  std::vector<std::uint32_t> begins_;   // by task: its place in actions_
  std::vector<std::chrono::nanoseconds> sleeps_;
  registry::IScheduler* scheduler_ = nullptr;  // of the round
  Atomic<std::uint64_t> left_{0};              // tasks that have not ended; kOutside is one
  std::uint64_t begin_ns_ = 0;                 // of the round
  std::uint64_t end_ns_ = 0;                   // likewise
  fibers::Event done_;
};

constexpr std::array kReplayPresets{registry::Preset{"smoke", "fibers=500"},
                                    registry::Preset{"small", ""},
                                    registry::Preset{"full", "fibers=100000"}};

const registry::WorkloadRegistration kReplay{{
    .name = "replay",
    .doc = "a recorded task graph: its spawns, waits, wakes and computations",
    .operation = "task",
    .schema = &config::SchemaOf<ReplayParameters>,
    .make = &registry::MakeWorkload<Replay, ReplayParameters>,
    .metrics = kReplayMetrics,
    .presets = kReplayPresets,
}};

}  // namespace

}  // namespace schedbench::workloads
