// What the machine's memory is held to: outcomes that C++20's memory model allows are reached,
// those that it forbids are not. A model that must fail claims an outcome impossible that is not.
#include "base/atomic.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::litmus_model {

namespace {

using platform::Thread;

// Two threads store to one variable each and then read the other's: may both miss it?
template <memory_order StoreOrder, memory_order LoadOrder, bool Fence>
void StoreBuffering() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  int other = 0;
  Thread thread("", [&] {
    x.Store(1, StoreOrder);
    if (Fence) {
      AtomicFence(memory_order_seq_cst);
    }
    other = y.Load(LoadOrder);
  });
  y.Store(1, StoreOrder);
  if (Fence) {
    AtomicFence(memory_order_seq_cst);
  }
  const int own = x.Load(LoadOrder);
  thread.Join();
  Check(own == 1 || other == 1, "both have missed the other's store");
}

// One thread writes a value and then a flag: a thread that sees the flag, does it see the value?
template <memory_order StoreOrder, memory_order LoadOrder, bool Fences>
void MessagePassing() {
  Atomic<int> value{0};
  Atomic<int> flag{0};
  Thread thread("", [&] {
    value.Store(1, memory_order_relaxed);
    if (Fences) {
      AtomicFence(memory_order_release);
    }
    flag.Store(1, StoreOrder);
  });
  if (flag.Load(LoadOrder) == 1) {
    if (Fences) {
      AtomicFence(memory_order_acquire);
    }
    Check(value.Load(memory_order_relaxed) == 1, "the flag is seen, the value is not");
  }
  thread.Join();
}

// The flag is changed once more before it is read, by a read-modify-write or by a plain store.
template <bool Modify>
void ReleaseSequence() {
  Atomic<int> value{0};
  Atomic<int> flag{0};
  Thread writer("", [&] {
    value.Store(1, memory_order_relaxed);
    flag.Store(1, memory_order_release);
  });
  Thread changer("", [&] {
    if (Modify) {
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

// The same with a fence on one side only.
void StoreBufferingOneFence() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  int other = 0;
  Thread thread("", [&] {
    x.Store(1, memory_order_relaxed);
    AtomicFence(memory_order_seq_cst);
    other = y.Load(memory_order_relaxed);
  });
  y.Store(1, memory_order_relaxed);
  const int own = x.Load(memory_order_relaxed);
  thread.Join();
  Check(own == 1 || other == 1, "both have missed the other's store");
}

// A thread sees a store and writes a flag: a thread that sees the flag, does it see the store too?
template <memory_order StoreOrder, memory_order LoadOrder>
void WriteToReadCausality() {
  Atomic<int> x{0};
  Atomic<int> flag{0};
  Thread writer("", [&] { x.Store(1, memory_order_relaxed); });
  Thread middle("", [&] {
    if (x.Load(memory_order_relaxed) == 1) {
      flag.Store(1, StoreOrder);
    }
  });
  if (flag.Load(LoadOrder) == 1) {
    Check(x.Load(memory_order_relaxed) == 1, "the flag is seen, what it was written for is not");
  }
  writer.Join();
  middle.Join();
}

// "R" of the literature: if the second store to y is the later one, does its thread miss x?
template <bool Fences>
void StoreAgainstStore() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  Thread thread("", [&] {
    x.Store(1, memory_order_relaxed);
    if (Fences) {
      AtomicFence(memory_order_seq_cst);
    }
    y.Store(1, memory_order_relaxed);
  });
  y.Store(2, memory_order_relaxed);
  if (Fences) {
    AtomicFence(memory_order_seq_cst);
  }
  const int seen = x.Load(memory_order_relaxed);
  thread.Join();
  Check(y.Load(memory_order_relaxed) == 1 || seen == 1, "x is missed by the later store's thread");
}

// Two independent stores: may two readers see them in opposite orders?
template <memory_order StoreOrder, memory_order LoadOrder, bool Fences = false>
void IndependentReads() {
  Atomic<int> x{0};
  Atomic<int> y{0};
  Thread first("", [&] { x.Store(1, StoreOrder); });
  Thread second("", [&] { y.Store(1, StoreOrder); });
  const auto first_is_seen_alone = [](const Atomic<int>& a, const Atomic<int>& b) {
    const bool seen = a.Load(LoadOrder) == 1;
    if (Fences) {
      AtomicFence(memory_order_seq_cst);
    }
    return seen && b.Load(LoadOrder) == 0;
  };
  bool x_first = false;
  Thread reader("", [&] { x_first = first_is_seen_alone(x, y); });
  const bool y_first = first_is_seen_alone(y, x);
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
const ModelRegistration kIndependentReadsFences{
    Litmus("independent_reads_fences", Outcome::kForbidden,
           &IndependentReads<memory_order_relaxed, memory_order_relaxed, true>)};
const ModelRegistration kStoreBufferingOneFence{
    Litmus("store_buffering_one_fence", Outcome::kAllowed, &StoreBufferingOneFence)};
const ModelRegistration kWriteToReadRelaxed{
    Litmus("write_to_read_causality_relaxed", Outcome::kAllowed,
           &WriteToReadCausality<memory_order_relaxed, memory_order_relaxed>)};
const ModelRegistration kWriteToReadAcquireRelease{
    Litmus("write_to_read_causality_acquire_release", Outcome::kForbidden,
           &WriteToReadCausality<memory_order_release, memory_order_acquire>)};
const ModelRegistration kStoreAgainstStoreRelaxed{
    Litmus("store_against_store_relaxed", Outcome::kAllowed, &StoreAgainstStore<false>)};
const ModelRegistration kStoreAgainstStoreFences{
    Litmus("store_against_store_fences", Outcome::kForbidden, &StoreAgainstStore<true>)};

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

}  // namespace

}  // namespace schedbench::sim::litmus_model
