#pragma once

#include "simulation/costs.hpp"
#include "simulation/machine/clock_order.hpp"
#include "simulation/machine/lines.hpp"
#include "simulation/machine/memory.hpp"
#include "simulation/machine/stack_turns.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>

namespace sim_scaling {

using Place = std::source_location;

// A machine that simulates time: each thread has a core with its own clock, and each operation
// advances that clock by its cost. All threads run on one thread of the system; before an operation
// on shared memory, the thread with the earliest clock continues. So all operations take effect in
// the order of their times, and a load returns the newest value. There is one machine per process.
// The tested code calls its operations through the headers in ../seam.
class Machine {
 public:
  static Machine& Instance() noexcept;

  // Runs `body` as thread 0 until it ends. Requires: the threads that it started have ended then.
  void Run(const Costs& costs, const std::function<void()>& body);

  bool IsRunning() const noexcept {
    return running_;
  }

  // Returns whether operator new has to call Allocate().
  bool AllocatesHere() const noexcept {
    return running_ && allocates_;
  }
  // Sets whether runs allocate in simulated memory, and returns the old value. `false` is for a run
  // before all others that makes objects which are made at first use and live until the end of the
  // process.
  bool SetAllocates(bool allocates) noexcept {
    return std::exchange(allocates_, allocates);
  }

  // Uses of the time since ResetTimes(). Of thread 0, which waits for the others, kIdle does not
  // count.
  enum Use : unsigned { kWork, kTransfer, kSearch, kIdle, kUses };
  void ResetTimes() noexcept;
  std::array<Time, kUses> Times() noexcept;

  struct Wait {
    const char* file;
    std::uint32_t line;
    Time time;
  };
  static constexpr std::size_t kPlaces = 4096;
  // Returns the waits for cache lines per source line, unordered. Those without a file are unused.
  const std::array<Wait, kPlaces>& Waits() const noexcept {
    return waits_;
  }

  // ---- For the seam: on a simulated thread ----

  void Read(const void* address, const Place& where);
  // Simulates a store: the core continues while the line is on its way.
  void Write(const void* address, const Place& where);
  // Simulates a read-modify-write: the core waits for its line and those of its earlier stores.
  void Modify(const void* address, const Place& where);
  void Fence(const Place& where);
  // Simulates membarrier(2): interrupts each core whose thread does not sleep. One call at a time,
  // as in Linux from 6.8 on.
  void HeavyFence(const Place& where);
  // Writes to all lines of plain memory at the same time. kUse: the core also reads it, and waits.
  enum class Access : std::uint8_t { kStore, kUse };
  void Touch(const void* begin, std::size_t bytes, Access access, const Place& where);
  // Touches the block of the heap that starts there.
  void TouchBlock(const void* block, Access access, const Place& where);

  // Starts a turn of the core on the stack of a fiber. Returns the cost of a resume there.
  double BeginTurn(const void* stack) noexcept;

  void Work(double ns) noexcept {
    if (running_) {
      Spend(Ticks(ns));
    }
  }
  void Pause() {
    Work(costs_.pause);
  }
  void YieldCpu();
  std::uint64_t NowNs();
  void SetSearching(bool searching) noexcept {
    threads_[current_].searching = searching;
  }

  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  // Returns false iff the time ran out. `word` is the value at `address`.
  bool FutexWait(const void* address, std::uint32_t word, std::uint32_t expected,
                 std::uint64_t limit_ns);
  void SleepUntil(std::uint64_t ns);
  void FutexWake(const void* address, std::uint32_t count);
  // Lets earlier threads run. Call it before reading the word, so that the read has its right time.
  void Synchronize();

  unsigned StartThread(std::function<void()> body);
  void JoinThread(unsigned thread);
  void*& ThreadLocal(unsigned slot) noexcept {
    return threads_[current_].locals[slot];
  }
  static constexpr unsigned kThreadLocals = 64;
  static constexpr unsigned kMaxThreads = kMaxCores;

  void* Allocate(std::size_t bytes, std::size_t alignment);
  // Returns whether the block was the simulated program's.
  bool Free(void* block);
  Memory& SimulatedMemory() noexcept {
    return memory_;
  }

  unsigned CurrentThread() const noexcept {
    return current_;
  }
  // Returns the core of the current thread. Worker 0 has the first one, so clusters begin with
  // workers 0, 16, 32, ...; thread 0, which starts the others, has the last.
  unsigned Core() const noexcept {
    return current_ == 0 ? kMaxCores - 1 : current_ - 1;
  }
  const Costs& CostsOfRun() const noexcept {
    return costs_;
  }

  [[noreturn]] static void Fail(const char* message) noexcept;

 private:
  enum class State : std::uint8_t { kReady, kFutex, kJoin, kFinished };

  struct Thread {
    boost::context::detail::fcontext_t context = nullptr;
    State state = State::kFinished;
    bool searching = false;
    bool timed_out = false;
    Time clock = 0;
    Time stores_done = 0;  // when its stores so far are visible
    Time blocked_at = 0;
    const void* waits_for = nullptr;
    std::uint64_t wait_order = 0;
    unsigned joins = 0;
    std::uint64_t turns = 0;
    std::array<Time, kUses> times{};
    std::array<void*, kThreadLocals> locals{};
    std::function<void()>* body = nullptr;
  };

  static Time Ticks(double ns) noexcept {
    return static_cast<Time>(ns * 1000);
  }
  static void Enter(boost::context::detail::transfer_t transfer);
  void Prepare(unsigned index, std::function<void()>* body);
  void Spend(Time time) noexcept {
    Thread& self = Self();
    self.clock += time;
    self.times[self.searching ? kSearch : kWork] += time;
  }
  void WaitUntil(Time time, const Place& where) noexcept {
    if (time > Self().clock) {
      Lose(Self(), time - Self().clock, where);
    }
  }
  // Adds to the clock of a thread what it loses by an access at `where`.
  void Lose(Thread& thread, Time time, const Place& where) noexcept;
  void WaitForStores(const Place& where) noexcept {
    WaitUntil(Self().stores_done, where);
  }
  void Block(State state, Time wakes_at);
  void Unblock(Thread& thread, Time at);
  void SwitchTo(unsigned next);
  void Finish();
  Thread& Self() noexcept {
    return threads_[current_];
  }

  bool running_ = false;
  bool allocates_ = true;
  unsigned current_ = 0;
  unsigned started_ = 0;
  std::uint64_t waits_so_far_ = 0;
  Costs costs_;
  Distances distances_;
  Time heavy_fence_ends_ = 0;
  ClockOrder order_;
  Memory memory_;
  StackTurns stack_turns_{Memory::kFiberStacksBytes / Memory::kFiberStackBytes};
  boost::context::detail::fcontext_t host_ = nullptr;
  std::array<Thread, kMaxThreads> threads_;
  std::array<Wait, kPlaces> waits_{};
};

}  // namespace sim_scaling
