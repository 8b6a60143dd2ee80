#include "timeline/worker_cpu.hpp"

#include "platform/threads/this_thread.hpp"
#include "platform/threads/thread_times.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::timeline {

using platform::MutexLock;

WorkerCpu::WorkerCpu() {
  platform::WatchWorkerThreads(this);
}

WorkerCpu::~WorkerCpu() {
  platform::WatchWorkerThreads(nullptr);
}

void WorkerCpu::OnBegin(const std::string& name) noexcept {
  const std::optional<std::uint32_t> number = platform::WorkerNumber(name);
  std::list<Thread> one(1);
  Thread& thread = one.front();
  thread.id = platform::KernelThreadId();
  thread.switches = platform::CpuSwitches::Open(thread.id, thread.refusal);
  if (thread.switches == nullptr) {
    thread.queued_ns = platform::ThreadQueuedNs(thread.id);
  }
  const MutexLock lock(mutex_);
  thread.worker = number.value_or(begun_threads_++);
  if (stopped_) {
    return;
  }
  if (begun_ && thread.switches != nullptr) {
    thread.switches->Begin();
  }
  threads_.splice(threads_.end(), one);
}

void WorkerCpu::OnEnd() noexcept {
  const int id = platform::KernelThreadId();
  std::list<Thread> ended;
  {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find(threads_, id, &Thread::id);
    if (found == threads_.end()) {
      return;
    }
    ended.splice(ended.end(), threads_, found);
  }
  Finish(std::move(ended));
}

void WorkerCpu::Begin() {
  std::list<Thread> threads;
  {
    const MutexLock lock(mutex_);
    begun_ = true;
    threads.swap(threads_);
  }
  for (Thread& thread : threads) {
    if (thread.switches != nullptr) {
      thread.switches->Begin();
    } else {
      thread.queued_ns = platform::ThreadQueuedNs(thread.id);
    }
  }
  const MutexLock lock(mutex_);
  threads_.splice(threads_.end(), threads);
}

void WorkerCpu::Stop() {
  std::list<Thread> ended;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ended.swap(threads_);
  }
  Finish(std::move(ended));
}

CpuTimes WorkerCpu::Take() const {
  CpuTimes times;
  const MutexLock lock(mutex_);
  times.workers.assign(off_cpu_.begin(), off_cpu_.end());
  for (const Thread& thread : ended_) {
    if (!thread.refusal.empty()) {
      times.refusal = thread.refusal;
    }
    if (thread.queued_ns) {
      times.queued_ns = times.queued_ns.value_or(0) + *thread.queued_ns;
    }
  }
  return times;
}

void WorkerCpu::Finish(std::list<Thread> ended) {
  std::list<WorkerOffCpu> off_cpu;
  for (Thread& thread : ended) {
    if (thread.switches != nullptr) {
      platform::CpuSwitches::Log log = thread.switches->Stop();
      off_cpu.push_back({.worker = thread.worker,
                         .off = std::move(log.times),
                         .complete_from_ns = log.complete_from_ns});
      thread.switches = nullptr;
    } else if (const auto now_ns = platform::ThreadQueuedNs(thread.id);
               now_ns && thread.queued_ns) {
      thread.queued_ns = *now_ns - *thread.queued_ns;
    } else {
      thread.queued_ns.reset();
    }
  }
  const MutexLock lock(mutex_);
  ended_.splice(ended_.end(), ended);
  off_cpu_.splice(off_cpu_.end(), off_cpu);
}

}  // namespace schedbench::timeline
