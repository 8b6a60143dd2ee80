#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task_source.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"

#include <cstdint>
#include <optional>

namespace schedbench::schedulers {

class Machine;

// A pool whose workers change their threads.
class IMachineOwner {
 public:
  // Runs worker number `worker` on the calling thread, that of `machine`, until it leaves the
  // worker or all has ended.
  virtual void Serve(std::uint32_t worker, Machine& machine) noexcept = 0;

  // Called when a part of a fiber has ended on a thread without a worker, after what it submitted.
  virtual void TaskDoneOutside(Machine& machine) noexcept = 0;

  // Does ITaskSource::EndBlocking() for a thread that runs no worker.
  virtual executors::ITaskSource* EndBlocking(Machine& machine) noexcept = 0;

 protected:
  ~IMachineOwner() = default;
};

// A thread that can run a worker: Go's M. While the running fiber is in a blocking call the thread
// runs no worker, and this object is the task source of its loop, without tasks. It belongs to its
// thread, except for the parts that Machines guards.
class alignas(kCacheLine) Machine final : public executors::ITaskSource,
                                          public IntrusiveNode<Machine> {
 public:
  Machine(executors::IExecutor& executor, IMachineOwner& owner)
      : ITaskSource(executor),
        owner_(owner) {
  }

  // ---- ITaskSource ----

  executors::TaskBase* PickTask() noexcept override {
    return nullptr;  // the loop ends, and the thread becomes idle
  }
  executors::TaskBase* TryPickTask() noexcept override {
    return nullptr;
  }
  void TaskDone(bool /*ended*/) noexcept override {
    owner_.TaskDoneOutside(*this);
  }
  void RunAgain() noexcept override {
  }
  executors::ITaskSource* EndBlocking() noexcept override {
    return owner_.EndBlocking(*this);
  }

  // ---- Its thread, for the owner ----

  // The kernel's number of the thread; 0 before it runs.
  int Thread() const noexcept {
    return thread_number_;
  }

  // State of the blocking call of the running fiber.
  enum class Call : std::uint8_t {
    kNone,
    kKeepsWorker,  // the worker waits for the call, or another thread has taken it over
    kHandedOff,    // the worker has been handed off
  };

  Call call = Call::kNone;
  std::uint32_t worker = 0;  // worker that it ran last
  // Fibers that only this thread may resume, the oldest first.
  IntrusiveList<executors::TaskBase> pinned;
  std::uint64_t call_number = 0;  // for kKeepsWorker: CallWord::Begin()
  bool has_seed = false;          // its thread has seeded its random choices

 private:
  friend class Machines;

  int thread_number_ = 0;

  IMachineOwner& owner_;
  // Guarded by the lock of Machines.
  std::optional<std::uint32_t> next_worker_;  // worker to run
  bool is_idle_ = false;
  platform::Mutex starting_;
  std::optional<platform::Thread> thread_;  // guarded by starting_
  Atomic<std::uint32_t> wakeups_{0};        // futex of the idle thread; relaxed: under the lock
};

}  // namespace schedbench::schedulers
