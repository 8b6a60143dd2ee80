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

// The actions of a program's tasks and their dependences, without the scheduler; see README.md.

namespace schedbench::graph {

// Number of all that is not a task: timers, the network, threads that are not workers. Its steps
// have recorded times between them.
inline constexpr std::uint32_t kOutside = 0;

enum class StepKind : std::uint8_t {
  kRun,    // computes for `ns`
  kSpawn,  // makes the task `target` ready for the first time
  kWake,   // ends the wait `target`
  kWait,   // suspends until the wait `target` has been ended, perhaps before this step
  kYield,  // lets other tasks run
};
inline constexpr std::size_t kStepKinds = 5;

// Returns "run", "spawn", ...
std::string_view ToText(StepKind kind);

// An action of a task.
struct Step {
  std::uint64_t ns = 0;      // kRun: its length. kWait that kOutside ends: its duration
  std::uint32_t target = 0;  // kSpawn: a task; kWake, kWait: the number of a wait
  std::uint32_t object = 0;  // kWait: number of its object (trace::ObjectNumber()); 0: none
  StepKind kind = StepKind::kRun;
  std::uint8_t detail = 0;  // kSpawn, kWake: an executors::SchedulerHint; kWait: a fibers::WaitKind

  bool operator==(const Step&) const = default;
};

struct Task {
  std::size_t first_step = 0;  // index in TaskGraph::steps
  std::size_t step_count = 0;
  std::uint32_t label = 0;  // index in TaskGraph::labels; 0: none
  bool is_plain = false;    // not a fiber: it neither waits nor yields

  bool operator==(const Task&) const = default;
};

// The part of the recorded lengths that a replay must leave out, in nanoseconds, by what a task did
// before a computation (kRun: it began) and after it (kRun: it ended). Recorded times include costs
// of spawns, wakes and switches, which a replay pays again. It may be negative.
using Overhead = std::array<std::array<std::int32_t, kStepKinds>, kStepKinds>;

// The name of the fact that counts what an import has left out.
inline constexpr std::string_view kLeftOutFact = "left_out";

// The steps of all tasks. Task kOutside always exists; each other one is spawned once, and each
// wait has one kWait and one kWake (Check() in check.hpp). Thread-safe like a std::vector.
struct TaskGraph {
  std::vector<Task> tasks{Task{}};
  std::vector<Step> steps{};  // steps of task 0, then of task 1, ...
  std::vector<std::string> labels{std::string()};
  std::uint32_t waits = 0;  // numbers of waits are 0 to waits - 1
  // Time from the first spawn to the end of the last task; if the program was also measured without
  // recording, the lower quartile of these rounds. 0: unknown.
  std::uint64_t makespan_ns = 0;
  std::uint32_t workers = 0;  // workers of the recorded run; 0: unknown
  // Events for which the recorder had no room; the graph lacks what precedes them.
  std::uint64_t lost_events = 0;
  std::optional<Overhead> overhead{};
  // Origin: "source", "scheduler", "config", "workload", "parameters", "machine", kLeftOutFact, ...
  std::vector<std::pair<std::string, std::string>> facts{};

  std::span<const Step> StepsOf(std::size_t task) const {
    return std::span(steps).subspan(tasks[task].first_step, tasks[task].step_count);
  }

  // Returns a fact; "" if it is unknown.
  std::string_view Fact(std::string_view name) const;

  // Returns how long a replay computes in a kRun step: the recorded length without the overhead.
  // `step`: index in StepsOf(task).
  std::uint64_t WorkNs(std::size_t task, std::size_t step) const;

  // Returns the length of a kRun step without the time of the recorder itself, if it was ours, but
  // with the scheduler's work for the steps around it.
  std::uint64_t RecordedNs(const Step& step) const;

  bool operator==(const TaskGraph&) const = default;
};

// Returns a number for the structure of a graph: its tasks and steps without times, labels and
// objects. Equal structures have equal numbers, and others very probably different ones.
std::uint64_t StructureHash(const TaskGraph& graph);

}  // namespace schedbench::graph
