#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"
#include "schedulers/peers/config.hpp"
#include "schedulers/peers/native_scheduler.hpp"

#include <boost/asio/defer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <utility>

namespace schedbench::schedulers::peers {

// Asio's thread_pool with handlers. Asio gives a pool of one thread the concurrency hint 1.
class AsioHandlerPool final : public NativeScheduler {
 public:
  explicit AsioHandlerPool(const PeerConfig& config)
      : NativeScheduler(config.workers),
        pool_(config.workers.value) {
  }

  ~AsioHandlerPool() override {
    Stop();
  }

  AsioHandlerPool(const AsioHandlerPool&) = delete;
  AsioHandlerPool& operator=(const AsioHandlerPool&) = delete;

  // A yield goes through defer(), which is meant for continuations of the caller.
  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    if (hint != executors::SchedulerHint::Yield) {
      Start([task] { task->Run(); });
      return;
    }
    boost::asio::defer(pool_, [this, task] {
      Enter();
      task->Run();
    });
  }

  template <std::invocable Body>
  void Start(Body body) {
    CountSpawn();
    boost::asio::post(pool_, [this, body = std::move(body)] {
      Enter();
      body();
    });
  }

  // Workloads wait for their handlers themselves.
  void WaitIdle() noexcept override {
  }

  void Stop() noexcept override {
    pool_.join();
  }

 private:
  // Asio does not number its threads. Each gets a number at its first handler.
  void Enter() noexcept {
    if (current_ == nullptr) [[unlikely]] {
      current_ = &At(threads_.FetchAdd(1, memory_order_relaxed));
    }
    CountRun();
  }

  Atomic<std::size_t> threads_{0};  // relaxed: the number only has to be unique
  boost::asio::thread_pool pool_;
};

}  // namespace schedbench::schedulers::peers
