// Models of forked calls: src/fibers/fork, alone and in the pool of `fast`.
#include "fibers/fork/fork_queue.hpp"

#include "fibers/fork/fork_join.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/sim/models/fast.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <cstddef>
#include <source_location>

namespace schedbench::sim::fork_queue_model {

namespace {

using fibers::ForkedCall;
using fibers::ForkQueue;
using schedulers::fast::ThreadPool;

class Call final : public ForkedCall {
 public:
  Call()
      : ForkedCall([](ForkedCall&) noexcept {}, std::source_location::current()) {
  }

  Cell<bool> is_forked{false};  // written before each push
};

class NoExecutor final : public executors::IExecutor {
 public:
  void Submit(executors::TaskBase* /*task*/, executors::SchedulerHint /*hint*/) noexcept override {
  }
};

class NoScheduler final : public ForkQueue::IScheduler {
 public:
  void OnFirstFork() noexcept override {
  }
  void OnForkWhileIdle() noexcept override {
  }
};

// Calls that an owner forks in order and joins in reverse, and threads that take the oldest.
template <std::size_t N, std::size_t Capacity = 2>
struct Scene {
  void Push() {
    calls[pushed].is_forked.Write(true);
    Check(queue.TryPush(calls[pushed]), "a queue with room refuses a call");
    ++pushed;
  }

  bool TryPushAll(std::size_t count) {
    const bool is_pushed = queue.TryPushAll(count, [this](std::uint64_t i) {
      calls[pushed + i].is_forked.Write(true);
      return &calls[pushed + i];
    });
    pushed += is_pushed ? count : 0;
    return is_pushed;
  }

  // The owner joins its newest call.
  void Join() {
    --pushed;
    if (queue.TryPop()) {
      Take(&calls[pushed]);
    }
  }

  // The owner's fiber suspends with `forked` calls, as in a worker.
  void Suspend(std::size_t forked) {
    if (queue.HasCalls()) {
      while (ForkedCall* const call = queue.TakeOldest()) {
        Take(call);
        --forked;
      }
    }
    if (forked != 0) {
      Check(announcements.Read() == 1, "a call is missing that no thief has announced");
    }
  }

  // For one thief that steals once.
  void StealAndAnnounce() {
    Steal([this] { announcements.Write(1); });
  }

  void Steal() {
    Steal([] {});
  }

  template <typename Announce>
  void Steal(Announce announce) {
    bool announced = false;
    if (ForkedCall* const call = queue.TrySteal(announce, announced)) {
      Take(call);
    }
  }

  void Take(ForkedCall* call) {
    auto& own = static_cast<Call&>(*call);
    Check(own.is_forked.Read(), "a call is taken that was not forked");
    bool& is_taken = taken[static_cast<std::size_t>(&own - calls.data())];
    Check(!is_taken, "a call is made twice");
    is_taken = true;
  }

  void CheckAllTaken() const {
    for (const bool is_taken : taken) {
      Check(is_taken, "a call is lost");
    }
    Check(queue.IsEmpty(), "an empty queue does not say so");
  }

  NoScheduler scheduler;
  Atomic<std::uint64_t> idle{0};
  std::array<Call, N> calls;
  std::array<bool, N> taken{};
  Cell<int> announcements;
  NoExecutor executor;
  ForkQueue queue{executor, scheduler, {.word = &idle, .mask = 0}, Capacity};
  std::size_t pushed = 0;
};

const ModelRegistration kOneThief{{
    .name = "fork_queue/one_thief",
    .claim = "each forked call is made once, by its parent or by a thief",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<2> scene;
          platform::Thread thief("thief", [&] {
            scene.Steal();
            scene.Steal();
          });
          scene.Push();
          scene.Push();
          scene.Join();
          scene.Join();
          thief.Join();
          scene.CheckAllTaken();
        },
}};

// The owner pushes its last call while a thief waits for an answer, and has room without a look at
// the top.
const ModelRegistration kAnswer{{
    .name = "fork_queue/owner_answers_a_thief",
    .claim = "an owner that has answered a thief sees in its next pops what the thief saw before",
    .limits = {.preemptions = 4, .stale_reads = 2},
    .body =
        [] {
          Scene<3, 4> scene;
          platform::Thread thief("thief", [&] {
            scene.Steal();
            scene.Steal();
          });
          scene.Push();
          scene.Push();
          scene.Push();
          scene.Join();
          scene.Join();
          scene.Join();
          thief.Join();
          scene.CheckAllTaken();
        },
}};

// Between the two answers, the owner pops the call that the thief looks at then.
const ModelRegistration kSecondAnswer{{
    .name = "fork_queue/owner_answers_a_thief_twice",
    .claim = "a thief that the owner has answered sees its earlier pops",
    .limits = {.preemptions = 4, .stale_reads = 2},
    .body =
        [] {
          Scene<4, 4> scene;
          scene.Push();
          scene.Push();
          platform::Thread thief("thief", [&] {
            scene.Steal();
            scene.Steal();
          });
          scene.Push();
          scene.Join();
          scene.Join();
          scene.pushed = 3;
          scene.Push();
          scene.Join();
          scene.pushed = 1;
          scene.Join();
          thief.Join();
          scene.CheckAllTaken();
        },
}};

const ModelRegistration kTwoThieves{{
    .name = "fork_queue/two_thieves",
    .claim = "two thieves and the parent share the calls without loss",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Scene<2> scene;
          platform::Thread first("first", [&] { scene.Steal(); });
          platform::Thread second("second", [&] { scene.Steal(); });
          scene.Push();
          scene.Push();
          scene.Join();
          scene.Join();
          first.Join();
          second.Join();
          scene.CheckAllTaken();
        },
}};

const ModelRegistration kTogether{{
    .name = "fork_queue/pushed_together",
    .claim =
        "each of several calls that are pushed at once is made once, and none is pushed without "
        "room for all",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<3> scene;
          platform::Thread thief("thief", [&] {
            scene.Steal();
            scene.Steal();
          });
          scene.Push();
          scene.Join();
          scene.pushed = 1;
          Check(scene.TryPushAll(2), "a queue with room refuses two calls");
          scene.Join();
          scene.Join();
          thief.Join();
          scene.CheckAllTaken();

          scene.pushed = 0;
          scene.Push();
          Check(!scene.TryPushAll(2), "a queue with room for one call takes two");
          Check(scene.queue.TryPop() && scene.queue.IsEmpty(), "a call that was refused is pushed");
        },
}};

const ModelRegistration kReuse{{
    .name = "fork_queue/slots_are_reused",
    .claim = "a thief that has read a slot does not take what lies in it later",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Scene<4> scene;
          platform::Thread thief("thief", [&] { scene.Steal(); });
          for (std::size_t call = 0; call < 4; ++call) {
            scene.pushed = call;
            scene.Push();
            scene.Join();
          }
          thief.Join();
          scene.CheckAllTaken();
        },
}};

// The thief takes the first call. When it looks for the second, that is joined and the third is
// pushed into its slot.
const ModelRegistration kReuseUnseen{{
    .name = "fork_queue/slot_is_reused_while_a_thief_looks",
    .claim = "a thief that has seen an older call in a slot takes a newer one as it was forked",
    .limits = {.preemptions = 4, .stale_reads = 2},
    .body =
        [] {
          Scene<3> scene;
          scene.Push();
          scene.Push();
          platform::Thread thief("thief", [&] {
            scene.Steal();
            scene.Steal();
          });
          scene.Join();
          scene.pushed = 2;
          scene.Push();
          thief.Join();
          scene.Join();
          scene.pushed = 1;
          scene.Join();
          scene.CheckAllTaken();
        },
}};

const ModelRegistration kSuspension{{
    .name = "fork_queue/suspension",
    .claim = "a fiber that suspends takes out what thieves have not taken, and sees that they have "
             "announced the rest",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Scene<3> scene;
          platform::Thread thief("thief", [&] { scene.StealAndAnnounce(); });
          scene.Push();
          scene.Suspend(1);
          scene.Push();
          scene.Push();
          scene.Suspend(2);
          thief.Join();
          scene.CheckAllTaken();
        },
}};

// ---- In a pool ----

constexpr Limits kOrdered{.preemptions = 3, .stale_reads = 0, .spurious = 0};
constexpr Limits kWeaklyOrdered{.preemptions = 2, .stale_reads = 1, .spurious = 0};

void ForkInPool() {
  ThreadPool pool(SmallConfig(2), 1);
  Runs<3> runs;
  fibers::Go(pool, [&] {
    fibers::ForkJoin([&] { runs.Note(0); }, [&] { runs.Note(1); });
    runs.CheckOnce(0, "a parent does not see what it did itself");
    runs.CheckOnce(1, "a parent does not see what its forked call did");
    runs.Note(2);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a forked call and its parent had run");
  pool.Stop();
}

const ModelRegistration kForkInPool{{
    .name = "fast/fork_join",
    .claim = "a forked call runs once, its parent sees what it did, and WaitIdle waits for both",
    .limits = kOrdered,
    .body = &ForkInPool,
}};

const ModelRegistration kForkInPoolWeak{{
    .name = "fast/fork_join_weakly_ordered",
    .claim = "a forked call runs once, its parent sees what it did, and WaitIdle waits for both",
    .limits = kWeaklyOrdered,
    .body = &ForkInPool,
}};

const ModelRegistration kForkForFibers{{
    .name = "fast/fork_join_wait_for_fibers",
    .claim = "with wait_idle=fibers WaitIdle returns after a thief has missed a forked call",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          auto config = SmallConfig(2);
          config.wait_idle.value = schedulers::QuiescenceCriterion::kFibers;
          ThreadPool pool(config, 1);
          Runs<2> runs;
          fibers::Go(pool, [&] { fibers::ForkJoin([&] { runs.Note(0); }, [&] { runs.Note(1); }); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a forked call and its parent had run");
          pool.Stop();
        },
}};

void MeetInPool() {
  ThreadPool pool(SmallConfig(2), 1);
  Meeting<2> meeting;
  fibers::Go(pool, [&] { fibers::ForkJoin([&] { meeting.Meet(0); }, [&] { meeting.Meet(1); }); });
  pool.WaitIdle();
  pool.Stop();
}

const ModelRegistration kMeeting{{
    .name = "fast/fork_wakes_a_worker",
    .claim = "no worker sleeps while a forked call waits for its parent",
    .limits = kOrdered,
    .body = &MeetInPool,
}};

const ModelRegistration kMeetingWeak{{
    .name = "fast/fork_wakes_a_worker_weakly_ordered",
    .claim = "no worker sleeps while a forked call waits for its parent",
    .limits = kWeaklyOrdered,
    .body = &MeetInPool,
}};

const ModelRegistration kYieldBetween{{
    .name = "fast/fork_yield_join",
    .claim = "a parent that suspends between fork and join finds its call made, on whatever worker",
    .limits = kWeaklyOrdered,
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<2> runs;
          fibers::Go(pool, [&] {
            fibers::ForkJoin(
                [&] {
                  fibers::Yield();
                  runs.Note(0);
                },
                [&] { runs.Note(1); });
          });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before all had run");
          pool.Stop();
        },
}};

const ModelRegistration kTwoFibers{{
    .name = "fast/forks_of_two_fibers",
    .claim = "a fiber that resumes does not make the call of another fiber of its worker, and a "
             "thief neither",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          ThreadPool pool(SmallConfig(2), 1);
          Runs<4> runs;
          for (const std::size_t first : {std::size_t{0}, std::size_t{2}}) {
            fibers::Go(pool, [&runs, first] {
              fibers::ForkJoin(
                  [&] {
                    fibers::Yield();
                    runs.Note(first);
                  },
                  [&] { runs.Note(first + 1); });
            });
          }
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before all had run");
          pool.Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::fork_queue_model
