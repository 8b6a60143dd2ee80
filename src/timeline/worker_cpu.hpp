#pragma once

#include "platform/threads/cpu_switches.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/worker_numbers.hpp"
#include "timeline/recording.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace schedbench::timeline {

// Records when the kernel takes the CPU from the workers of all schedulers that are made while it is there. One watcher at a
// time in a process (platform::WatchWorkerThreads). Any thread.
class WorkerCpu final : public platform::IWorkerThreadWatcher {
 public:
  WorkerCpu();

  // Requires: the schedulers are gone, or never call it again.
  virtual ~WorkerCpu();

  WorkerCpu(const WorkerCpu&) = delete;
  WorkerCpu& operator=(const WorkerCpu&) = delete;

  // Records from now on, until Stop(); what is called later does nothing.
  void Begin();
  void Stop();

  // Returns what was recorded, after Stop().
  CpuTimes Take() const;

  void OnBegin(const std::string& name) noexcept override;
  void OnEnd() noexcept override;

 private:
  struct Thread {
    int id = 0;  // the kernel's number
    std::uint32_t worker = 0;
    std::unique_ptr<platform::CpuSwitches> switches{};  // null: refused
    std::string refusal{};
    std::optional<std::uint64_t> queued_ns{};  // while it was recorded, where it is refused
  };

  void Finish(std::list<Thread> ended);

  platform::WorkerNumbers numbers_;
  mutable platform::Mutex mutex_;
  // All guarded by mutex_. Nothing is allocated under it: a thread that gets no memory stops forever, and must not hold the lock
  // then.
  std::list<Thread> threads_;
  std::list<int> ended_in_begin_;    // the numbers of threads that ended while Begin() had the list
  std::list<Thread> ended_;          // that have no switches any more
  std::list<WorkerOffCpu> off_cpu_;  // of them
  bool begun_ = false;
  bool beginning_ = false;  // Begin() has the list
  bool stopped_ = false;
};

}  // namespace schedbench::timeline
