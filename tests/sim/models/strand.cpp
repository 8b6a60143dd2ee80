// Models of both strands, on one and two threads: src/executors/strand.cpp and its two inboxes.
#include "executors/strand.hpp"

#include "executors/submit.hpp"
#include "tests/sim/models/linearizable.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <optional>
#include <string>

namespace schedbench::sim::strand_model {

namespace {

using executors::MutexStrand;
using executors::Strand;
using executors::StrandOptions;

// Hides what kind it is: g++ guesses that the call goes to the SmallPool, and warns of what would
// follow.
SB_NOINLINE executors::IExecutor& Hidden(executors::IExecutor& executor) {
  asm volatile("" ::: "memory");
  return executor;
}

// Two clients submit two tasks each, with something to read; tasks of a strand share plain memory.
template <typename StrandType, std::size_t PerVisit>
void TwoClients() {
  Runs<4> runs;
  Cell<int> count(0);
  std::array<Cell<int>, 2> last_of{};  // of each client
  SmallPool pool(1);
  {
    StrandType strand(pool, {.tasks_per_visit = PerVisit});
    const auto submit = [&](std::size_t client) {
      for (int i = 1; i <= 2; ++i) {
        SubmitWithPayload(Hidden(strand), [&, client, i] {
          count.Write(count.Read() + 1);
          Check(last_of[client].Read() == i - 1, "a client's tasks are out of order");
          last_of[client].Write(i);
          runs.Note(client * 2 + static_cast<std::size_t>(i) - 1);
        });
      }
    };
    platform::Thread other("other", [&] { submit(1); });
    submit(0);
    other.Join();
  }
  pool.Finish();
  runs.CheckAllOnce("a task is lost");
  Check(count.Read() == 4, "an update is lost");
}

// One task after the other, each submitted when the last may be at its end: the moment at which a
// strand falls idle.
template <typename StrandType>
void FallsIdle() {
  Runs<3> runs;
  SmallPool pool(2);
  {
    StrandType strand(pool);
    for (std::size_t i = 0; i < 3; ++i) {
      SubmitWithPayload(Hidden(strand), [&, i] { runs.Note(i); });
    }
  }
  pool.Finish();
  runs.CheckAllOnce("a task is lost");
}

// A task submits the next, from inside; each sees what the last wrote.
template <typename StrandType>
void SubmitsFromInside() {
  Cell<int> count(0);
  SmallPool pool(2);
  std::optional<StrandType> strand(std::in_place, pool, StrandOptions{.tasks_per_visit = 2});
  executors::Submit(Hidden(*strand), [&] {
    count.Write(count.Read() + 1);
    executors::Submit(Hidden(*strand), [&] { count.Write(count.Read() + 1); });
  });
  executors::Submit(Hidden(*strand), [&] { count.Write(count.Read() + 1); });
  pool.Finish();
  strand.reset();
  Check(count.Read() == 3, "an update is lost");
}

template <typename StrandType, std::size_t PerVisit>
void DiesWithTasks() {
  Runs<2> runs;
  SmallPool pool(2);
  auto* const strand = new StrandType(pool, {.tasks_per_visit = PerVisit});
  for (std::size_t i = 0; i < 2; ++i) {
    SubmitWithPayload(Hidden(*strand), [&, i] { runs.Note(i); });
  }
  delete strand;
  pool.Finish();
  runs.CheckAllOnce("a task of a strand that died is lost");
}

// Two clients; whichever task runs last destroys the strand, while the other client may be on its
// way out of Submit.
template <typename StrandType>
void DestroysItself() {
  Cell<int> left(2);
  SmallPool pool(1);
  auto* const strand = new StrandType(pool);
  const auto submit = [&left, strand] {
    SubmitWithPayload(Hidden(*strand), [&left, strand] {
      left.Write(left.Read() - 1);
      if (left.Read() == 0) {
        delete strand;
      }
    });
  };
  platform::Thread other("other", submit);
  submit();
  other.Join();
  pool.Finish();
  Check(left.Read() == 0, "a task is lost");
}

struct StrandCall {
  enum class Kind : std::uint8_t { kSubmit, kRun };
  Kind kind;
  std::uint8_t task;
};

// First submitted, first run.
class SequentialStrand {
 public:
  bool Apply(const StrandCall& call) {
    if (call.kind == StrandCall::Kind::kSubmit) {
      tasks_[size_++] = call.task;
      return true;
    }
    if (next_ == size_) {
      return false;
    }
    return tasks_[next_++] == call.task;
  }

 private:
  std::array<std::uint8_t, 8> tasks_{};
  std::size_t size_ = 0;
  std::size_t next_ = 0;
};

// The visit takes the call of a task for the moment at which it leaves the queue.
template <typename StrandType>
void IsAQueue() {
  History<StrandCall, SequentialStrand> history;
  class Task final : public executors::TaskBase {
   public:
    void Run() noexcept override {
      history->Run([this] { return StrandCall{.kind = StrandCall::Kind::kRun, .task = number}; });
    }

    History<StrandCall, SequentialStrand>* history = nullptr;
    std::uint8_t number = 0;
  };
  std::array<Task, 3> tasks;
  for (std::uint8_t i = 0; i < 3; ++i) {
    tasks[i].history = &history;
    tasks[i].number = i;
  }
  SmallPool pool(1);
  {
    StrandType strand(pool, {.tasks_per_visit = 2});
    const auto submit = [&](std::uint8_t i) {
      history.Run([&] {
        strand.Submit(&tasks[i], executors::SchedulerHint::UpToYou);
        return StrandCall{.kind = StrandCall::Kind::kSubmit, .task = i};
      });
    };
    platform::Thread other("other", [&] { submit(0); });
    submit(1);
    submit(2);
    other.Join();
  }
  pool.Finish();
  Check(history.IsLinearizable({}), "no order of the submits explains that of the runs");
}

// One registration for each kind of strand.
struct OfBoth {
  OfBoth(const char* what, const char* claim, Limits limits, void (*stack)(), void (*mutex)())
      : lock_free({.name = std::string("strand/") + what,
                   .claim = claim,
                   .limits = limits,
                   .body = stack}),
        with_mutex({.name = std::string("mutex_strand/") + what,
                    .claim = claim,
                    .limits = limits,
                    .body = mutex}) {
  }

  ModelRegistration lock_free;
  ModelRegistration with_mutex;
};

const OfBoth kTwoClients{"two_clients",
                         "tasks of two clients run once, one at a time, each client's in order",
                         {.preemptions = 4, .stale_reads = 1, .spurious = 0},
                         &TwoClients<Strand, 64>,
                         &TwoClients<MutexStrand, 64>};

const OfBoth kLimit{"two_clients_with_a_limit",
                    "the same for a strand that yields after each task",
                    {.preemptions = 4, .stale_reads = 1, .spurious = 0},
                    &TwoClients<Strand, 1>,
                    &TwoClients<MutexStrand, 1>};

const OfBoth kFallsIdle{"falls_idle",
                        "a task that comes as the last one ends is not lost",
                        {.preemptions = 3, .stale_reads = 1, .spurious = 1},
                        &FallsIdle<Strand>,
                        &FallsIdle<MutexStrand>};

const OfBoth kFromInside{"submits_from_inside",
                         "a task of a task runs, and sees what those before it wrote",
                         {.preemptions = 3, .stale_reads = 1, .spurious = 0},
                         &SubmitsFromInside<Strand>,
                         &SubmitsFromInside<MutexStrand>};

const OfBoth kDies{"dies_with_tasks",
                   "tasks of a strand that dies all run, and its memory is freed once, after them",
                   {.preemptions = 3, .stale_reads = 1, .spurious = 0},
                   &DiesWithTasks<Strand, 64>,
                   &DiesWithTasks<MutexStrand, 64>};

const OfBoth kDiesLimit{"dies_with_tasks_over_a_limit",
                        "the same where the last tasks need another visit",
                        {.preemptions = 3, .stale_reads = 1, .spurious = 0},
                        &DiesWithTasks<Strand, 1>,
                        &DiesWithTasks<MutexStrand, 1>};

const OfBoth kDestroysItself{"destroyed_by_its_task",
                             "a submitter touches nothing after its task can run",
                             {.preemptions = 3, .stale_reads = 1, .spurious = 0},
                             &DestroysItself<Strand>,
                             &DestroysItself<MutexStrand>};

const OfBoth kQueue{"history",
                    "submits and runs are those of a queue",
                    {.preemptions = 3, .stale_reads = 0, .spurious = 0},
                    &IsAQueue<Strand>,
                    &IsAQueue<MutexStrand>};

}  // namespace

}  // namespace schedbench::sim::strand_model
