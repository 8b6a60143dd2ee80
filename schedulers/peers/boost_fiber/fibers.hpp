#pragma once

#include "base/atomic.hpp"
#include "executors/hint.hpp"
#include "executors/submit.hpp"
#include "platform/memory/memory.hpp"
#include "schedulers/peers/boost_fiber/pool.hpp"

#include <boost/fiber/buffered_channel.hpp>
#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/operations.hpp>
#include <boost/fiber/unbuffered_channel.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace schedbench::schedulers::peers {

// boost::fibers::mutex under the names of our mutex.
class FiberMutex {
 public:
  void Lock() {
    mutex_.lock();
  }

  void Unlock() {
    mutex_.unlock();
  }

 private:
  boost::fibers::mutex mutex_;
};

// Boost.Fiber's fibers and primitives with the members of `Fibers` in workloads/parts/fibers.hpp.
// The workloads of this peer are compiled with this class instead.
struct BoostFibers {
  // A stack from the heap: its top page, the page of the allocator's header, the control block.
  static inline const std::uint64_t kBytesPerFiber = 3 * platform::kPageBytes;
  // A fiber has its stack before it begins.
  static inline const std::uint64_t kBytesPerQueued = kBytesPerFiber;

  static constexpr bool kCanWait = true;

  using Mutex = FiberMutex;

  static void RequireFrontEnd(bool is_fiber) {
    if (!is_fiber) {
      throw std::runtime_error("Boost.Fiber has only fibers: only front_end=fiber");
    }
  }

  static void RequireChannels(bool /*has_channels*/) noexcept {
  }

  template <std::invocable F>
  static boost::fibers::fiber Start(F body) {
    BoostFiberPool::Worker& worker = *BoostFiberPool::Current();
    worker.metrics.spawned.Add();
    return boost::fibers::fiber(boost::fibers::launch::post, std::allocator_arg,
                                worker.pool->Stacks(), std::move(body));
  }

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body) {
    if (BoostFiberPool::Current() != nullptr) {
      Start(std::move(body)).detach();
    } else {
      executors::Submit(executor, std::move(body));
    }
  }

  template <std::invocable F>
  static void Submit(executors::IExecutor& executor, F body) {
    executors::Submit(executor, std::move(body));
  }

  static void Yield() noexcept {
    boost::this_fiber::yield();
  }

  // A fiber that is started and joined by a fiber.
  class Child {
   public:
    template <std::invocable F>
    Child(executors::IExecutor& /*executor*/, F body)
        : fiber_(Start(std::move(body))) {
    }

    void Join() {
      fiber_.join();
    }

   private:
    boost::fibers::fiber fiber_;
  };

  // Boost.Fiber has no structured forks: the second call is a fiber.
  template <std::invocable F, std::invocable G>
  static auto ForkJoin(executors::IExecutor& executor, F&& f, G&& g) {
    using Second = std::invoke_result_t<G&>;
    if constexpr (std::is_void_v<Second>) {
      Child child(executor, [&g] { g(); });
      f();
      child.Join();
    } else {
      std::optional<Second> second;
      Child child(executor, [&second, &g] { second.emplace(g()); });
      auto first = f();
      child.Join();
      return std::pair(std::move(first), *std::move(second));
    }
  }

  template <std::integral Index, std::invocable<Index> Body>
  static void ParallelFor(executors::IExecutor& executor, Index begin, Index end,
                          const Body& body) {
    if (begin >= end) {
      return;
    }
    if (end - begin == 1) {
      body(begin);
      return;
    }
    const Index middle = static_cast<Index>(begin + (end - begin) / 2);
    Child child(executor,
                [&executor, &body, middle, end] { ParallelFor(executor, middle, end, body); });
    ParallelFor(executor, begin, middle, body);
    child.Join();
  }

  // A count, and one wake-up when it reaches 0. Wait() reads a flag that is written under the lock,
  // so the caller may destroy the group then. The count may be 0 before the last Done() ends.
  class WaitGroup {
   public:
    void Add(std::uint64_t count) {
      // relaxed: the fibers that are counted are started afterwards.
      if (count_.FetchAdd(count, memory_order_relaxed) == 0) {
        const std::lock_guard lock(mutex_);
        done_ = false;
      }
    }

    void Done() {
      // acq_rel: pairs with itself: the last Done() sees the effects of the others.
      if (count_.FetchSub(1, memory_order_acq_rel) == 1) {
        const std::lock_guard lock(mutex_);
        done_ = true;
        all_done_.notify_all();
      }
    }

    void Wait() {
      std::unique_lock lock(mutex_);
      all_done_.wait(lock, [this] { return done_; });
    }

   private:
    Atomic<std::uint64_t> count_{0};
    boost::fibers::mutex mutex_;
    boost::fibers::condition_variable all_done_;
    bool done_ = true;  // guarded by mutex_
  };

  // Fibers that are started and joined by a fiber or thread.
  class Children {
   public:
    Children(executors::IExecutor& executor, std::uint64_t count)
        : executor_(executor) {
      running_.Add(count);
    }

    template <std::invocable F>
    void Start(F body) {
      Go(executor_, [this, body = std::move(body)] {
        body();
        running_.Done();
      });
    }

    void Join() {
      running_.Wait();
    }

   private:
    executors::IExecutor& executor_;
    WaitGroup running_;
  };

  class Event {
   public:
    void Wait() {
      std::unique_lock lock(mutex_);
      fired_now_.wait(lock, [this] { return fired_; });
    }

    void Fire() {
      const std::lock_guard lock(mutex_);
      fired_ = true;
      fired_now_.notify_all();
    }

    void Reset() {
      const std::lock_guard lock(mutex_);
      fired_ = false;
    }

   private:
    boost::fibers::mutex mutex_;
    boost::fibers::condition_variable fired_now_;
    bool fired_ = false;  // guarded by mutex_
  };

  // An unbuffered_channel for capacity 0, otherwise a buffered_channel. Its ring has a power of two
  // of slots and holds one value less: the capacity may exceed the requested one.
  template <typename T>
  class Channel {
   public:
    explicit Channel(std::size_t capacity,
                     executors::SchedulerHint wake = executors::SchedulerHint::UpToYou) {
      if (wake != executors::SchedulerHint::UpToYou) {
        throw std::runtime_error("Boost.Fiber has no hints: only hint=none");
      }
      if (capacity == 0) {
        unbuffered_.emplace();
      } else {
        buffered_.emplace(std::bit_ceil(capacity + 1));
      }
    }

    void Send(T value) {
      if (unbuffered_) {
        unbuffered_->push(std::move(value));
      } else {
        buffered_->push(std::move(value));
      }
    }

    T Receive() {
      return unbuffered_ ? unbuffered_->value_pop() : buffered_->value_pop();
    }

    // Returns a value, or nothing if the channel is closed and empty.
    std::optional<T> ReceiveOrClosed() {
      T value{};
      const auto status = unbuffered_ ? unbuffered_->pop(value) : buffered_->pop(value);
      return status == boost::fibers::channel_op_status::success ? std::optional<T>(value)
                                                                 : std::nullopt;
    }

    void Close() {
      if (unbuffered_) {
        unbuffered_->close();
      } else {
        buffered_->close();
      }
    }

   private:
    std::optional<boost::fibers::unbuffered_channel<T>> unbuffered_;
    std::optional<boost::fibers::buffered_channel<T>> buffered_;
  };

  // The receiver may destroy its object when it has all values. A sender of Boost.Fiber may still
  // be inside the channel then and keeps it alive.
  template <typename T>
  class ChannelOfReceiver {
   public:
    explicit ChannelOfReceiver(std::size_t capacity)
        : channel_(std::make_shared<Channel<T>>(capacity)) {
    }

    void Send(T value) {
      const std::shared_ptr<Channel<T>> keep = channel_;
      keep->Send(std::move(value));
    }

    T Receive() {
      return channel_->Receive();
    }

   private:
    const std::shared_ptr<Channel<T>> channel_;
  };
};

}  // namespace schedbench::schedulers::peers

namespace schedbench::workloads {

using Fibers = schedulers::peers::BoostFibers;

}  // namespace schedbench::workloads
