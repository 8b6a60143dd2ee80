#pragma once

// `Fibers`: what workloads start, suspend and join. A foreign runtime with its own fibers compiles
// the workloads with another header, SB_FIBERS_HEADER, that defines a class of this name with equal
// members (schedulers/peers/README.md).
#ifdef SB_FIBERS_HEADER
#include SB_FIBERS_HEADER
#else

#include "executors/submit.hpp"
#include "fibers/fork/fork_join.hpp"
#include "fibers/fork/parallel_for.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/memory/memory.hpp"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>

namespace schedbench::workloads {

// The fibers of this project.
struct Fibers {
  // Memory of a suspended fiber: its stack's top page, and on the heap its task and workload data.
  static inline const std::uint64_t kBytesPerFiber = platform::kPageBytes + 256;
  // Memory of a fiber that has not begun, or of a task without a stack.
  static constexpr std::uint64_t kBytesPerQueued = 128;
  // True if a fiber can wait for others. Otherwise a task, which cannot, serves front_end=fiber.
  static constexpr bool kCanWait = true;

  template <typename T>
  using Channel = fibers::Channel<T>;
  // The receiver may destroy it when it has all values: a sender then does not access it.
  template <typename T>
  using ChannelOfReceiver = fibers::Channel<T>;
  using Event = fibers::Event;
  using Mutex = fibers::Mutex;
  using WaitGroup = fibers::WaitGroup;

  // Throws std::runtime_error if the runtime lacks the requested front end. Ours has all.
  static void RequireFrontEnd(bool /*is_fiber*/) noexcept {
  }

  // Throws std::runtime_error if channels are requested and fibers cannot wait for them.
  static void RequireChannels(bool /*has_channels*/) noexcept {
  }

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body,
                 std::source_location started_at = std::source_location::current()) {
    fibers::Go(executor, std::move(body), {}, started_at);
  }

  // Starts a task, which cannot wait.
  template <std::invocable F>
  static void Submit(executors::IExecutor& executor, F body) {
    executors::Submit(executor, std::move(body));
  }

  static void Yield() noexcept {
    fibers::Yield();
  }

  // Calls `f` and `g`, perhaps in parallel, and waits for both. A fiber of `executor` calls it.
  template <std::invocable F, std::invocable G>
  SB_ALWAYS_INLINE static auto ForkJoin(
      executors::IExecutor& /*executor*/, F&& f, G&& g,
      std::source_location forked_at = std::source_location::current()) {
    return fibers::ForkJoin(f, g, forked_at);
  }

  // Calls body(i) for each i in [begin, end), perhaps in parallel. A fiber of `executor` calls it.
  template <std::integral Index, std::invocable<Index> Body>
  static void ParallelFor(executors::IExecutor& /*executor*/, Index begin, Index end,
                          const Body& body,
                          std::source_location forked_at = std::source_location::current()) {
    fibers::ParallelFor(begin, end, body, forked_at);
  }

  // Fibers that the fiber or thread that has started them joins.
  class Children {
   public:
    // Requires: Start() is called `count` times.
    Children(executors::IExecutor& executor, std::uint64_t count) noexcept
        : executor_(executor) {
      running_.Add(count);
    }

    template <std::invocable F>
    void Start(F body, std::source_location started_at = std::source_location::current()) {
      fibers::Go(
          executor_,
          [this, body = std::move(body)]() mutable {
            body();
            running_.Done();
          },
          {}, started_at);
    }

    // Call it once, after the last Start() and before the destructor.
    void Join() noexcept {
      running_.Wait();
    }

   private:
    executors::IExecutor& executor_;
    WaitGroup running_;
  };

  // A fiber that its starter joins.
  class Child {
   public:
    template <std::invocable F>
    Child(executors::IExecutor& executor, F body,
          std::source_location started_at = std::source_location::current())
        : child_(fibers::Spawn(executor, std::move(body), {}, started_at)) {
    }

    // Call it once, before the destructor.
    void Join() noexcept {
      child_.Join();
    }

   private:
    fibers::JoinHandle<void> child_;
  };
};

}  // namespace schedbench::workloads

#endif
