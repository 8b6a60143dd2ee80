#include "schedulers/peers/boost_fiber/pool.hpp"

#include "executors/task.hpp"

#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/algo/shared_work.hpp>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <fmt/core.h>

#include <array>
#include <stdexcept>

namespace schedbench::schedulers::peers {

namespace {

constexpr std::size_t kSubmittedCapacity = 4096;  // a sender waits while the channel is full

bool SameConfig(const BoostFiberConfig& one, const BoostFiberConfig& other) {
  return one.workers == other.workers && one.suspend == other.suspend &&
         one.stack_kb == other.stack_kb;
}

// An algorithm that counts the switches of its thread to fibers of the workload. It does not count
// Boost's own fibers: the main fiber and the dispatcher of each thread.
template <typename Algorithm>
class Counted final : public Algorithm {
 public:
  template <typename... Arguments>
  explicit Counted(Arguments... arguments)
      : Algorithm(arguments...),
        worker_(*BoostFiberPool::Current()) {
  }

  boost::fibers::context* pick_next() noexcept override {
    boost::fibers::context* const next = Algorithm::pick_next();
    if (next != nullptr && next->is_context(boost::fibers::type::worker_context)) {
      worker_.metrics.from_local.Add();
      worker_.metrics.tasks_run.Add();
    }
    return next;
  }

 private:
  BoostFiberPool::Worker& worker_;
};

template <typename Algorithm, typename... Arguments>
void Use(Arguments... arguments) {
  boost::fibers::use_scheduling_algorithm<Counted<Algorithm>>(arguments...);
}

struct Instance {
  BoostFiberConfig config;
  BoostFiberPool* pool;
};

}  // namespace

BoostFiberPool& BoostFiberPool::Get(Sharing sharing, const BoostFiberConfig& config) {
  static platform::Mutex mutex;
  static std::array<std::unique_ptr<Instance>, 2> instances;  // indexed by Sharing
  const platform::MutexLock lock(mutex);
  std::unique_ptr<Instance>& slot = instances[static_cast<std::size_t>(sharing)];
  if (slot == nullptr) {
    // The pool is never destroyed: see the class.
    slot = std::make_unique<Instance>(Instance{config, new BoostFiberPool(sharing, config)});
  } else if (!SameConfig(slot->config, config)) {
    throw std::runtime_error(fmt::format(
        "Boost.Fiber starts its threads once per process, and this one has {} with "
        "suspend={}, stack_kb={}",
        slot->config.workers.value, slot->config.suspend.value, slot->config.stack_kb.value));
  }
  return *slot->pool;
}

BoostFiberPool::BoostFiberPool(Sharing sharing, const BoostFiberConfig& config)
    : workers_(config.workers),
      suspend_(config.suspend),
      stacks_(std::size_t{config.stack_kb} * 1024),
      submitted_(kSubmittedCapacity),
      all_there_(config.workers) {
  for (std::uint32_t i = 0; i < workers_; ++i) {
    thread_workers_.push_back(std::make_unique<Worker>(Worker{.pool = this, .metrics = {}}));
  }
  for (const auto& worker : thread_workers_) {
    threads_.emplace_back(
        "boost-fiber",
        [this, sharing, worker = worker.get()] {
          CurrentWorker::Set(worker);
          if (workers_ == 1) {
            // Boost's default: with one thread work_stealing would search for a victim forever.
            Use<boost::fibers::algo::round_robin>();
          } else if (sharing == Sharing::kWorkStealing) {
            Use<boost::fibers::algo::work_stealing>(workers_, suspend_);
          } else {
            Use<boost::fibers::algo::shared_work>(suspend_);
          }
          all_there_.arrive_and_wait();
          Serve();
        },
        platform::ThreadRole::kWorker);
  }
  all_there_.wait();
}

void BoostFiberPool::Submit(executors::TaskBase* task) noexcept {
  {
    const platform::MutexLock lock(mutex_);
    if (!awake_) {
      awake_ = true;
      parked_ = 0;
      ++unparks_;
      changed_.NotifyAll();
    }
  }
  submitted_.push(task);
}

void BoostFiberPool::Park() noexcept {
  {
    const platform::MutexLock lock(mutex_);
    if (!awake_) {
      return;
    }
  }
  for (std::uint32_t i = 0; i < workers_; ++i) {
    submitted_.push(nullptr);
  }
  const platform::MutexLock lock(mutex_);
  while (parked_ != workers_) {
    changed_.Wait(mutex_);
  }
  awake_ = false;
}

void BoostFiberPool::Serve() noexcept {
  std::uint64_t seen = 0;
  for (;;) {
    {
      const platform::MutexLock lock(mutex_);
      while (unparks_ == seen) {
        changed_.Wait(mutex_);
      }
      seen = unparks_;
    }
    TakeSubmitted();
    const platform::MutexLock lock(mutex_);
    if (++parked_ == workers_) {
      changed_.NotifyAll();
    }
  }
}

std::vector<registry::WorkerReading> BoostFiberPool::ReadWorkers() const {
  std::vector<registry::WorkerReading> readings;
  for (const auto& worker : thread_workers_) {
    readings.push_back(
        {.values = metrics::ReadMetrics(worker->metrics), .wakeup_ticks = {}, .run_ticks = {}});
  }
  return readings;
}

void BoostFiberPool::TakeSubmitted() noexcept {
  while (executors::TaskBase* const task = submitted_.value_pop()) {
    boost::fibers::fiber(boost::fibers::launch::post, std::allocator_arg, Stacks(), [task] {
      task->Run();
    }).detach();
  }
}

}  // namespace schedbench::schedulers::peers
