#pragma once

#include "platform/threads/signal_stack.hpp"
#include "platform/threads/worker_stalls.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace schedbench::platform {

enum class ThreadRole : std::uint8_t {
  kWorker,  // runs a scheduler's tasks
  kService  // all others
};

// Notified of each worker thread that begins or ends while it watches (WatchWorkerThreads()).
class IWorkerThreadWatcher {
 public:
  // On the thread, before and after all that it does. `name`: as it was given to Thread. Different threads call at the same
  // time.
  virtual void OnBegin(const std::string& name) noexcept = 0;
  virtual void OnEnd() noexcept = 0;

 protected:
  ~IWorkerThreadWatcher() = default;
};

// Notifies `watcher` of worker threads that start from now on, in place of the one before; null: none. A watcher is notified of
// the end of each thread of whose begin it was notified, and must live until then; of a ForeignWorker only while it watches.
// One thread.
void WatchWorkerThreads(IWorkerThreadWatcher* watcher) noexcept;

// A worker thread, by the number at the end of its name.
struct LiveWorker {
  std::uint32_t number;
  int thread;  // the kernel's number of it
};

// The worker threads that exist and whose names have a number. Any thread.
std::vector<LiveWorker> LiveWorkers();

// Makes the calling thread a worker from construction to the end of the scope: profiles sample it, and its stack of signal
// handlers is ready. For schedulers that start their threads without Thread:
//   std::thread([this, i] { const platform::WorkerScope worker("mine-" + std::to_string(i)); ... })
class WorkerScope {
 public:
  // `name`: of the thread; a number at its end is the worker's index. Requires: the thread is no worker yet.
  explicit WorkerScope(const std::string& name);
  ~WorkerScope();

  WorkerScope(const WorkerScope&) = delete;
  WorkerScope& operator=(const WorkerScope&) = delete;

 private:
  friend std::vector<LiveWorker> LiveWorkers();

  SignalStack stack_;
  WorkerStalls stalls_;
  // In a list of all, guarded by its lock.
  std::uint32_t number_;
  int thread_;
  WorkerScope* previous_ = nullptr;
  WorkerScope* next_ = nullptr;
  IWorkerThreadWatcher* watcher_;
};

// The same without a name and without being asked for: a thread that runs a fiber and is no worker. The fibers' own thread
// state has one. A worker is known already.
class ForeignWorker {
 public:
  ForeignWorker() noexcept;
  ~ForeignWorker();

  ForeignWorker(const ForeignWorker&) = delete;
  ForeignWorker& operator=(const ForeignWorker&) = delete;

 private:
  IWorkerThreadWatcher* watcher_ = nullptr;  // that was notified; null: none
};

// An operating system thread with a name that debuggers and perf show, and a stack of its own for signal handlers
// (SignalStack). Joins in its destructor.
class Thread {
 public:
  // Starts `body`. The kernel keeps 15 bytes of the name.
  // Throws std::runtime_error that names the limits to look at when no thread can be had.
  Thread(std::string name, std::function<void()> body, ThreadRole role = ThreadRole::kService);
  ~Thread();

  Thread(Thread&&) = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void Join();

 private:
  std::thread thread_;
};

// Aborts with a message in a child of fork() whose parent had a Thread: the child has none of its threads.
void RefuseInChildOfFork() noexcept;

// Returns the number that a worker's name ends with: 3 of "fast-3". None where all threads of a scheduler have one name.
std::optional<std::uint32_t> WorkerNumber(std::string_view name) noexcept;

// The calling thread's name, as the kernel keeps it; ends with 0. Async-signal-safe.
std::array<char, 16> ThreadName() noexcept;

// Returns a number that no other thread of this process has or had, from 1. A fiber asks anew after each switch.
std::uint64_t ThreadNumber() noexcept;

// Lets the kernel wake the calling thread from timed waits at most `ns` late, where it may: it gathers wake-ups within 50 us by
// default. 0 means the default.
void SetTimerSlack(std::uint64_t ns) noexcept;

// From now on each worker thread that starts may run on one CPU only: the one of its number among those that the process may use,
// from the first one again where there are more workers than CPUs. Workers without a number take turns. One thread, before the workers start.
// Throws std::runtime_error where the kernel refuses that.
void PinWorkers();

// Number of CPUs that this process may run on (its affinity mask), at least 1.
std::uint32_t AllowedCpus() noexcept;

// The same, and no more than the quota of its control groups at its first call pays for, rounded
// up: 0.5 CPUs are one. The number of workers that use all of what this process may have.
std::uint32_t AvailableCpus();

}  // namespace schedbench::platform
