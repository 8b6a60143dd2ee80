#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the tasks of a program did and what they depended on, without the scheduler. README.md.

namespace schedbench::graph {

// Number of what is no task: timers, the network, threads that are no workers. Its steps have recorded times between them.
inline constexpr std::uint32_t kOutside = 0;

enum class StepKind : std::uint8_t {
  kRun,    // computes for `ns`
  kSpawn,  // makes the task `target` ready for the first time
  kWake,   // ends the wait `target`
  kWait,   // suspends until the wait `target` has been ended, perhaps before this step
  kYield,  // lets other tasks run
};
inline constexpr std::size_t kStepKinds = 5;

// "run", "spawn", ...
std::string_view ToText(StepKind kind);

// One thing that a task does.
struct Step {
  std::uint64_t ns = 0;      // kRun: its length. kWait that kOutside ends: how long it lasted
  std::uint32_t target = 0;  // kSpawn: a task; kWake, kWait: the number of a wait
  std::uint32_t object = 0;  // kWait: number of what it waited for (trace::ObjectNumber()); 0: none
  StepKind kind = StepKind::kRun;
  std::uint8_t detail = 0;  // kSpawn, kWake: an executors::SchedulerHint; kWait: a fibers::WaitKind

  bool operator==(const Step&) const = default;
};

struct Task {
  std::size_t first_step = 0;  // in TaskGraph::steps
  std::size_t step_count = 0;
  std::uint32_t label = 0;  // in TaskGraph::labels; 0: none
  bool is_plain = false;    // no fiber: it neither waits nor yields

  bool operator==(const Task&) const = default;
};

// How much of the recorded lengths a replay must leave out, in nanoseconds: by what a task did before a computation (kRun: it began)
// and what it did after it (kRun: it ended). The cost of spawns, wakes and switches is a part of the recorded times, and a replay pays
// it again. Negative where the replay takes less.
using Overhead = std::array<std::array<std::int32_t, kStepKinds>, kStepKinds>;

// The name of the fact that counts what an import has left out.
inline constexpr std::string_view kLeftOutFact = "left_out";

// The steps of all tasks. Task kOutside is always there; each other one is spawned once, and each wait has one kWait and one kWake
// (Check() in check.hpp). Copyable; thread-safe as a std::vector is.
struct TaskGraph {
  std::vector<Task> tasks{Task{}};
  std::vector<Step> steps{};  // of task 0, then of task 1, ...
  std::vector<std::string> labels{std::string()};
  std::uint32_t waits = 0;  // numbers of waits are 0 to waits - 1
  // From the first spawn to the end of the last task; of a program that was measured without recording too, the lower quartile of
  // its rounds there. 0: unknown.
  std::uint64_t makespan_ns = 0;
  std::uint32_t workers = 0;  // of the recorded run; 0: unknown
  std::uint64_t lost_events =
      0;  // that the recorder had no room for; the graph lacks what was before them
  std::optional<Overhead> overhead{};
  // Where it comes from: "source", "scheduler", "config", "workload", "parameters", "machine", kLeftOutFact, ...
  std::vector<std::pair<std::string, std::string>> facts{};

  std::span<const Step> StepsOf(std::size_t task) const {
    return std::span(steps).subspan(tasks[task].first_step, tasks[task].step_count);
  }

  // Returns a fact; "" if it is not known.
  std::string_view Fact(std::string_view name) const;

  // Returns for how long a replay computes in a kRun step: the recorded length without the overhead. `step`: in StepsOf(task).
  std::uint64_t WorkNs(std::size_t task, std::size_t step) const;

  // Returns the length of a kRun step without the time that the recorder itself takes, if it was ours. With what the scheduler does for
  // the steps around it.
  std::uint64_t RecordedNs(const Step& step) const;

  bool operator==(const TaskGraph&) const = default;
};

// A number for the structure of a graph: its tasks and their steps without times, labels and objects. Graphs with the same structure
// have the same number, and other graphs very probably another one.
std::uint64_t StructureHash(const TaskGraph& graph);

}  // namespace schedbench::graph
