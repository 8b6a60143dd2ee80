#pragma once

#include "executors/task.hpp"
#include "metrics/metric_list.hpp"
#include "registry/scheduler.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace schedbench::tests {

// One worker. Looks at what came from outside only when it has no task of its own; so do others
// starve tasks that its own tasks never let in.
class StarvingScheduler final : public registry::IScheduler {
 public:
  // The order of its own tasks.
  enum class Order : std::uint8_t { kOldestFirst, kNewestFirst };

  explicit StarvingScheduler(Order order)
      : order_(order),
        worker_([this] { Work(); }) {
  }

  ~StarvingScheduler() {
    Stop();
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    if (std::this_thread::get_id() == worker_.get_id()) {
      own_.push_back(task);
      return;
    }
    const std::lock_guard lock(mutex_);
    ++external_submissions_;
    outside_.push_back(task);
    changed_.notify_all();
  }

  void WaitIdle() noexcept override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return asleep_ && outside_.empty(); });
  }

  void Stop() noexcept override {
    if (!worker_.joinable()) {
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_all();
    }
    worker_.join();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    std::vector<registry::WorkerReading> readings(1);
    readings.front().values.resize(metrics::WorkerMetricList().size());
    return readings;
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    const std::lock_guard lock(mutex_);
    return external_submissions_;
  }

 private:
  void Work() {
    while (TakeExternal()) {
      while (!own_.empty()) {
        TakeOwn()->Run();
      }
    }
  }

  executors::TaskBase* TakeOwn() {
    executors::TaskBase* task = nullptr;
    if (order_ == Order::kOldestFirst) {
      task = own_.front();
      own_.pop_front();
    } else {
      task = own_.back();
      own_.pop_back();
    }
    return task;
  }

  // Takes all there is, to be its own; false when it is to stop.
  bool TakeExternal() {
    std::unique_lock lock(mutex_);
    asleep_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return stop_ || !outside_.empty(); });
    asleep_ = false;
    std::swap(own_, outside_);
    return !own_.empty();
  }

  const Order order_;
  std::deque<executors::TaskBase*> own_;  // of the worker
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::deque<executors::TaskBase*> outside_;
  std::uint64_t external_submissions_ = 0;
  bool asleep_ = false;
  bool stop_ = false;
  std::thread worker_;
};

}  // namespace schedbench::tests
