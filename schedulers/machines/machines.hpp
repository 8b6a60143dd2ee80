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

// The wait for events by which one of the threads without a worker replaces its sleep.
class IEventWait {
 public:
  enum class Begun : std::uint8_t {
    kYes,
    kNothing,    // nothing can be waited for
    kByAnother,  // another thread waits: call EndAbsence() after the sleep
  };

  // Begins to wait. Does not block.
  virtual Begun TryBegin() noexcept = 0;
  virtual void EndAbsence() noexcept = 0;

  // Returns when there are events, or after Break(). The thread that has begun calls this.
  virtual void Wait() noexcept = 0;

  // Ends the wait and submits what its events made ready. The thread that has begun calls this.
  virtual void End() noexcept = 0;

  // Ends Wait(), or the next one. Any thread.
  virtual void Break() noexcept = 0;

 protected:
  ~IEventWait() = default;
};

// The threads of a pool whose workers change their threads. A worker that is to run goes to the
// thread that became idle last, otherwise to the one that waits for events, otherwise to a new one.
// At the limit of threads it waits for the next one that becomes idle. To wake the thread that
// waits for events costs more than a futex call, so it comes after the idle threads.
// (M1) While a worker waits, no thread is idle or waits for events. (M2) A thread in idle_ waits on
// its futex. The thread that takes it out, under mutex_, gives it a worker or its end; when its
// time is over, it takes itself out.
class Machines {
 public:
  struct Options {
    std::string name;           // name of the threads
    std::uint32_t max_threads;  // at least 1
    std::chrono::nanoseconds keep_alive;
  };

  // Starts no thread. `executor`: the pool. `events`: what an idle thread waits for, or null.
  Machines(executors::IExecutor& executor, IMachineOwner& owner, Options options,
           IEventWait* events = nullptr);
  ~Machines();

  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  // Lets a thread run `worker`, which no thread runs. Any thread. If the machine refuses a thread,
  // the worker waits for the next idle one.
  void Run(std::uint32_t worker) noexcept;

  // Run() at the start. Throws std::runtime_error when the machine refuses a thread; no thread that
  // runs may have work then.
  void RunFirst(std::uint32_t worker);

  // Lets the threads end as soon as they run no worker. Any thread.
  void End() noexcept;

  // Returns after End(), when all threads have ended. One caller, once; not one of the threads.
  void Join() noexcept;

  // Numbers of threads. Any thread.
  struct Counts {
    std::uint64_t started;  // threads started so far
    std::uint64_t peak;     // most threads at a time
    std::uint64_t threads;  // threads that exist
    std::uint64_t idle;     // threads that are idle
  };
  Counts Count() noexcept;

  // Returns how many threads exist, without a lock: for reports. Any thread.
  std::uint64_t Threads() const noexcept {
    return live_.Get();
  }

 private:
  // Returns the machine for a new thread, or null if none may be started. Requires: mutex_ is held.
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
  // mutex_ guards these fields.
  std::vector<Machine*> idle_;          // newest last
  Machine* event_waiter_ = nullptr;     // the thread that waits for events; not in idle_
  std::vector<std::uint32_t> waiting_;  // workers that no thread runs
  // Machines whose threads have ended or are ending, in this order.
  IntrusiveList<Machine> ended_;
  std::uint32_t threads_ = 0;  // threads that may still run a worker
  std::uint64_t started_ = 0;
  std::uint64_t peak_ = 0;
  bool ends_ = false;
  metrics::Tally live_;  // threads_, for readers without the lock
};

}  // namespace schedbench::schedulers
