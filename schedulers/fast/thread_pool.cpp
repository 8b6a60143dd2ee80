#include "schedulers/fast/thread_pool.hpp"

#include "base/random.hpp"
#include "executors/scheduler_side.hpp"
#include "platform/fork.hpp"

#include <algorithm>
#include <string>

namespace schedbench::schedulers::fast {

namespace {

// Half of the workers, as in Go and Tokio: more would only take each other's finds away.
std::uint32_t MaxSearching(const FastConfig& config) {
  return config.max_searching == 0 ? (config.workers + 1) / 2 : config.max_searching.value;
}

}  // namespace

ThreadPool::ThreadPool(const FastConfig& config, std::uint64_t seed)
    : coordinator_(config.workers, MaxSearching(config)),
      stacks_(fibers::StackPool::Make(config.stacks.value)),
      seed_(seed),
      made_in_(platform::ForkGeneration()) {
  for (std::uint32_t i = 0; i < config.workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, i, config, DeriveSeed(seed, i)));
  }
  try {
    for (std::uint32_t i = 0; i < config.workers; ++i) {
      threads_.emplace_back("fast-" + std::to_string(i), [this, i] {
        workers_[i]->Work();
      });
    }
  } catch (...) {
    coordinator_.Abandon();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  if (!threads_.empty()) {
    Stop();
  }
}

void ThreadPool::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  executors::HappensBefore(*task);
  const executors::SchedulerSide side;
  Worker* const worker = Worker::Current();
  if (worker != nullptr && worker->IsOf(*this)) [[likely]] {
    worker->Submit(task, hint);
    return;
  }
  SubmitFromOutside(task);
}

void ThreadPool::SubmitFromOutside(TaskBase* task) noexcept {
  platform::RequireSameProcess(made_in_);
  // A thread has one sampler for all pools, of the seed of the first: it only chooses which tasks are timed.
  thread_local metrics::ReadySampler sampler(seed_);
  sampler.OnReady(task->ready_stamp);
  global_queue_.PushFromOutside(task);
  coordinator_.Notify();
}

void ThreadPool::WaitIdle() noexcept {
  platform::RequireSameProcess(made_in_);
  coordinator_.WaitIdle([this] {
    return AllDone();
  });
  executors::HappensAfter(*this);
}

bool ThreadPool::AllDone() const noexcept {
  // First what is done, then what was submitted: README.md, "Waiting for idleness", proves that equal sums
  // then mean that nothing is left, and why the other order would not do.
  std::uint64_t done = 0;
  for (const auto& worker : workers_) {
    done += worker->Metrics().tasks_run.GetAcquire();
  }
  std::uint64_t submitted = global_queue_.PushedFromOutside();
  for (const auto& worker : workers_) {
    submitted += worker->Metrics().tasks_submitted.Get();
  }
  return done == submitted;
}

void ThreadPool::Stop() noexcept {
  platform::RequireSameProcess(made_in_);
  coordinator_.RequestStop();
  threads_.clear();
}

bool ThreadPool::HasWork() const noexcept {
  return !global_queue_.IsEmpty() || std::ranges::any_of(workers_, [](const auto& worker) {
    return worker->HasTasksToSteal();
  });
}

std::vector<registry::WorkerReading> ThreadPool::ReadWorkers() const {
  std::vector<registry::WorkerReading> readings;
  for (const auto& worker : workers_) {
    readings.push_back({.values = metrics::ReadMetrics(worker->Metrics()),
                        .wakeup_ticks = worker->Latency().Snapshot()});
  }
  return readings;
}

std::uint64_t ThreadPool::SubmittedFromOutside() const noexcept {
  return global_queue_.PushedFromOutside();
}

}  // namespace schedbench::schedulers::fast
