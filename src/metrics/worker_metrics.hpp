#pragma once

#include "metrics/counter.hpp"
#include "metrics/stopwatch.hpp"

namespace schedbench::metrics {

// The complete list of counts of every worker of every scheduler, in the order of columns and JSON
// keys. "tasks" counts tasks and "ops" counts operations, of which one may move many tasks. A
// metric of a mechanism that a scheduler does not have stays 0.
//
// At quiescence, over all workers, tasks_run = tasks_submitted + the external submissions. For each
// worker tasks_run = from_lifo + from_local + from_global + from_stolen + from_self. With hand-off
// of workers (blocking=hand_off), both hold for the pool with tasks_outside added to tasks_run.
struct WorkerMetrics {
  template <FixedString Name, FixedString Unit, FixedString Doc>
  using Sum = Counter<Name, Unit, Aggregation::kSum, Doc>;

  // clang-format off
  Sum<"tasks_run", "tasks", "Tasks run by this worker; a fiber counts each time it runs"> tasks_run;
  Sum<"from_lifo", "tasks", "Tasks run from this worker's LIFO slot"> from_lifo;
  Sum<"from_local", "tasks",
      "Tasks run from this worker's local queue, including those that yielded on it"> from_local;
  Sum<"from_global", "tasks", "Tasks run directly from the global queue"> from_global;
  Sum<"from_stolen", "tasks", "Tasks run directly after a steal from another worker"> from_stolen;
  Sum<"from_self", "tasks",
      "Yields that returned at once because no other task was ready"> from_self;
  Sum<"tasks_submitted", "tasks", "Tasks submitted by tasks of this worker"> tasks_submitted;
  Sum<"spawned", "tasks", "New tasks and fibers that tasks of this worker submitted; resumed "
      "fibers do not count"> spawned;
  Sum<"ended", "tasks",
      "Tasks and fibers that ended on this worker; suspended fibers do not count"> ended;
  Sum<"migrations", "tasks",
      "Times that a fiber continued on this worker after it ran on another thread"> migrations;
  Sum<"submits_next", "tasks",
      "Tasks submitted by tasks of this worker with the hint Next"> submits_next;
  Sum<"submits_yield", "tasks",
      "Tasks submitted by tasks of this worker with the hint Yield"> submits_yield;
  Sum<"lifo_displaced", "tasks",
      "Tasks that a newer task moved from the LIFO slot to the local queue"> lifo_displaced;
  Sum<"lifo_capped", "tasks",
      "Tasks that lifo_limit moved from the LIFO slot to the local queue"> lifo_capped;
  Sum<"lifo_bypassed", "tasks", "Resumed fibers that went to the local queue, because tasks waited "
      "in the LIFO slot while another worker was idle"> lifo_bypassed;
  Sum<"lifo_stolen", "tasks",
      "Tasks that this worker stole from the LIFO slots of others"> lifo_stolen;
  Sum<"offloads", "ops", "Times that tasks moved to the global queue because the local queue was "
      "full or this worker was deactivated"> offloads;
  Sum<"tasks_offloaded", "tasks", "Tasks moved to the global queue by offloads"> tasks_offloaded;
  Sum<"global_polls", "ops", "Picks that began with the global queue or a yielded task because of "
      "global_poll_period"> global_polls;
  Sum<"global_poll_hits", "ops",
      "Picks counted by global_polls that found a task there"> global_poll_hits;
  Sum<"global_grabs", "ops", "Batches taken from the global queue"> global_grabs;
  Sum<"tasks_grabbed", "tasks",
      "Tasks taken from the global queue, including the one that ran at once"> tasks_grabbed;
  Sum<"searches", "ops", "Times that this worker began to search for tasks to steal"> searches;
  Sum<"searches_denied", "ops",
      "Times that max_searching kept this worker from searching"> searches_denied;
  Sum<"searches_found", "ops", "Searches that found a task, including those that began with a "
      "wake-up or a cancelled park"> searches_found;
  Sum<"steal_attempts", "ops",
      "Visits to the queues and LIFO slots of other workers, successful or not"> steal_attempts;
  Sum<"steals", "ops", "Visits counted by steal_attempts that took at least one task"> steals;
  Sum<"tasks_stolen", "tasks",
      "Tasks taken from other workers, including the one that ran at once"> tasks_stolen;
  Sum<"tasks_stolen_from", "tasks",
      "Tasks that other workers stole from this worker"> tasks_stolen_from;
  Sum<"notify_skipped_searching", "ops", "Times that this worker had tasks for others and woke "
      "none, although one was parked, because one was searching"> notify_skipped_searching;
  Sum<"notify_skipped_no_idle", "ops", "Times that this worker had tasks for others and woke none "
      "because none was parked"> notify_skipped_no_idle;
  Sum<"wakes_sent", "ops", "Parked workers that this worker woke up"> wakes_sent;
  Sum<"parks", "ops", "Times that this worker parked because it had no work"> parks;
  Sum<"parks_cancelled", "ops", "Times that the recheck before parking found work"> parks_cancelled;
  Sum<"noop_wakes", "ops",
      "Times that this worker was woken up, found no task and parked again"> noop_wakes;
  Sum<"coop_preemptions", "ops", "Fibers that yielded at a preemption point because their time "
      "slice was over (preempt=coop or signal)"> coop_preemptions;
  Sum<"signal_preemptions", "ops", "Fibers that a signal interrupted because their time slice was "
      "over (preempt=signal)"> signal_preemptions;
  Sum<"blocking_calls", "ops", "Blocking calls of fibers of this worker that let other threads "
      "take over the worker"> blocking_calls;
  Sum<"timers_run", "ops", "Deadlines that passed and whose fibers this worker resumed: of fibers "
      "that slept last on it"> timers_run;
  Sum<"timers_stolen", "ops", "Likewise, of fibers that slept last on other workers, which were "
      "busy with a task or about to look"> timers_stolen;
  Sum<"threads_started", "threads", "Threads started because a task had no thread"> threads_started;
  Counter<"threads_peak", "threads", Aggregation::kMax, "Most threads at a time, where threads "
      "start and end; includes those that are about to end"> threads_peak;
  Stopwatch<"search_ns", "Time without a task and not parked: the search for one, and parking and "
      "unparking"> search_ns;
  Stopwatch<"park_ns", "Time parked"> park_ns;
  // The harness reads it from the kernel, between rounds; workers do not count it.
  Sum<"preempted_ns", "ns", "Time ready without a CPU, which other threads had; part of the times "
      "above and of the time with a task"> preempted_ns;
  // clang-format on
};

}  // namespace schedbench::metrics
