#pragma once

#include "config/problems.hpp"
#include "schedulers/pool/fields.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/queues/make_global_queue.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers::fast {

// Whether other workers may take the task in a worker's LIFO slot.
enum class LifoSteal : std::uint8_t {
  kNever,      // it waits for its worker, however long the running task takes
  kDelayed,    // an idle worker takes it when it has waited for a while
  kSearching,  // a searching worker that finds no other task takes it; no worker is woken for it
  kWake,       // as kSearching, and a worker is woken for it as for any task
};

constexpr std::array<std::string_view, 4> NamesOf(LifoSteal) {
  return {"never", "delayed", "searching", "wake"};
}

// The target of a fiber that a task of the pool resumes without a hint.
enum class Resume : std::uint8_t { kSlot, kQueue };

constexpr std::array<std::string_view, 2> NamesOf(Resume) {
  return {"slot", "queue"};
}

// The treatment of the worker of a fiber that is in a blocking call.
enum class Blocking : std::uint8_t { kKeep, kHandOff };

constexpr std::array<std::string_view, 2> NamesOf(Blocking) {
  return {"keep", "hand_off"};
}

// The threads that find out whose sockets are ready.
enum class Netpoll : std::uint8_t { kThread, kEpoll, kUring, kAuto };

constexpr std::array<std::string_view, 4> NamesOf(Netpoll) {
  return {"thread", "epoll", "uring", "auto"};
}

// Whether a fiber yields whose time slice is over.
enum class Preempt : std::uint8_t { kOff, kCoop, kSignal };

constexpr std::array<std::string_view, 3> NamesOf(Preempt) {
  return {"off", "coop", "signal"};
}

// The free parameters of the scheduler. A worker copies them at its construction.
struct FastConfig {
  // clang-format off
  template <FixedString Name, auto Default, auto Limit, FixedString Doc>
  using Field = config::Field<Name, Default, Limit, Doc>;

  fields::Workers workers;
  fields::LocalQueueCapacity local_queue_capacity;
  Field<"global_queue", GlobalQueueKind::kAuto, config::AnyOf{.count = 4},
      "Global queue: mutex (a list under a lock), lock_free (two stacks, one consumer at a time), "
      "auto (mutex for one worker, otherwise lock_free) or moodycamel "
      "(moodycamel::ConcurrentQueue)"> global_queue;
  fields::GlobalGrabField global_grab;
  fields::LifoLimit lifo_limit;
  Field<"lifo_steal", LifoSteal::kDelayed, config::AnyOf{},
      "Whether other workers may steal from a LIFO slot: never, delayed (an idle worker, when the "
      "task has waited for 100 microseconds to 2 milliseconds), searching (a searching worker that "
      "finds nothing else) or wake (as searching, and a parked worker is woken for it)"> lifo_steal;
  Field<"resume", Resume::kSlot, config::AnyOf{},
      "Where a fiber goes that a task of the pool resumes without a hint: slot (the LIFO slot, as "
      "with the hint next) or queue (the tail of the local queue)"> resume;
  fields::GlobalPollPeriod global_poll_period;
  fields::StealBatch steal_batch;
  fields::VictimField victim;
  fields::MaxSearching max_searching;
  Field<"search_pause_us", 50U, config::Range{0U, 10000U},
      "Microseconds before a worker without a task searches, if its last tasks took less than 0.15 "
      "microseconds each; an external submission ends the pause"> search_pause_us;
  Field<"yield_queue_capacity", 4096U, config::PowerOfTwo{1U, 65536U}, "Capacity of a worker's "
      "yield queue, whose tasks wait behind those of the global queue; when it is full, the newer "
      "half moves to the global queue; 1 = yielding tasks go there at once"> yield_queue_capacity;
  Field<"wait_idle", QuiescenceCriterion::kTasks, config::AnyOf{.count = 2},
      "What WaitIdle waits for: tasks, or fibers (also suspended ones)"> wait_idle;
  Field<"blocking", Blocking::kKeep, config::AnyOf{},
      "Worker of a fiber in a blocking call (fibers::Blocking, fibers::Syscall): keep (it waits "
      "for the call) or hand_off (another thread runs it)"> blocking;
  Field<"syscall_retake_us", 20U, config::Range{0U, 1000000U},
      "Microseconds after which the monitor hands off the worker of a short blocking call "
      "(fibers::Syscall) if tasks wait; 0 = never (20 in Go)"> syscall_retake_us;
  Field<"max_threads", 10000U, config::Range{2U, 1000000U},
      "Most threads that run workers or are in blocking calls, at least one more than workers; "
      "further blocking calls wait (10000 in Go)"> max_threads;
  Field<"idle_thread_s", 10U, config::Range{1U, 86400U}, "Seconds after which a thread ends that "
      "runs no worker (10 in Tokio's blocking pool)"> idle_thread_s;
  Field<"netpoll", Netpoll::kThread, config::AnyOf{},
      "Which threads wait for sockets and pipes (fibers/net): thread (one of the process), epoll "
      "(a parked worker's; others look before they park), uring (as epoll, and io_uring makes "
      "reads and writes of sockets in batches and runs operations on files; epoll where the kernel "
      "refuses it) or auto (as uring, without a warning)"> netpoll;
  Field<"preempt", Preempt::kOff, config::AnyOf{}, "Whether a fiber yields whose time slice is "
      "over: off, coop (at its next preemption point: fibers::PreemptPoint, Go, Spawn) or signal "
      "(also in the middle of a SCHEDBENCH_PREEMPTIBLE function; x86-64)"> preempt;
  Field<"time_slice_ms", 10U, config::Range{1U, 60000U},
      "Milliseconds after which a running fiber is to yield (10 in Go)"> time_slice_ms;
  fields::Stacks stacks;
  // clang-format on

  static void Check(const FastConfig& config, config::Problems& problems) {
    if (config.lifo_limit == 0U) {
      problems.AddUnused("lifo_steal",
                         "there is no LIFO slot; this field needs a lifo_limit of at least 1");
    }
    if (config.blocking == Blocking::kKeep) {
      for (const char* const field : {"syscall_retake_us", "max_threads"}) {
        problems.AddUnused(field, "workers keep their threads; this field needs blocking=hand_off");
      }
    }
    if (config.blocking == Blocking::kKeep && config.preempt == Preempt::kOff &&
        config.netpoll == Netpoll::kThread) {
      problems.AddUnused("idle_thread_s",
                         "no thread becomes idle; this field needs blocking=hand_off, another "
                         "netpoll than thread, "
                         "or preempt=coop or signal");
    }
    if (config.preempt == Preempt::kOff) {
      problems.AddUnused("time_slice_ms",
                         "no fiber is preempted; this field needs preempt=coop or signal");
    }
  }
};

}  // namespace schedbench::schedulers::fast
