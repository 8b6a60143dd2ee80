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
#include "workloads/parts/replay_program.hpp"
#include "workloads/parts/spin_work.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// When the events from outside the tasks are repeated.
enum class ReplayLoop : std::uint8_t { kClosed, kOpen };

constexpr std::array<std::string_view, 2> NamesOf(ReplayLoop) {
  return {"closed", "open"};
}

namespace {

struct ReplayParameters {
  // clang-format off
  config::Field<"graph", config::FileName{}, config::AnyOf{},
      "File of a recorded task graph; empty: a built-in example"> graph;
  config::Field<"loop", ReplayLoop::kClosed, config::AnyOf{},
      "Spawns and wakes from outside: closed (spawns at once, and a wait for outside takes as long "
      "as it did) or open (at the recorded times)"> loop;
  config::Field<"work_percent", 100U, config::Range{0U, 100000U},
      "Length of all computations, of the recorded one; 0: only the scheduler works"> work_percent;
  config::Field<"fibers", 2000U, config::Range{1U, 1000000U},
      "Fibers of the built-in example"> fibers;
  // clang-format on

  static void Check(const ReplayParameters& parameters, config::Problems& problems) {
    if (!std::string_view(parameters.graph.value).empty()) {
      problems.AddUnused("fibers", "only the built-in example has this number of fibers");
    }
  }
};

constexpr std::array kReplayMetrics{
    registry::Metric{
        "makespan", "ns", registry::Better::kLower,
        "Time from the first spawn until the thread that waits for all tasks continues"},
    registry::Metric{"makespan_to_recorded", "share", registry::Better::kLower,
                     "That time by the makespan of the program, if the graph has it"},
};

// Repeats the actions of a graph. One operation is one task. Each wait is a baton, which the
// recorded waker posts: a fiber continues when the recorded one could, whatever the scheduler's
// order. A wait for the end of a fiber that the task has spawned is a join, which may run the fiber
// inline, as in the program. A computation is SpinWork of the recorded length.
class Replay final : public registry::IWorkload {
 public:
  // Throws graph::FormatError.
  explicit Replay(const ReplayParameters& parameters)
      : is_open_(parameters.loop.value == ReplayLoop::kOpen),
        graph_(std::string_view(parameters.graph.value).empty()
                   ? ExampleGraph(parameters.fibers)
                   : graph::ReadGraph(std::string(std::string_view(parameters.graph.value)))),
        program_(graph_, parameters.work_percent, is_open_) {
  }

  void Prepare() override {
    program_.Reset();
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
    for (std::uint32_t task = 1; task < program_.TaskCount(); ++task) {
      if (const std::uint64_t runs = program_.Begin(task).runs; runs != 1) {
        return fmt::format("task {} of the graph was done {} times", task, runs);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    const auto makespan = static_cast<double>(platform::BetweenNs(begin_ns_, end_ns_));
    return {makespan, graph_.makespan_ns == 0 ? std::numeric_limits<double>::quiet_NaN()
                                              : makespan / static_cast<double>(graph_.makespan_ns)};
  }

 private:
  using Slot = ReplayProgram::Slot;
  using Kind = ReplayProgram::Kind;

  // The thread of the round calls it.
  void DoOutside() {
    const PreciseSleep precise;
    std::uint64_t due_ns = begin_ns_;
    const Slot* slot = &program_.Begin(graph::kOutside);
    for (const graph::Step& step : graph_.StepsOf(graph::kOutside)) {
      if (step.kind == graph::StepKind::kRun) {
        due_ns += step.ns;
        continue;
      }
      const ReplayProgram::Action action = (++slot)->action;
      if (is_open_ && due_ns > platform::NowNs()) {
        platform::SleepUntilNs(due_ns);
      }
      if (action.GetKind() != Kind::kWake) {
        Start(action);
      } else if (is_open_) {
        program_.At(action.Target()).baton.Post(action.Hint());
      }
    }
  }

  // `joins`: the baton on which the caller will wait for the end of the fiber, or null.
  void Start(const ReplayProgram::Action& action, Baton* joins = nullptr) {
    Slot* const begin = &program_.At(action.Target());
    const auto run = [this, begin] { Task(begin); };
    if (action.GetKind() == Kind::kSubmit) {
      executors::Submit(*scheduler_, run);
      return;
    }
    fibers::Fiber* const fiber = fibers::NewFiber(*scheduler_, run);
    if (joins != nullptr) {
      joins->WillJoin(*fiber);
    }
    scheduler_->Submit(fiber, executors::SchedulerHint::UpToYou);
  }

  void Task(Slot* slot) {
    ++slot->runs;
    for (;;) {
      const ReplayProgram::Action action = (++slot)->action;
      SpinWork::OfSteps(action.Work()).Do();
      switch (action.GetKind()) {
        case Kind::kCompute:
          break;
        case Kind::kSpawn:
          Start(action, action.Hint() == ReplayProgram::kJoined
                            ? &program_.At((++slot)->action.Target()).baton
                            : nullptr);
          break;
        case Kind::kSubmit:
          Start(action);
          break;
        case Kind::kWake:
          program_.At(action.Target()).baton.Post(action.Hint());
          break;
        case Kind::kWait:
          (++slot)->baton.Wait();
          break;
        case Kind::kSleep:
          fibers::SleepFor(program_.SleepOf(action));
          break;
        case Kind::kYield:
          for (std::uint32_t left = action.Target(); left > 0; --left) {
            fibers::Yield();
          }
          break;
        case Kind::kEnd:
          Ended();
          return;
      }
    }
  }

  void Ended() {
    // acq_rel: pairs with itself in the other tasks: the last one has seen all of them end.
    if (left_.FetchSub(1, memory_order_acq_rel) == 1) {
      done_.Fire();
    }
  }

  const bool is_open_;
  const graph::TaskGraph graph_;
  ReplayProgram program_;
  registry::IScheduler* scheduler_ = nullptr;  // scheduler of the round
  Atomic<std::uint64_t> left_{0};              // tasks that have not ended; kOutside is one
  std::uint64_t begin_ns_ = 0;                 // start of the round
  std::uint64_t end_ns_ = 0;                   // end of the round
  fibers::Event done_;
};

const registry::RegistrationOf<Replay, ReplayParameters> kReplay{{
    .name = "replay",
    .doc = "a recorded task graph: its spawns, waits, wakes and computations",
    .operation = "task",
    .metrics = kReplayMetrics,
    .presets = {{"smoke", "fibers=500"}, {"small", ""}, {"full", "fibers=100000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
