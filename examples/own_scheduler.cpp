// A scheduler on std::thread: one queue, one lock. The program is schedbench with one scheduler more.
#include "config/schema_of.hpp"
#include "schedulers/pool/observed_scheduler.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
using namespace schedbench;
struct OwnConfig {
  config::Field<"workers", std::uint32_t{2}, config::Range{1U, 64U}, "Threads"> workers;
};

class OwnScheduler final : public schedulers::ObservedScheduler {
 public:
  OwnScheduler(const OwnConfig& config, std::uint64_t seed)
      : OwnScheduler(config.workers, seed) {  // so the destructor runs if a thread cannot start
    for (std::uint32_t i = 0; i < config.workers; ++i) {
      threads_.emplace_back(&OwnScheduler::RunWorker, this, i, "own-" + std::to_string(i));
    }
  }
  ~OwnScheduler() override {
    Stop();
  }
  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    OnSubmit(*task, hint);  // first
    const std::lock_guard lock(mutex_);
    tasks_.PushBack(task);
    has_task_.notify_one();
  }
  executors::TaskBase* TakeTask(Worker& worker, bool may_wait) noexcept override {
    std::unique_lock lock(mutex_);
    while (tasks_.IsEmpty() && may_wait && !stopped_) {
      worker.BeginPark();
      has_task_.wait(lock);
      worker.EndPark();
    }
    return tasks_.TryPopFront();
  }
  void Stop() noexcept override {
    std::unique_lock lock(mutex_);
    stopped_ = true;
    lock.unlock();
    has_task_.notify_all();
    threads_.clear();  // joins them
    AbandonSleepers();
  }

 private:
  using ObservedScheduler::ObservedScheduler;
  std::mutex mutex_;
  std::condition_variable has_task_;
  IntrusiveList<executors::TaskBase> tasks_;
  bool stopped_ = false;
  std::vector<std::jthread> threads_;
};
const registry::SchedulerRegistration kOwn{
    {.name = "own",
     .doc = "one queue behind one lock",
     .schema = &config::SchemaOf<OwnConfig>,
     .make = &registry::MakeScheduler<OwnScheduler, OwnConfig>}};
