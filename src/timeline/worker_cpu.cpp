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
  std::list<Thread> one(1);
  Thread& thread = one.front();
  thread.id = platform::KernelThreadId();
  thread.worker = numbers_.Take(name, thread.id);
  thread.switches = platform::CpuSwitches::Open(thread.id, thread.refusal);
  if (thread.switches == nullptr) {
    thread.queued_ns = platform::ThreadQueuedNs(thread.id);
  }
  const MutexLock lock(mutex_);
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
  numbers_.Release(id);
  std::list<Thread> ended;
  std::list<int> ended_id{id};
  {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find(threads_, id, &Thread::id);
    if (found == threads_.end()) {
      if (beginning_) {
        ended_in_begin_.splice(ended_in_begin_.end(), ended_id);
      }
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
    beginning_ = true;
    threads.swap(threads_);
  }
  for (Thread& thread : threads) {
    if (thread.switches != nullptr) {
      thread.switches->Begin();
    } else {
      thread.queued_ns = platform::ThreadQueuedNs(thread.id);
    }
  }
  std::list<Thread> ended;
  {
    const MutexLock lock(mutex_);
    beginning_ = false;
    for (const int id : ended_in_begin_) {
      const auto found = std::ranges::find(threads, id, &Thread::id);
      if (found != threads.end()) {
        found->queued_ns.reset();  // another thread may have its number now
        ended.splice(ended.end(), threads, found);
      }
    }
    ended_in_begin_.clear();
    threads_.splice(threads_.end(), threads);
  }
  Finish(std::move(ended));
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
               now_ns && thread.queued_ns && *now_ns >= *thread.queued_ns) {
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
