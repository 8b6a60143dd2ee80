#pragma once

#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "metrics/worker_metrics.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "registry/scheduler.hpp"

#include <boost/fiber/buffered_channel.hpp>
#include <boost/fiber/fixedsize_stack.hpp>

#include <cstdint>
#include <latch>
#include <memory>
#include <vector>

namespace schedbench::schedulers::peers {

struct BoostFiberConfig {
  // clang-format off
  config::Field<"workers", std::uint32_t{0}, config::Range{0U, 1024U}, "Threads; 0 = one per CPU that the process may use"> workers;
  config::Field<"suspend", true, config::AnyOf{}, "A thread that finds no fiber sleeps, as the parameter of that name of the algorithms has it; false, their own default: it goes on looking, which takes the others' locks and is many times slower"> suspend;
  config::Field<"stack_kb", std::uint32_t{128}, config::Range{8U, 65536U}, "Stack of a fiber in KiB, from the heap; 128 is Boost's default"> stack_kb;
  // clang-format on
};

// How the threads share fibers.
enum class Sharing : std::uint8_t {
  kWorkStealing,  // boost::fibers::algo::work_stealing: a queue for each thread
  kSharedWork,    // boost::fibers::algo::shared_work: one queue for all
};

// Threads with one of Boost.Fiber's scheduling algorithms. What comes from outside goes through a channel to whichever thread
// is free to take it, and becomes a fiber there; what a fiber starts becomes a fiber at once.
//
// The algorithms keep their threads in static variables that are filled once in a process: so a pool is never ended, and there
// is one of each kind. While nobody measures, its threads sleep outside of Boost.Fiber, whose own would look for fibers all
// the time.
class BoostFiberPool {
 public:
  // The pool of this kind. Throws std::runtime_error when there is one already with another config.
  static BoostFiberPool& Get(Sharing sharing, const BoostFiberConfig& config);

  // From a thread that is none of the pool's.
  void Submit(executors::TaskBase* task) noexcept;

  // The threads go to sleep when they have nothing to run. What is submitted wakes them.
  void Rest() noexcept;

  // What a thread of the pool is to the fibers on it, and what it counts. Its own, but for reading.
  struct alignas(kCacheLine) Worker {
    BoostFiberPool* pool;
    metrics::WorkerMetrics metrics;
  };

  // Of the thread that calls; null: it is none of a pool.
  static Worker* Current() noexcept {
    return CurrentWorker::Get();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const;

  // Makes stacks from the heap; a copy is as good.
  boost::fibers::fixedsize_stack Stacks() const {
    return stacks_;
  }

 private:
  using CurrentWorker = platform::ThreadLocalPtr<Worker, BoostFiberPool>;

  BoostFiberPool(Sharing sharing, const BoostFiberConfig& config);

  [[noreturn]] void Serve() noexcept;
  // Fibers from what is submitted, until it is time to rest.
  void TakeSubmitted() noexcept;

  const std::uint32_t workers_;
  const bool suspend_;
  const boost::fibers::fixedsize_stack stacks_;
  // Null: the thread that takes it is to rest.
  boost::fibers::buffered_channel<executors::TaskBase*> submitted_;
  // The algorithm looks into the queues of all threads from its first moment.
  std::latch all_there_;

  platform::Mutex mutex_;
  platform::ConditionVariable changed_;
  // Guarded by mutex_.
  std::uint64_t wakes_ = 0;  // how often the threads were woken
  std::uint32_t resting_ = 0;
  bool awake_ = false;

  std::vector<std::unique_ptr<Worker>> thread_workers_;
  std::vector<platform::Thread> threads_;
};

}  // namespace schedbench::schedulers::peers
