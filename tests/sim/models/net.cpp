// Models of descriptors: one direction of a descriptor (ReadySlot) between a waiter, the poller, a
// deadline and Close(); the count of operations that keeps the number of a closed descriptor from
// being freed (UseGate); and the turn to poll (PollTurn). The thread that calls NotifyReady()
// stands for the poller; `data` for what the kernel has.
#include "fibers/net/poll_turn.hpp"
#include "fibers/net/ready_slot.hpp"
#include "fibers/net/run_call.hpp"
#include "fibers/net/use_gate.hpp"
#include "fibers/net/wait_turn.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "simulation/stand_ins/timers.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::net_model {

namespace {

using fibers::Deadline;
using fibers::Go;
using fibers::PollTurn;
using fibers::ReadySlot;
using fibers::RunCall;
using fibers::UseGate;
using fibers::WaitGroup;
using fibers::WaitTurn;
using Outcome = ReadySlot::Outcome;

constexpr std::chrono::nanoseconds kSoon(3);

void Resume(fibers::FiberHandle fiber) {
  if (fiber.IsValid()) {
    fiber.Schedule();
  }
}

struct Kernel {
  // Data arrive, and the poller reports it.
  void Arrive() {
    // relaxed: as in Has().
    data.FetchAdd(1, memory_order_relaxed);
    Resume(slot.NotifyReady());
  }

  // As an operation does: tries first, and waits where there is nothing. Returns the outcome that
  // ended it, or kReady.
  Outcome Await(std::uint32_t count, Deadline deadline) {
    while (!Has(count)) {
      const Outcome outcome = slot.Wait(deadline, {});
      if (outcome != Outcome::kReady) {
        return outcome;
      }
    }
    return Outcome::kReady;
  }

  // The system call.
  bool Has(std::uint32_t count) {
    // relaxed: an event orders the call that follows it.
    return data.Load(memory_order_relaxed) >= count;
  }

  ReadySlot slot;
  Atomic<std::uint32_t> data{0};
};

const ModelRegistration kEvents{{
    .name = "net/events_while_it_waits",
    .claim = "a fiber that tries, waits and tries again gets all that arrives",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Kernel kernel;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            for (std::uint32_t count = 1; count <= 2; ++count) {
              Check(kernel.Await(count, Deadline::Never()) == Outcome::kReady, "no event");
            }
            done.Done();
          });
          kernel.Arrive();
          kernel.Arrive();
          done.Wait();
        },
}};

const ModelRegistration kDeadline{{
    .name = "net/event_at_the_deadline",
    .claim = "an event or the deadline resumes the fiber, once, and no event is lost",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Kernel kernel;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(
              2);  // so that the timer resumes the fiber while its first worker is still leaving it
          Go(pool, [&] {
            const Outcome outcome = kernel.Await(1, Deadline::In(kSoon));
            Check(outcome == Outcome::kReady || outcome == Outcome::kTimeout, "another outcome");
            Check(kernel.Await(1, Deadline::Never()) == Outcome::kReady, "the event is lost");
            done.Done();
          });
          kernel.Arrive();
          done.Wait();
        },
}};

const ModelRegistration kClosed{{
    .name = "net/closed_while_it_waits",
    .claim = "Close ends a wait and all later ones, also beside an event",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Kernel kernel;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            Check(kernel.Await(2, Deadline::Never()) == Outcome::kClosed, "not closed");
            Check(kernel.slot.Wait(Deadline::Never(), {}) == Outcome::kClosed, "open again");
            done.Done();
          });
          platform::Thread poller("", [&] { kernel.Arrive(); });
          Resume(kernel.slot.Close());
          done.Wait();
          poller.Join();
        },
}};

const ModelRegistration kClosedAtDeadline{{
    .name = "net/closed_at_the_deadline",
    .claim = "of an event, Close and the deadline one resumes the fiber, and Close is seen",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Kernel kernel;
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          Go(pool, [&] {
            const Outcome outcome = kernel.Await(2, Deadline::In(kSoon));
            Check(outcome == Outcome::kClosed || outcome == Outcome::kTimeout, "another outcome");
            Check(kernel.Await(2, Deadline::Never()) == Outcome::kClosed, "not closed");
            done.Done();
          });
          kernel.Arrive();
          Resume(kernel.slot.Close());
          done.Wait();
        },
}};

const ModelRegistration kThread{{
    .name = "net/thread_waits",
    .claim = "a thread that waits gets all that arrives, and sees Close",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          Kernel kernel;
          platform::Thread poller("", [&] {
            kernel.Arrive();
            Resume(kernel.slot.Close());
          });
          const Outcome outcome = kernel.Await(1, Deadline::Never());
          Check(outcome == Outcome::kReady || outcome == Outcome::kClosed, "another outcome");
          Check(kernel.Await(2, Deadline::Never()) == Outcome::kClosed, "not closed");
          poller.Join();
        },
}};

const ModelRegistration kThreadDeadline{{
    .name = "net/thread_at_the_deadline",
    .claim = "a thread whose time runs out when an event comes leaves the slot usable",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 2},
    .body =
        [] {
          Kernel kernel;
          platform::Thread poller("", [&] { kernel.Arrive(); });
          const Outcome outcome = kernel.Await(1, Deadline::In(std::chrono::hours(1)));
          Check(outcome == Outcome::kReady || outcome == Outcome::kTimeout, "another outcome");
          Check(kernel.Await(1, Deadline::Never()) == Outcome::kReady, "the event is lost");
          poller.Join();
        },
}};

void TwoOperations() {
  Kernel kernel;
  WaitTurn turn;
  Atomic<std::uint32_t> refused{0};
  WaitGroup done;
  done.Add(2);
  SmallPool pool(2);
  for (int i = 0; i < 2; ++i) {
    Go(pool, [&] {
      const std::int64_t result = RunCall(
          turn, [&] { return fibers::CallResult(kernel.Has(1) ? 1 : -EAGAIN); },
          [&] {
            Check(kernel.slot.Wait(Deadline::Never(), {}) == Outcome::kReady, "no event");
            return 0;
          });
      // relaxed: read after all have ended.
      refused.FetchAdd(result == -EBUSY ? 1 : 0, memory_order_relaxed);
      done.Done();
    });
  }
  kernel.Arrive();
  done.Wait();
  // relaxed: as above.
  Check(refused.Load(memory_order_relaxed) <= 1, "both are refused");
  std::uint32_t seen = turn.Look();
  Check(turn.TryBegin(seen) == WaitTurn::Begin::kDone, "the turn is not given back");
}

const ModelRegistration kTwo{{
    .name = "net/two_operations",
    .claim = "of two operations of a direction each gets what has arrived, or is refused",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body = &TwoOperations,
}};

const ModelRegistration kTwoWeak{{
    .name = "net/two_operations_weakly_ordered",
    .claim = "of two operations of a direction each gets what has arrived, or is refused",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body = &TwoOperations,
}};

const ModelRegistration kGate{{
    .name = "net/number_is_freed_once",
    .claim = "a use sees the number; it is freed once, when it is closed and the last use has "
             "ended",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          UseGate gate;
          Cell<int> number(0);
          Cell<int> of_user(0);
          Cell<int> of_closer(0);
          const auto leave = [&] {
            if (gate.Leave()) {
              Check(number.Read() == 1, "freed twice");
              number.Write(0);
            }
          };
          const auto use = [&](Cell<int>& used) {
            if (gate.TryEnter()) {
              Check(number.Read() == 1, "used after it was freed");
              used.Write(1);
              leave();
            }
          };
          const auto close = [&] {
            if (gate.Close()) {
              Check(number.Read() == 1, "closed without a number");
              leave();
            }
          };
          platform::Thread user("", [&] { use(of_user); });
          platform::Thread closer("", [&] {
            use(of_closer);
            close();
          });
          number.Write(1);
          gate.Open();
          close();
          Check(!gate.TryEnter(), "open again");
          if (gate.IsUnused()) {
            // No use is left.
            of_user.Write(2);
            of_closer.Write(2);
          }
          user.Join();
          closer.Join();
          Check(number.Read() == 0 && gate.IsUnused(), "not freed");
        },
}};

// One event, which one of these has to find: the thread of a pool that leaves the turn for other
// work, that of another pool, or the stand-in.
class OneEvent {
 public:
  OneEvent() {
    turn_.AddDriver();
  }

  // The thread of the process.
  void StandIn() {
    for (;;) {
      const std::uint32_t seen = turn_.Seen();
      if (IsFound()) {
        return;
      }
      if (!turn_.IsNeeded() || !turn_.TryWait(this)) {
        turn_.AwaitCall(seen);
        continue;
      }
      while (!IsFound() && turn_.IsNeeded()) {
        Poll();
      }
      turn_.Leave();
    }
  }

  // A thread that polls once, and then has other work.
  void PollOnce() {
    if (turn_.TryWait(this)) {
      Poll();
      turn_.Leave();
    }
  }

  // A thread of no driver, which polls without waiting (Poller::AwaitOperationsOf).
  void Look() {
    if (turn_.TryLook(&event_)) {
      Find();
      turn_.Leave();
    }
  }

  void RemoveDriver() {
    turn_.RemoveDriver();
  }

  // A thread that has nothing else to do until the event is found.
  void Await() {
    while (!IsFound()) {
      if (turn_.TryWait(this)) {
        Poll();
        turn_.Leave();
      } else if (turn_.BeginAbsence()) {
        while (!IsFound()) {
          platform::FutexWait(found_, 0);
        }
        if (turn_.EndAbsence()) {
          Break();
        }
      }
    }
  }

  // All threads of drivers have ended their absences.
  void CheckNoneAbsent() const {
    Check(!turn_.IsNeeded(), "a thread that is back counts as absent");
  }

  void Break() {
    news_.FetchAdd(1, memory_order_release);  // release: pairs with the acquire in Poll()
    platform::FutexWake(news_, 1);
  }

  void Arrive() {
    event_.Store(1, memory_order_relaxed);  // relaxed: Break() publishes it
    Break();
  }

 private:
  bool IsFound() const {
    // acquire: pairs with the release in Poll().
    return found_.Load(memory_order_acquire) != 0;
  }

  // By the thread that has the turn. Returns after Break().
  void Poll() {
    if (IsFound()) {
      return;  // nothing comes after it
    }
    const std::uint32_t before = polled_.Read();
    std::uint32_t now = 0;
    // acquire: pairs with the release in Break().
    while ((now = news_.Load(memory_order_acquire)) == before) {
      platform::FutexWait(news_, before);
    }
    polled_.Write(now);
    Find();
  }

  void Find() {
    if (event_.Exchange(0, memory_order_relaxed) != 0) {  // relaxed: as in Arrive()
      found_.Store(1, memory_order_release);  // release: pairs with the acquire in IsFound()
      platform::FutexWake(found_, 2);
      turn_.Call();
    }
  }

  PollTurn turn_;
  Cell<std::uint32_t> polled_{0};  // of the thread that has the turn
  Atomic<std::uint32_t> news_{0};  // events and breaks; the futex word of Poll()
  Atomic<std::uint32_t> event_{0};
  Atomic<std::uint32_t> found_{0};
};

const ModelRegistration kAbsent{{
    .name = "net/a_thread_is_absent_while_another_leaves",
    .claim =
        "an event is found although a thread sleeps that found the turn taken, and the one that "
        "had it leaves",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          OneEvent event;
          platform::Thread stand_in("", [&] { event.StandIn(); });
          platform::Thread busy("", [&] { event.PollOnce(); });
          platform::Thread idle("", [&] { event.Await(); });
          event.Break();
          event.Arrive();
          idle.Join();
          busy.Join();
          stand_in.Join();
          event.CheckNoneAbsent();
        },
}};

const ModelRegistration kLooks{{
    .name = "net/a_thread_looks_while_the_last_driver_leaves",
    .claim = "an event is found although the stand-in finds the turn taken by a thread that looks",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          OneEvent event;
          platform::Thread stand_in("", [&] { event.StandIn(); });
          platform::Thread looking("", [&] { event.Look(); });
          event.RemoveDriver();
          event.Arrive();
          looking.Join();
          stand_in.Join();
        },
}};

// The threads of one driver, which change the number of absent ones at the same time.
const ModelRegistration kAbsentAtOnce{{
    .name = "net/two_threads_are_absent_while_another_leaves",
    .claim = "each absence counts until it ends or is taken back",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          PollTurn turn;
          turn.AddDriver();
          Check(turn.TryWait(&turn), "the turn is not free");
          const auto sleep = [&turn] {
            if (turn.BeginAbsence()) {
              Check(turn.IsNeeded(), "an absent thread does not count");
              turn.EndAbsence();
            }
          };
          platform::Thread first("", sleep);
          platform::Thread second("", sleep);
          turn.Leave();
          first.Join();
          second.Join();
          Check(!turn.IsNeeded(), "a thread that is back counts as absent");
        },
}};

// Pools that begin and end at the same time.
const ModelRegistration kDriversAtOnce{{
    .name = "net/two_drivers_come_and_leave",
    .claim = "each driver counts from its beginning to its end",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          PollTurn turn;
          const auto drive = [&turn] {
            turn.AddDriver();
            Check(!turn.IsNeeded(), "a driver does not count");
            turn.RemoveDriver();
          };
          platform::Thread other("", drive);
          drive();
          other.Join();
          Check(turn.IsNeeded(), "a driver that has ended counts");
        },
}};

const ModelRegistration kDriversLeave{{
    .name = "net/stand_in_is_needed_after_the_last_driver",
    .claim = "the stand-in wakes when the last driver ends, whichever of two calls counts first",
    .limits = {.preemptions = 4, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          PollTurn turn;
          turn.AddDriver();
          platform::Thread stand_in("stand-in", [&turn] {
            for (;;) {
              const std::uint32_t seen = turn.Seen();
              if (turn.IsNeeded()) {
                return;
              }
              turn.AwaitCall(seen);
            }
          });
          platform::Thread other("other", [&turn] {
            turn.AddDriver();
            turn.RemoveDriver();
          });
          turn.RemoveDriver();
          other.Join();
          stand_in.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::net_model
