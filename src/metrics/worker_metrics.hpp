#pragma once

#include "metrics/counter.hpp"
#include "metrics/stopwatch.hpp"

namespace schedbench::metrics {

// What every worker of every scheduler counts: the one list. Its order is the order of columns and of JSON
// keys. "tasks" counts tasks and "ops" counts operations, of which one may move many tasks. A metric that a
// scheduler has no mechanism for stays 0.
//
// At quiescence tasks_run = from_lifo + from_local + from_global + from_stolen + from_self, and over all workers
// tasks_run = tasks_submitted + the external submissions.
struct WorkerMetrics {
  template <FixedString Name, FixedString Unit, FixedString Doc>
  using Sum = Counter<Name, Unit, Aggregation::kSum, Doc>;

  // clang-format off
  Sum<"tasks_run", "tasks", "Tasks run by this worker; a fiber counts each time it is resumed"> tasks_run;
  Sum<"from_lifo", "tasks", "Tasks run straight from this worker's LIFO slot"> from_lifo;
  Sum<"from_local", "tasks", "Tasks run from this worker's local queue, those that yielded here included"> from_local;
  Sum<"from_global", "tasks", "Tasks run straight from the global queue"> from_global;
  Sum<"from_stolen", "tasks", "Tasks run straight from another worker's queue, by a steal"> from_stolen;
  Sum<"from_self", "tasks", "Yields that returned at once, because nothing else was ready"> from_self;
  Sum<"tasks_submitted", "tasks", "Tasks submitted by tasks of this worker"> tasks_submitted;
  Sum<"spawned", "tasks", "Tasks and fibers submitted for the first time by tasks of this worker, not parts of resumed fibers"> spawned;
  Sum<"ended", "tasks", "Tasks and fibers that ended on this worker, not parts of fibers that suspended"> ended;
  Sum<"migrations", "tasks", "Fibers that continued on this worker after they had run on another thread"> migrations;
  Sum<"submits_next", "tasks", "Tasks submitted by tasks of this worker with the hint Next"> submits_next;
  Sum<"submits_yield", "tasks", "Tasks submitted by tasks of this worker with the hint Yield"> submits_yield;
  Sum<"lifo_displaced", "tasks", "Tasks moved from the LIFO slot to the local queue by a newer one"> lifo_displaced;
  Sum<"lifo_capped", "tasks", "Tasks moved from the LIFO slot to the local queue by lifo_limit"> lifo_capped;
  Sum<"lifo_stolen", "tasks", "Tasks that this worker took from the LIFO slots of others"> lifo_stolen;
  Sum<"offloads", "ops", "Times that tasks went to the global queue because the local one was full, or because this worker was deactivated"> offloads;
  Sum<"tasks_offloaded", "tasks", "Tasks moved to the global queue by that"> tasks_offloaded;
  Sum<"global_polls", "ops", "Picks that began at the global queue, or with a task that yielded, because of global_poll_period"> global_polls;
  Sum<"global_poll_hits", "ops", "Of these those that found a task"> global_poll_hits;
  Sum<"global_grabs", "ops", "Batches taken from the global queue"> global_grabs;
  Sum<"tasks_grabbed", "tasks", "Tasks taken from the global queue, the one that ran at once included"> tasks_grabbed;
  Sum<"searches", "ops", "Times that this worker began to search for work to steal"> searches;
  Sum<"searches_denied", "ops", "Times that max_searching kept this worker from searching"> searches_denied;
  Sum<"searches_found", "ops", "Searches that ended with a task, also those that began with a wake-up or a cancelled park"> searches_found;
  Sum<"steal_attempts", "ops", "Visits to the queues and slots of other workers, with or without a task taken"> steal_attempts;
  Sum<"steals", "ops", "Those visits that took at least one task"> steals;
  Sum<"tasks_stolen", "tasks", "Tasks taken from other workers, the one that ran at once included"> tasks_stolen;
  Sum<"tasks_stolen_from", "tasks", "Tasks that other workers stole from this one"> tasks_stolen_from;
  Sum<"notify_skipped_searching", "ops", "Times that this worker, with tasks for others, woke none because one searched already"> notify_skipped_searching;
  Sum<"notify_skipped_no_idle", "ops", "Times that this worker, with tasks for others, woke none because none was parked"> notify_skipped_no_idle;
  Sum<"wakes_sent", "ops", "Parked workers that this worker woke"> wakes_sent;
  Sum<"parks", "ops", "Times that this worker parked because it had no work"> parks;
  Sum<"parks_cancelled", "ops", "Times that the recheck before parking found work"> parks_cancelled;
  Sum<"noop_wakes", "ops", "Times that this worker was woken, found nothing and parked again"> noop_wakes;
  Sum<"threads_started", "threads", "Threads started because a task had none"> threads_started;
  Counter<"threads_peak", "threads", Aggregation::kMax, "Most threads at a time, where threads come and go; those that are about to end included"> threads_peak;
  Stopwatch<"search_ns", "Time without a task and not parked: the search for one, and the way into and out of a park"> search_ns;
  Stopwatch<"park_ns", "Time parked"> park_ns;
  // clang-format on
};

}  // namespace schedbench::metrics
