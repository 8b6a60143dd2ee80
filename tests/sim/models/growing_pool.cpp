// Models of schedulers/threads: threads that are started for tasks, sleep, end, and have
// successors.
#include "schedulers/threads/growing_pool.hpp"

#include "metrics/metric_list.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::growing_pool_model {

namespace {

using schedulers::threads::GrowingPool;

GrowingPool::Options Options(std::uint32_t max_threads, bool reuse,
                             std::chrono::milliseconds keep_alive = std::chrono::milliseconds(1)) {
  return {.name = "",
          .max_threads = max_threads,
          .reuse = reuse,
          .keep_alive = keep_alive,
          .row_per_thread = false};
}

// One after the other, so that a thread which sleeps, or is about to end, meets the next task.
template <std::uint32_t MaxThreads, bool Reuse>
void SubmitTwice() {
  GrowingPool pool(Options(MaxThreads, Reuse), {}, 1);
  Runs<2> runs;
  SubmitWithPayload(pool, [&] { runs.Note(0); });
  SubmitWithPayload(pool, [&] { runs.Note(1); });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a task had run");
  pool.Stop();
}

const ModelRegistration kReuse{{
    .name = "growing_pool/a_thread_is_used_again",
    .claim = "a task reaches a thread that sleeps, falls asleep, or is about to end",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &SubmitTwice<2, true>,
}};

const ModelRegistration kOneThread{{
    .name = "growing_pool/one_thread",
    .claim = "a task in the queue reaches the only thread, whatever it is about to do",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &SubmitTwice<1, true>,
}};

const ModelRegistration kSuccessor{{
    .name = "growing_pool/a_thread_for_each_task",
    .claim = "a thread that ends starts one for the task that waits",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &SubmitTwice<1, false>,
}};

constexpr std::chrono::hours kForever(48);

// Only a submit, or the end, wakes the thread; and another thread reads its counts meanwhile.
const ModelRegistration kWoken{{
    .name = "growing_pool/a_sleeping_thread_is_woken",
    .claim = "a thread that sleeps without a time limit is woken for a task, and for the end",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          GrowingPool pool(Options(1, true, kForever), {}, 1);
          Runs<2> runs;
          for (const std::size_t i : {0U, 1U}) {
            SubmitWithPayload(pool, [&runs, i] { runs.Note(i); });
            pool.WaitIdle();
          }
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

// The list is made when it is asked for first: here, and not in the memory of an execution.
[[maybe_unused]] const std::size_t kMetrics = metrics::WorkerMetricList().size();

const ModelRegistration kRead{{
    .name = "growing_pool/counts_are_read",
    .claim = "a reader of the counts sees threads that are made, or none",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          GrowingPool pool(Options(1, true), {}, 1);
          platform::Thread reader("reader", [&] { pool.ReadWorkers(); });
          SubmitWithPayload(pool, [] {});
          reader.Join();
          pool.Stop();
        },
}};

template <bool Reuse>
void Meet() {
  GrowingPool pool(Options(2, Reuse), {}, 1);
  Meeting<2> meeting;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { meeting.Meet(1); });
    meeting.Meet(0);
  });
  pool.Stop();
}

const ModelRegistration kMeet{{
    .name = "growing_pool/two_tasks_that_wait_for_each_other",
    .claim = "below the limit every task has a thread, also during Stop",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &Meet<true>,
}};

const ModelRegistration kMeetOnce{{
    .name = "growing_pool/two_threads_for_two_tasks",
    .claim = "below the limit every task has a thread, also during Stop",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 1},
    .body = &Meet<false>,
}};

}  // namespace

}  // namespace schedbench::sim::growing_pool_model
