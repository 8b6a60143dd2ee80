// Small programs with one mistake each, of every kind that the machine must see.
#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/mutex.hpp"
#include "tests/sim/models/linearizable.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <chrono>
#include <cstdint>

namespace schedbench::sim::mistakes_model {

namespace {

using platform::Thread;

// A seq_cst fence orders, and makes nothing known: plain memory still races.
const ModelRegistration kFenceIsNoSynchronisation{{
    .name = "litmus/fences_alone_synchronise_nothing",
    .claim = "a race is seen although both sides have a seq_cst fence",
    .limits = {},
    .body =
        [] {
          Cell<int> value(0);
          Thread writer("", [&] {
            value.Write(1);
            AtomicFence(memory_order_seq_cst);
          });
          AtomicFence(memory_order_seq_cst);
          value.Read();
          writer.Join();
        },
    .must_fail = true,
}};

// A model with a mistake of a kind that must be seen.
Model Mistake(std::string name, std::string claim, std::function<void()> body) {
  return {.name = "mistake/" + std::move(name),
          .claim = std::move(claim) + " is seen",
          .limits = {.preemptions = 2, .steps = 500},
          .body = std::move(body),
          .must_fail = true};
}

const ModelRegistration kDataRace{Mistake("data_race", "a write beside a read of plain memory", [] {
  Cell<int> value(0);
  Thread writer("", [&] { value.Write(1); });
  value.Read();
  writer.Join();
})};

const ModelRegistration kLostUpdate{
    Mistake("lost_update", "an increment by a load and a store", [] {
      Atomic<int> count{0};
      const auto add = [&] {
        count.Store(count.Load(memory_order_relaxed) + 1, memory_order_relaxed);
      };
      Thread other("", add);
      add();
      other.Join();
      Check(count.Load(memory_order_relaxed) == 2, "an update is lost");
    })};

const ModelRegistration kLostWakeUp{
    Mistake("lost_wake_up", "a sleep after a look that was too early", [] {
      Atomic<std::uint32_t> ready{0};
      Atomic<std::uint32_t> word{0};
      Thread waker("", [&] {
        ready.Store(1, memory_order_seq_cst);
        platform::FutexWake(word, 1);
      });
      if (ready.Load(memory_order_seq_cst) == 0) {
        platform::FutexWait(word, 0);
      }
      waker.Join();
    })};

const ModelRegistration kDeadlock{Mistake("deadlock", "two locks in opposite orders", [] {
  platform::Mutex first;
  platform::Mutex second;
  Thread other("", [&] {
    const platform::MutexLock a(second);
    const platform::MutexLock b(first);
  });
  {
    const platform::MutexLock a(first);
    const platform::MutexLock b(second);
  }
  other.Join();
})};

const ModelRegistration kLivelock{Mistake("livelock", "a wait for what never comes", [] {
  Atomic<int> never{0};
  Thread other("", [&] { never.Store(0, memory_order_relaxed); });
  while (never.Load(memory_order_relaxed) == 0) {
    CpuRelax();
  }
  other.Join();
})};

const ModelRegistration kLeak{Mistake("leak", "memory that is never freed", [] {
  volatile bool lost = true;
  auto* value = new int(1);
  if (!lost) {
    delete value;
  }
})};

const ModelRegistration kUseAfterFree{Mistake("use_after_free", "an atomic in freed memory", [] {
  auto* value = new Atomic<int>(0);
  Thread other("", [value] { value->FetchAdd(1, memory_order_relaxed); });
  delete value;
  other.Join();
})};

const ModelRegistration kUnfinishedCell{
    Mistake("published_before_it_is_made", "plain memory that is published relaxed", [] {
      Atomic<Cell<int>*> box{nullptr};
      Thread reader("", [&] {
        if (const Cell<int>* cell = box.Load(memory_order_relaxed)) {
          cell->Read();
        }
      });
      auto* cell = new Cell<int>(1);
      box.Store(cell, memory_order_relaxed);
      reader.Join();
      delete cell;
    })};

const ModelRegistration kUnfinishedAtomic{
    Mistake("atomic_published_before_it_is_made", "an atomic that is published relaxed", [] {
      Atomic<Atomic<int>*> box{nullptr};
      Thread reader("", [&] {
        if (const Atomic<int>* made = box.Load(memory_order_relaxed)) {
          made->Load(memory_order_relaxed);
        }
      });
      auto* made = new Atomic<int>(1);
      box.Store(made, memory_order_relaxed);
      reader.Join();
      delete made;
    })};

// What two threads share until both have left; the last one deletes it.
template <memory_order Leave>
void CountReferences() {
  struct Shared {
    Atomic<int> references{2};
    Cell<int> value{0};
  };
  auto* shared = new Shared;
  const auto leave = [shared] {
    shared->value.Read();
    if (shared->references.FetchSub(1, Leave) == 1) {
      delete shared;
    }
  };
  Thread other("", leave);
  leave();
  other.Join();
}

const ModelRegistration kRelaxedReferences{
    Mistake("relaxed_references", "a delete that does not wait for the others' reads",
            &CountReferences<memory_order_relaxed>)};

const ModelRegistration kReferences{{
    .name = "litmus/references_by_acquire_and_release",
    .claim = "a count of references with the right orders is no race",
    .limits = {},
    .body = &CountReferences<memory_order_acq_rel>,
}};

const ModelRegistration kDestroyedInUse{
    Mistake("destroyed_in_use", "an atomic destroyed after a relaxed farewell", [] {
      auto* done = new Atomic<int>(0);
      Thread other("", [done] { done->Store(1, memory_order_relaxed); });
      if (done->Load(memory_order_relaxed) == 1) {
        delete done;
        other.Join();
      } else {
        other.Join();
        delete done;
      }
    })};

SB_NOINLINE Atomic<int>* LeaveBehind() {
  Atomic<int> local(7);
  Atomic<int>* volatile dead = &local;
  local.Store(8, memory_order_relaxed);
  return dead;
}

SB_NOINLINE void Overwrite() {
  std::array<char, 4096> frame;
  frame.fill(0x55);
  asm volatile("" ::"r"(frame.data()) : "memory");
}

const ModelRegistration kDeadFrame{
    Mistake("dead_frame", "an atomic in a frame that is gone and overwritten", [] {
      Thread other("", [] {
        Atomic<int>* const dead = LeaveBehind();
        Overwrite();
        dead->Store(1, memory_order_relaxed);
      });
      other.Join();
    })};

const ModelRegistration kTimeOut{
    Mistake("time_out", "a time that runs out although others could continue", [] {
      Atomic<std::uint32_t> word{0};
      Thread other("", [&] {
        word.Store(1, memory_order_relaxed);
        platform::FutexWake(word, 1);
      });
      if (word.Load(memory_order_relaxed) == 0) {
        Check(platform::FutexWaitFor(word, 0, std::chrono::nanoseconds(1)), "the time ran out");
      }
      other.Join();
    })};

// An object whose second answer comes from the first one's cache, even when a change has long
// ended.
const ModelRegistration kStaleAnswer{
    Mistake("stale_answer", "an answer that was right before the call", [] {
      struct Operation {
        bool change;
        bool old;
      };
      struct Object {
        bool changed = false;

        bool Apply(const Operation& operation) {
          if (operation.change) {
            changed = true;
          }
          return operation.change || operation.old == !changed;
        }
      };
      Atomic<int> value{0};
      History<Operation, Object> history;
      Thread reader("", [&] {
        bool old = false;
        history.Run([&] {
          old = value.Load(memory_order_relaxed) == 0;
          return Operation{.change = false, .old = old};
        });
        history.Run([&] { return Operation{.change = false, .old = old}; });
      });
      history.Run([&] {
        value.Store(1, memory_order_relaxed);
        return Operation{.change = true, .old = false};
      });
      reader.Join();
      Check(history.IsLinearizable(Object{}), "the history is not linearizable");
    })};

const ModelRegistration kWildPointer{Mistake("wild_pointer", "a memory fault", [] {
  Thread other("", [] {});
  volatile std::uintptr_t nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
  other.Join();
})};

}  // namespace

}  // namespace schedbench::sim::mistakes_model
