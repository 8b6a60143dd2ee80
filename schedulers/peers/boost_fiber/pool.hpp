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
  config::Field<"workers", 0U, config::Range{0U, 1024U},
      "Threads; 0 = one per CPU that the process may use"> workers;
  config::Field<"suspend", true, config::AnyOf{}, "A thread that finds no ready fiber sleeps (the "
      "parameter of this name of the algorithms). false, Boost's default: it keeps searching, "
      "which takes the locks of other threads and is many times slower"> suspend;
  config::Field<"stack_kb", 128U, config::Range{8U, 65536U},
      "Stack of a fiber in KiB, from the heap; 128 is Boost's default"> stack_kb;
  // clang-format on
};

// The ways in which threads share fibers.
enum class Sharing : std::uint8_t {
  kWorkStealing,  // boost::fibers::algo::work_stealing: a queue for each thread
  kSharedWork,    // boost::fibers::algo::shared_work: one queue for all
};

// Threads with one of Boost.Fiber's scheduling algorithms. External submissions go through a
// channel; a free thread makes fibers of them. A fiber that a fiber starts needs no channel. The
// algorithms keep their threads in static variables that are filled once per process. So a pool
// never ends, and there is one of each kind. Between rounds its threads park outside of
// Boost.Fiber, whose algorithms would search for fibers all the time.
class BoostFiberPool {
 public:
  // Returns the pool of this kind. Throws std::runtime_error if it exists with another config.
  static BoostFiberPool& Get(Sharing sharing, const BoostFiberConfig& config);

  // Submits a task. Requires: the caller is not a thread of the pool.
  void Submit(executors::TaskBase* task) noexcept;

  // Parks the threads when they have nothing to run. A submit unparks them.
  void Park() noexcept;

  // A thread of the pool as the fibers on it see it, and its metrics. Only this thread writes them.
  struct alignas(kCacheLine) Worker {
    BoostFiberPool* pool;
    metrics::WorkerMetrics metrics;
  };

  // Returns the worker of the calling thread; null if the thread does not belong to a pool.
  static Worker* Current() noexcept {
    return CurrentWorker::Get();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const;

  // Allocates stacks from the heap. Copies are equal.
  boost::fibers::fixedsize_stack Stacks() const {
    return stacks_;
  }

 private:
  using CurrentWorker = platform::ThreadLocalPtr<Worker, BoostFiberPool>;

  BoostFiberPool(Sharing sharing, const BoostFiberConfig& config);

  [[noreturn]] void Serve() noexcept;
  // Makes fibers of submitted tasks until it receives null.
  void TakeSubmitted() noexcept;

  const std::uint32_t workers_;
  const bool suspend_;
  const boost::fibers::fixedsize_stack stacks_;
  // A thread that receives null parks.
  boost::fibers::buffered_channel<executors::TaskBase*> submitted_;
  // All threads wait here, because the algorithm reads the queues of all threads from its start.
  std::latch all_there_;

  platform::Mutex mutex_;
  platform::ConditionVariable changed_;
  // mutex_ guards these fields.
  std::uint64_t unparks_ = 0;  // number of times that the threads were unparked
  std::uint32_t parked_ = 0;   // number of parked threads
  bool awake_ = false;

  std::vector<std::unique_ptr<Worker>> thread_workers_;
  std::vector<platform::Thread> threads_;
};

}  // namespace schedbench::schedulers::peers
