#pragma once

#include "tests/sim/machine/arena.hpp"
#include "tests/sim/machine/chooser.hpp"
#include "tests/sim/machine/clocks.hpp"
#include "tests/sim/machine/decision.hpp"
#include "tests/sim/machine/fault.hpp"
#include "tests/sim/machine/location.hpp"
#include "tests/sim/machine/model_memory.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>

namespace schedbench::sim {

using Place = std::source_location;

// How much of what may go wrong is allowed to go wrong in one execution.
struct Limits {
  static constexpr unsigned kUnlimited = 1'000'000;

  unsigned preemptions = kUnlimited;  // switches away from a thread that could continue
  unsigned stale_reads = kUnlimited;  // loads that do not return the newest value
  unsigned spurious =
      1;  // futex waits that return at once, weak exchanges that fail, unusual draws
  unsigned steps = 5'000;  // points of decision; more: a livelock
};

// How an execution ended.
enum class Ending : std::uint8_t {
  kCompleted,
  kPruned,     // the strategy knows what follows
  kNewShared,  // a location turned out to be shared that was not known to be: start again
  kFailed,
};

// A machine on which threads of a model run, all on one thread of the system, one at a time. Each
// operation on a shared atomic, each futex call and each lock is a point of decision: an IChooser
// says which thread continues and which of the values that the C++ memory model allows a load
// returns. Same choices, same execution, addresses included.
//
// One machine per process. Its operations are called by the code under test, by way of the headers
// in
// ../seam; between executions they act on plain memory.
class Machine {
 public:
  static Machine& Instance() noexcept;

  // Runs `body` as thread 0 until all threads have ended, or something ends the execution earlier;
  // frames and memory of the model are then given up.
  Ending Execute(const std::function<void()>& body, IChooser& chooser, const Limits& limits);

  // Why the last execution failed.
  const char* Failure() const noexcept {
    return failure_.data();
  }

  // The decisions of the last execution.
  const Schedule& Decisions() const noexcept {
    return schedule_;
  }

  // Number of the current execution, or of the last one; from 1.
  std::uint32_t Execution() const noexcept {
    return execution_;
  }

  // Points of decision in the last execution.
  std::uint32_t Steps() const noexcept {
    return steps_;
  }

  // Forgets which locations are shared. With `all`, each one is taken for shared: a schedule then
  // has the same meaning whatever was known when it was found.
  void ForgetShared(bool all = false) noexcept;

  // Whether to print each operation as it happens.
  void SetTrace(bool on) noexcept {
    tracing_ = on;
  }

  void SetMutation(const Mutation& mutation) noexcept {
    mutation_ = mutation;
  }

  // Called for each place where the code does something that a fault could change; null: not
  // called.
  using OnPlace = void (*)(const Place& where, Fault fault);
  void SetOnPlace(OnPlace on_place) noexcept {
    on_place_ = on_place;
  }

  // ---- For the seam. On a simulated thread, or outside of executions ----

  bool IsRunning() const noexcept {
    return running_;
  }

  Word NewWord(std::uint64_t value) noexcept;
  void DestroyLocation(Word& word) noexcept;

  std::uint64_t Load(const Word& word, std::memory_order order, const Place& where);
  void Store(Word& word, std::uint64_t value, std::memory_order order, const Place& where);

  // Returns the value before; the value after is change(before).
  template <typename Change>
  std::uint64_t Modify(Word& word, Change change, std::memory_order order, const Place& where) {
    Location* location = BeginModify(word, order, where);
    if (location == nullptr) {
      const std::uint64_t before = word.value;
      word.value = change(before);
      return before;
    }
    if (IsSplit(where)) {
      Learn(kSplit);  // the next point of decision is another state than the last one
      const std::uint64_t before = Load(word, order, where);
      Store(word, change(before), order, where);
      return before;
    }
    const std::uint64_t before = location->stores.back().value;
    CommitModify(*location, word, change(before), order, where);
    return before;
  }

  bool CompareExchange(Word& word, std::uint64_t& expected, std::uint64_t desired,
                       std::memory_order success, std::memory_order failure, bool weak,
                       const Place& where);
  void Fence(std::memory_order order, const Place& where);
  // All threads pass a seq_cst fence, the calling one before and after the others: membarrier(2).
  void FenceAll(const Place& where);

  // Returns false iff the time ran out, which happens only when nothing else can.
  bool FutexWait(const Word& word, std::uint32_t expected, bool timed, const Place& where);
  void FutexWake(const Word& word, std::uint32_t count, const Place& where);

  void Lock(Word& word, const Place& where);
  void Unlock(Word& word, const Place& where);
  // Gives the lock back and sleeps until another thread gives it back; does not take it again.
  void UnlockAndAwaitUnlock(Word& word, const Place& where);

  // Construction and destruction are writes.
  std::uint32_t NewCell() noexcept;
  void DestroyCell(std::uint32_t id) noexcept;
  void ReadCell(std::uint32_t id, const Place& where);
  void WriteCell(std::uint32_t id, const Place& where);

  // Lets others go first until one of them has written something; then the thread's next load
  // returns the newest value: an older one would only let it spin once more.
  void Spin(const Place& where);

  unsigned StartThread(std::function<void()> body);
  void JoinThread(unsigned thread, const Place& where);

  // One clock for all threads: each reading is a point of decision and later than the one before.
  // While a thread can continue, the clock advances by readings alone. When all wait, and those
  // that wait by Spin() have looked again in vain, kSpinNs pass.
  std::uint64_t Clock(const Place& where);
  static constexpr std::uint64_t kSpinNs = 1'000'000;
  // The clock as it is, without a point of decision.
  std::uint64_t Time() noexcept;
  void*& ThreadLocal(unsigned slot) noexcept;
  static constexpr unsigned kThreadLocals = 64;  // of all models of a program

  void* Allocate(std::size_t bytes, std::size_t alignment);
  // Returns whether the block was the arena's.
  bool Free(void* block);

  // ---- For models ----

  // A draw of the code's at random: the usual one, or as often as is allowed another one. Requires:
  // count > 1.
  unsigned Draw(unsigned count);

  // A choice of the model's own.
  unsigned Choose(unsigned count);

  // A point of decision of the model's own.
  void Pause(const Place& where = Place::current());

  // Marks the begin or end of an operation for comparisons of histories: all marks have one order,
  // and states with different orders of marks are different.
  void Mark() noexcept;

  // Ends the execution as failed.
  [[noreturn]] void Fail(const char* format, ...) __attribute__((format(printf, 2, 3)));

  unsigned CurrentThread() const noexcept {
    return current_;
  }

  // ---- For choosers ----

  // How many operations the current thread has begun.
  std::uint32_t CurrentOperation() const noexcept {
    return threads_[current_].operations;
  }

 private:
  static constexpr std::uint64_t kSplit = 0x5b117;
  // The id of a word that is destroyed, or lies in freed memory.
  static constexpr std::uint32_t kPoison = 0xdbdbdbdb;
  // More than any model's thread makes in an execution that ends.
  static constexpr std::uint32_t kManyOperations = 1'000'000;
  static constexpr std::uint32_t kLocationsPerThread = 4096;
  static constexpr std::size_t kLocations = std::size_t{kMaxThreads} * kLocationsPerThread;
  static constexpr std::size_t kStackBytes = std::size_t{256} << 10U;
  static_assert(kMaxThreads * kStackBytes <= model_memory::kThreadStacksBytes);

  enum class State : std::uint8_t { kReady, kFutex, kTimedFutex, kLock, kUnlock, kJoin, kFinished };

  struct Thread {
    boost::context::detail::fcontext_t context;
    State state;
    // Steps and all that it knows of others.
    Knowledge now;
    // What relaxed loads have read that was released: an acquire fence makes it known.
    Knowledge read;
    // What was known at the last release fence: later relaxed stores release it.
    Knowledge fenced;
    // Names all that this thread has done and what it has read.
    std::uint64_t history;
    std::uint32_t operations;
    std::uint32_t locations;
    std::uint32_t cells;
    std::uint32_t waits_for;   // number of a location
    std::uint32_t wait_order;  // among the threads that wait on a futex
    bool fresh;                // the next load returns the newest value
    bool timed_out;
    std::array<void*, kThreadLocals> locals;
    const std::function<void()>* body;
  };

  Machine();

  static void Enter(boost::context::detail::transfer_t transfer);
  void InitThread(unsigned index, std::uint64_t seed);
  void PassFullFence(Thread& thread) noexcept;

  // The location of `word` if it is shared, after a point of decision; else null.
  Location* Use(const Word& word, bool write, const Place& where, const char* what);
  Location& Find(const Word& word, const Place& where, const char* what);
  void NoteUse(Location& location, std::uint32_t step) noexcept {
    location.used.steps[current_] = step;
  }
  Location* BeginModify(Word& word, std::memory_order& order, const Place& where);
  void CommitModify(Location& location, Word& word, std::uint64_t value, std::memory_order order,
                    const Place& where);
  std::size_t ChooseStored(Location& location, std::size_t oldest);
  bool MayReadStale(const Location& location) noexcept;
  void NoteStale(Location& location, unsigned choice);
  std::uint64_t ReadFrom(Location& location, std::size_t index, std::memory_order order);
  void Append(Location& location, Word& word, std::uint64_t value, std::memory_order order,
              const Knowledge* continued);

  CellHistory& UseCell(std::uint32_t id, const char* what, const Place& where);
  // The same, for a write: no other thread may be reading.
  CellHistory& ClaimCell(std::uint32_t id, const char* what, const Place& where);

  // `wakes`: the threads that wait for the lock.
  void GiveBack(Word& word, bool wakes, const Place& where);

  void Point(const Place& where);
  void Block(State state, std::uint32_t location);
  void GiveUpCpu();
  void SwitchTo(unsigned next);
  void Wrote() noexcept;
  void Finish();
  [[noreturn]] void End(Ending ending) noexcept;
  [[noreturn]] void FailDeadlock();

  void Learn(std::uint64_t fact) noexcept;
  void NextStep() noexcept;
  void Record(Decision::Kind kind, std::uint32_t choice);
  unsigned ChooseRare(unsigned count);

  bool IsSplit(const Place& where) noexcept;
  bool HasFault(Fault fault, const Place& where) noexcept;
  std::memory_order Weakened(std::memory_order order, const Place& where) noexcept;
  void Trace(const char* what, const Word* word, std::uint64_t value, const Place& where) noexcept;

  Thread& Self() noexcept {
    return threads_[current_];
  }

  // Whether operations on `word` are the machine's: it was made in this execution, or lies where
  // nothing is that was not, and is gone.
  bool IsMine(const Word& word) const noexcept {
    return running_ && ((word.id != 0 && word.execution == execution_) || IsGone(word));
  }

  bool IsGone(const Word& word) const noexcept {
    return word.execution != execution_ && model_memory::Contains(&word);
  }

  bool running_ = false;
  bool tracing_ = false;
  bool all_shared_ = false;
  unsigned current_ = 0;
  unsigned started_ = 0;
  std::uint32_t ready_ = 0;     // threads that can continue
  std::uint32_t spinning_ = 0;  // that wait until something is written
  std::uint32_t waits_ = 0;     // futex waits so far
  std::uint32_t execution_ = 0;
  std::uint32_t steps_ = 0;
  unsigned preemptions_ = 0;
  unsigned stale_reads_ = 0;
  unsigned spurious_ = 0;
  std::uint64_t state_ = 0;  // sum of the threads' histories
  std::uint64_t sequential_hash_ = 0;
  std::uint64_t marks_hash_ = 0;
  // Names which thread has read how many old values in a row: what a thread may read next depends
  // on it, and its history does not show it, because a value may have been the newest when it was
  // read.
  std::uint64_t streaks_ = 0;
  std::uint64_t clock_hash_ = 0;
  std::uint64_t clock_ = 0;
  std::uint64_t long_spins_ = 0;  // how often kSpinNs have passed
  // All have waited by Spin(), and nothing has been written since: they look again, at the newest
  // values.
  bool look_again_ = false;
  VectorClock sequential_;  // what the seq_cst fences so far have ordered
  Limits limits_;
  IChooser* chooser_ = nullptr;
  Mutation mutation_;
  OnPlace on_place_ = nullptr;
  Ending ending_ = Ending::kCompleted;
  std::array<char, 2048> failure_{};
  Schedule schedule_;
  boost::context::detail::fcontext_t explorer_ = nullptr;

  std::array<Thread, kMaxThreads> threads_{};
  HostVector<Location> locations_;
  HostVector<CellHistory> cells_;
  HostVector<std::uint8_t> known_shared_;
  std::array<char*, kMaxThreads> stacks_{};
  Arena arena_;
};

}  // namespace schedbench::sim
