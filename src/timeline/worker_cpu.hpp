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

// Records when the kernel takes the CPU from the workers of all schedulers that are made during its
// life. One watcher at a time in a process (platform::WatchWorkerThreads). Any thread.
class WorkerCpu final : public platform::IWorkerThreadWatcher {
 public:
  WorkerCpu();

  // Requires: the schedulers no longer exist, or never call it again.
  virtual ~WorkerCpu();

  WorkerCpu(const WorkerCpu&) = delete;
  WorkerCpu& operator=(const WorkerCpu&) = delete;

  // Records from Begin() until Stop(); later calls have no effect.
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
    // If it was refused: waiting time during the recording.
    std::optional<std::uint64_t> queued_ns{};
  };

  void Finish(std::list<Thread> ended);

  platform::WorkerNumbers numbers_;
  mutable platform::Mutex mutex_;
  // mutex_ guards all fields below. Code under it does not allocate: a thread that gets no memory
  // stops forever, and must not hold the lock.
  std::list<Thread> threads_;
  std::list<int> ended_in_begin_;    // numbers of threads that ended while Begin() had the list
  std::list<Thread> ended_;          // threads without switches
  std::list<WorkerOffCpu> off_cpu_;  // times of ended threads
  bool begun_ = false;
  bool beginning_ = false;  // Begin() has the list
  bool stopped_ = false;
};

}  // namespace schedbench::timeline
