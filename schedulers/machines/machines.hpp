#pragma once

#include "base/intrusive_list.hpp"
#include "metrics/counter.hpp"
#include "platform/threads/mutex.hpp"
#include "schedulers/machines/machine.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::schedulers {

// What one of the threads without a worker does in place of sleeping: it waits for events.
class IEventWait {
 public:
  enum class Begun : std::uint8_t {
    kYes,
    kNothing,  // there is nothing to wait for
    kByAnother,  // another thread of the process waits: EndAbsence() must follow when the caller has slept
  };

  // Begins to wait. Does not block.
  virtual Begun TryBegin() noexcept = 0;
  virtual void EndAbsence() noexcept = 0;

  // Returns when there are events, or after Break(). By the thread that has begun.
  virtual void Wait() noexcept = 0;

  // Ends the wait and submits what its events have made ready. By the same thread.
  virtual void End() noexcept = 0;

  // Ends Wait(), or the next one. Any thread.
  virtual void Break() noexcept = 0;

 protected:
  ~IEventWait() = default;
};

// The threads of a pool whose workers change their threads. A worker that is to run goes to the thread that became idle last, else
// to the one that waits for events, else to a new one; where there may be no more threads it waits for the next one that becomes
// idle. Waking the thread that waits for events costs more than a futex call, so it is the last.
//
// (M1) While a worker waits, no thread is idle or waits for events. (M2) A thread in idle_ waits on its futex. The thread that takes it out, under
// mutex_, gives it a worker or its end; when its time is over, that is the thread itself.
class Machines {
 public:
  struct Options {
    std::string name;           // of the threads
    std::uint32_t max_threads;  // at least 1
    std::chrono::nanoseconds keep_alive;
  };

  // Starts no thread. `executor`: that of the pool. `events`: what an idle thread waits for; null: nothing.
  Machines(executors::IExecutor& executor, IMachineOwner& owner, Options options,
           IEventWait* events = nullptr);
  ~Machines();

  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  // A thread is to run `worker`, which no thread runs. Any thread. If the machine refuses a thread, the worker waits for the
  // next idle one.
  void Run(std::uint32_t worker) noexcept;

  // The same at the start. Throws std::runtime_error when the machine refuses a thread; no thread may run then that has work.
  void RunFirst(std::uint32_t worker);

  // The threads end as soon as they run no worker. Any thread.
  void End() noexcept;

  // Returns after End(), when all threads have ended. One caller, once; not one of the threads.
  void Join() noexcept;

  // Any thread.
  struct Counts {
    std::uint64_t started;  // threads
    std::uint64_t peak;     // threads at a time
    std::uint64_t threads;  // that there are
    std::uint64_t idle;     // of these
  };
  Counts Count() noexcept;

  // How many threads there are, without a lock: for reports. Any thread.
  std::uint64_t Threads() const noexcept {
    return live_.Get();
  }

 private:
  // Requires: mutex_ is held. The machine for a new thread, or null: none may be started.
  Machine* NewMachine(std::uint32_t worker) noexcept;
  void Start(Machine& machine);
  void Main(Machine& machine) noexcept;
  std::optional<std::uint32_t> NextWorker(Machine& machine) noexcept;
  void Leave(Machine& machine) noexcept;
  bool TryGiveToIdle(std::uint32_t worker) noexcept;
  void BecomeIdle(Machine& machine) noexcept;
  void StopIdling(Machine& machine) noexcept;
  void WaitForEvents(Machine& machine) noexcept;

  executors::IExecutor& executor_;
  IMachineOwner& owner_;
  const Options options_;
  IEventWait* const events_;

  platform::Mutex mutex_;
  platform::ConditionVariable left_;
  // All guarded by mutex_.
  std::vector<Machine*> idle_;          // newest last
  Machine* event_waiter_ = nullptr;     // that waits for events, and is not in idle_
  std::vector<std::uint32_t> waiting_;  // workers that no thread runs
  IntrusiveList<Machine>
      ended_;  // whose threads have ended, or are on their last steps; the first to end first
  std::uint32_t threads_ = 0;  // that may still run a worker
  std::uint64_t started_ = 0;
  std::uint64_t peak_ = 0;
  bool ends_ = false;
  metrics::Tally live_;  // threads_, for readers without the lock
};

}  // namespace schedbench::schedulers
