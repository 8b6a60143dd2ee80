#pragma once

#include "metrics/counter.hpp"

namespace schedbench::metrics {

// The complete list of metrics of a scheduler as a whole, in the order of JSON keys. A metric of a
// mechanism that a scheduler does not have stays 0.
struct PoolMetrics {
  // clang-format off
  Counter<"global_lock_waits", "ops", Aggregation::kSum, "Times that a thread found the lock of "
      "the shared queue taken and waited; 0 where that queue has no lock"> global_lock_waits;
  Counter<"stacks_made", "stacks", Aggregation::kMax,
      "Stacks of fibers created since the scheduler began; they are reused"> stacks_made;
  Counter<"stack_refills", "ops", Aggregation::kSum, "Times that a worker had no idle stack and "
      "took a batch from the scheduler's pool of stacks"> stack_refills;
  Counter<"tasks_outside", "tasks", Aggregation::kSum, "Parts of fibers that ended on a thread "
      "without a worker, after or in a blocking call; not in tasks_run"> tasks_outside;
  Counter<"threads_created", "threads", Aggregation::kSum, "Threads started to run workers, where "
      "workers are handed off (blocking=hand_off)"> threads_created;
  Counter<"threads_most", "threads", Aggregation::kMax, "Most threads at a time that ran workers, "
      "were idle or were in blocking calls, where workers are handed off"> threads_most;
  Counter<"handoffs", "ops", Aggregation::kSum, "Times that a thread in a blocking call left its "
      "worker to other threads, including retakes"> handoffs;
  Counter<"retakes", "ops", Aggregation::kSum, "Times that the monitor took over the worker of a "
      "short blocking call because the call took longer than syscall_retake_us"> retakes;
  Counter<"returns_to_own", "ops", Aggregation::kSum, "Blocking calls after which the fiber "
      "continued at once on the worker that its thread had left"> returns_to_own;
  Counter<"returns_to_idle", "ops", Aggregation::kSum, "Blocking calls after which the fiber "
      "continued at once on another idle worker"> returns_to_idle;
  Counter<"returns_to_queue", "ops", Aggregation::kSum, "Blocking calls after which the fiber "
      "waited in the global queue because no worker was idle"> returns_to_queue;
  Counter<"blocking_waits", "ops", Aggregation::kSum,
      "Blocking calls that waited because max_threads threads were in use"> blocking_waits;
  Counter<"slots_emptied", "tasks", Aggregation::kSum, "Tasks that the monitor moved from the LIFO "
      "slot of a busy worker to the global queue"> slots_emptied;
  Counter<"longest_run", "ns", Aggregation::kMax, "Longest time that the monitor saw a task run "
      "without a switch, since the scheduler began"> longest_run;
  Counter<"net_polls", "ops", Aggregation::kSum, "Times that threads of the scheduler polled the "
      "network, with or without success (not with netpoll=thread)"> net_polls;
  Counter<"net_ready", "tasks", Aggregation::kSum, "Fibers that these polls found ready"> net_ready;
  Counter<"net_batches", "ops", Aggregation::kSum, "Batches of calls on sockets that io_uring has "
      "made (netpoll=uring or auto)"> net_batches;
  Counter<"net_batched", "ops", Aggregation::kSum,
      "Reads and writes of sockets in these batches"> net_batched;
  Counter<"files_in_ring", "ops", Aggregation::kMax,
      "Operations on files that io_uring has run for the process since the scheduler began "
      "(netpoll=uring or auto); 0: threads run all"> files_in_ring;
  Counter<"sysmon_cpu", "ns", Aggregation::kSum, "CPU time of the monitor"> sysmon_cpu;
  // clang-format on
};

}  // namespace schedbench::metrics
