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

// Notified of the start and end of each worker thread while it watches (WatchWorkerThreads()).
class IWorkerThreadWatcher {
 public:
  // Called on the thread, before and after all of its work. Different threads call at the same
  // time. `name`: the name that Thread got.
  virtual void OnBegin(const std::string& name) noexcept = 0;
  virtual void OnEnd() noexcept = 0;

 protected:
  ~IWorkerThreadWatcher() = default;
};

// Makes `watcher`, or none if null, replace the current watcher for worker threads that start from
// now on. It is notified of the end of each thread whose start it saw, and must live until then;
// for a ForeignWorker only while it watches. One thread calls it.
void WatchWorkerThreads(IWorkerThreadWatcher* watcher) noexcept;

// A worker thread with the number at the end of its name.
struct LiveWorker {
  std::uint32_t number;
  int thread;  // the kernel's number of it
};

// Returns the live worker threads whose names have a number. Any thread.
std::vector<LiveWorker> LiveWorkers();

// Makes the calling thread a worker for a scope: profiles sample it, and its signal stack is ready.
// For schedulers that start their threads without Thread:
//   std::thread([this, i] { const platform::WorkerScope worker("mine-" + std::to_string(i)); ... })
class WorkerScope {
 public:
  // `name`: for the thread; a number at its end is the worker's index. Requires: not a worker yet.
  explicit WorkerScope(const std::string& name);
  ~WorkerScope();

  WorkerScope(const WorkerScope&) = delete;
  WorkerScope& operator=(const WorkerScope&) = delete;

 private:
  friend std::vector<LiveWorker> LiveWorkers();

  SignalStack stack_;
  WorkerStalls stalls_;
  // Part of a list of all scopes, which its lock guards.
  std::uint32_t number_;
  int thread_;
  WorkerScope* previous_ = nullptr;
  WorkerScope* next_ = nullptr;
  IWorkerThreadWatcher* watcher_;
};

// Makes a thread known to the watcher, without a name, if it runs a fiber and is not a worker. The
// fibers' own thread state has one. No effect on a worker, which is known already.
class ForeignWorker {
 public:
  ForeignWorker() noexcept;
  ~ForeignWorker();

  ForeignWorker(const ForeignWorker&) = delete;
  ForeignWorker& operator=(const ForeignWorker&) = delete;

 private:
  IWorkerThreadWatcher* watcher_ = nullptr;  // the notified one, or null
};

// An operating system thread with a name for debuggers and perf, and a stack for signal handlers
// (SignalStack). Its destructor joins.
class Thread {
 public:
  // Starts `body`. The kernel keeps 15 bytes of the name. If no thread can be started, throws
  // std::runtime_error, which names the limits to check.
  Thread(std::string name, std::function<void()> body, ThreadRole role = ThreadRole::kService);
  ~Thread();

  Thread(Thread&&) = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void Join();

 private:
  std::thread thread_;
};

// Aborts with a message in a child of fork() whose parent had a Thread, which the child lacks.
void RefuseInChildOfFork() noexcept;

// Returns the number at the end of a worker's name: 3 for "fast-3"; nothing without a number.
std::optional<std::uint32_t> WorkerNumber(std::string_view name) noexcept;

// Returns the calling thread's name in the kernel; it ends with 0. Async-signal-safe.
std::array<char, 16> ThreadName() noexcept;

// Returns the calling thread's unique number, from 1. A fiber asks anew after each switch.
std::uint64_t ThreadNumber() noexcept;

// Limits the delay of the calling thread's timed waits to `ns`: the kernel gathers wakes within 50
// us by default. 0 means the default.
void SetTimerSlack(std::uint64_t ns) noexcept;

// Lets each worker thread that starts from now on run on one CPU only: that of its number among
// those of the process, starting over after the last CPU. Workers without a number take turns. One
// thread calls it before the workers start. Throws std::runtime_error if the kernel refuses.
void PinWorkers();

// Returns the number of CPUs that this process may run on (its affinity mask), at least 1.
std::uint32_t AllowedCpus() noexcept;

// Returns AllowedCpus(), limited by the quota of the control groups at the first call, rounded up:
// 0.5 CPUs are one. The number of workers that use all that this process may have.
std::uint32_t AvailableCpus();

}  // namespace schedbench::platform
