// What the machine itself is held to: outcomes that C++20's memory model allows are reached, those that it forbids are
// not, and each kind of mistake is seen. A model that must fail claims an outcome impossible that is not.
#include "base/atomic.hpp"
#include "base/spin_wait.hpp"
#include "platform/futex.hpp"
#include "platform/mutex.hpp"
#include "tests/sim/models/support.hpp"

#include <cstdlib>

namespace schedbench::sim {

namespace {

using platform::Thread;

// Two threads store to one variable each and then read the other's: may both miss it?
template <memory_order kStore, memory_order kLoad, bool kFence>
void StoreBuffering() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  int other = 0;
  Thread thread("", [&] {
    x.Store(1, kStore);
    if (kFence) {
      AtomicFence(memory_order_seq_cst);
    }
    other = y.Load(kLoad);
  });
  y.Store(1, kStore);
  if (kFence) {
    AtomicFence(memory_order_seq_cst);
  }
  const int own = x.Load(kLoad);
  thread.Join();
  Check(own == 1 || other == 1, "both have missed the other's store");
}

// One thread writes a value and then a flag: who sees the flag, does he see the value?
template <memory_order kStore, memory_order kLoad, bool kFences>
void MessagePassing() {
  Atomic<int> value{0};
  Atomic<int> flag{0};
  Thread thread("", [&] {
    value.Store(1, memory_order_relaxed);
    if (kFences) {
      AtomicFence(memory_order_release);
    }
    flag.Store(1, kStore);
  });
  if (flag.Load(kLoad) == 1) {
    if (kFences) {
      AtomicFence(memory_order_acquire);
    }
    Check(value.Load(memory_order_relaxed) == 1, "the flag is seen, the value is not");
  }
  thread.Join();
}

// The flag is changed once more before it is read, by a read-modify-write or by a plain store.
template <bool kModify>
void ReleaseSequence() {
  Atomic<int> value{0};
  Atomic<int> flag{0};
  Thread writer("", [&] {
    value.Store(1, memory_order_relaxed);
    flag.Store(1, memory_order_release);
  });
  Thread changer("", [&] {
    if (kModify) {
      flag.FetchAdd(2, memory_order_relaxed);
    } else if (flag.Load(memory_order_relaxed) == 1) {
      flag.Store(3, memory_order_relaxed);
    }
  });
  if (flag.Load(memory_order_acquire) == 3) {
    Check(value.Load(memory_order_relaxed) == 1, "the flag is seen, the value is not");
  }
  writer.Join();
  changer.Join();
}

// Two independent stores: may two readers see them in opposite orders?
template <memory_order kStore, memory_order kLoad>
void IndependentReads() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  Thread first("", [&] {
    x.Store(1, kStore);
  });
  Thread second("", [&] {
    y.Store(1, kStore);
  });
  bool x_first = false;
  Thread reader("", [&] {
    x_first = x.Load(kLoad) == 1 && y.Load(kLoad) == 0;
  });
  const bool y_first = y.Load(kLoad) == 1 && x.Load(kLoad) == 0;
  first.Join();
  second.Join();
  reader.Join();
  Check(!(x_first && y_first), "the readers disagree about the order of the stores");
}

enum class Outcome : std::uint8_t { kAllowed, kForbidden };

// What the body claims impossible is allowed, or forbidden, by the memory model.
Model Litmus(std::string name, Outcome outcome, std::function<void()> body) {
  const bool allowed = outcome == Outcome::kAllowed;
  return {.name = "litmus/" + std::move(name),
          .claim = allowed ? "an outcome that C++ allows is reached"
                           : "an outcome that C++ forbids is not reached",
          .limits = {},
          .body = std::move(body),
          .must_fail = allowed};
}

const ModelRegistration kStoreBufferingRelaxed{
    Litmus("store_buffering_relaxed", Outcome::kAllowed,
           &StoreBuffering<memory_order_relaxed, memory_order_relaxed, false>)};
const ModelRegistration kStoreBufferingAcquireRelease{
    Litmus("store_buffering_acquire_release", Outcome::kAllowed,
           &StoreBuffering<memory_order_release, memory_order_acquire, false>)};
const ModelRegistration kStoreBufferingSeqCst{
    Litmus("store_buffering_seq_cst", Outcome::kForbidden,
           &StoreBuffering<memory_order_seq_cst, memory_order_seq_cst, false>)};
const ModelRegistration kStoreBufferingFences{
    Litmus("store_buffering_fences", Outcome::kForbidden,
           &StoreBuffering<memory_order_relaxed, memory_order_relaxed, true>)};
const ModelRegistration kMessagePassingRelaxed{
    Litmus("message_passing_relaxed", Outcome::kAllowed,
           &MessagePassing<memory_order_relaxed, memory_order_relaxed, false>)};
const ModelRegistration kMessagePassingWithoutAcquire{
    Litmus("message_passing_without_acquire", Outcome::kAllowed,
           &MessagePassing<memory_order_release, memory_order_relaxed, false>)};
const ModelRegistration kMessagePassingWithoutRelease{
    Litmus("message_passing_without_release", Outcome::kAllowed,
           &MessagePassing<memory_order_relaxed, memory_order_acquire, false>)};
const ModelRegistration kMessagePassingAcquireRelease{
    Litmus("message_passing_acquire_release", Outcome::kForbidden,
           &MessagePassing<memory_order_release, memory_order_acquire, false>)};
const ModelRegistration kMessagePassingFences{
    Litmus("message_passing_fences", Outcome::kForbidden,
           &MessagePassing<memory_order_relaxed, memory_order_relaxed, true>)};
const ModelRegistration kReleaseSequenceOfAModification{
    Litmus("release_sequence_of_a_modification", Outcome::kForbidden, &ReleaseSequence<true>)};
const ModelRegistration kReleaseSequenceOfAStore{
    Litmus("release_sequence_of_a_store", Outcome::kAllowed, &ReleaseSequence<false>)};
const ModelRegistration kIndependentReadsAcquire{
    Litmus("independent_reads_acquire", Outcome::kAllowed,
           &IndependentReads<memory_order_release, memory_order_acquire>)};
const ModelRegistration kIndependentReadsSeqCst{
    Litmus("independent_reads_seq_cst", Outcome::kForbidden,
           &IndependentReads<memory_order_seq_cst, memory_order_seq_cst>)};

const ModelRegistration kCoherence{{
    .name = "litmus/coherence",
    .claim = "a thread never reads a value older than one that it has read",
    .limits = {},
    .body =
        [] {
          Atomic<int> x{0};
          Thread writer("", [&] {
            x.Store(1, memory_order_relaxed);
            x.Store(2, memory_order_relaxed);
          });
          const int first = x.Load(memory_order_relaxed);
          Check(first <= x.Load(memory_order_relaxed), "an older value is read later");
          writer.Join();
        },
}};

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
  Thread writer("", [&] {
    value.Write(1);
  });
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
  Thread other("", [&] {
    never.Store(0, memory_order_relaxed);
  });
  while (never.Load(memory_order_relaxed) == 0) {
    CpuRelax();
  }
  other.Join();
})};

const ModelRegistration kLeak{Mistake("leak", "memory that nobody frees", [] {
  volatile bool lost = true;
  auto* value = new int(1);
  if (!lost) {
    delete value;
  }
})};

const ModelRegistration kUseAfterFree{Mistake("use_after_free", "an atomic in freed memory", [] {
  auto* value = new Atomic<int>(0);
  Thread other("", [value] {
    value->FetchAdd(1, memory_order_relaxed);
  });
  delete value;
  other.Join();
})};

const ModelRegistration kWildPointer{Mistake("wild_pointer", "a memory fault", [] {
  Thread other("", [] {});
  volatile std::uintptr_t nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
  other.Join();
})};

}  // namespace

}  // namespace schedbench::sim
