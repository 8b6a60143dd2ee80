#pragma once

// `Fibers`: what workloads start, suspend and join. A foreign runtime with fibers of its own compiles the same
// workloads with another header, SB_FIBERS_HEADER, that defines a class of this name with the same members
// (schedulers/peers/README.md).
#ifdef SB_FIBERS_HEADER
#include SB_FIBERS_HEADER
#else

#include "executors/submit.hpp"
#include "fibers/fork/fork_join.hpp"
#include "fibers/fork/parallel_for.hpp"
#include "fibers/sched/go.hpp"
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
  // Memory of a suspended fiber: the top page of its stack, and on the heap its task and what a workload keeps of it.
  static inline const std::uint64_t kBytesPerFiber = platform::kPageBytes + 256;
  // Memory of a fiber that has not begun, or of a task without a stack.
  static constexpr std::uint64_t kBytesPerQueued = 128;
  // Whether a fiber can wait for others. A runtime without such runs a task, which cannot, for front_end=fiber.
  static constexpr bool kCanWait = true;

  template <typename T>
  using Channel = fibers::Channel<T>;
  // The receiver may destroy it when it has all values: a sender does not touch the channel once its value is taken.
  template <typename T>
  using ChannelOfReceiver = fibers::Channel<T>;
  using Event = fibers::Event;
  using Mutex = fibers::Mutex;
  using WaitGroup = fibers::WaitGroup;

  // Throws std::runtime_error if the runtime has no other front ends than fibers and one is asked for. Ours has all of
  // them.
  static void RequireFrontEnd(bool /*is_fiber*/) noexcept {
  }

  // Throws std::runtime_error if fibers cannot wait for a channel, and one is asked for.
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

  // Calls `f` and `g`, perhaps in parallel, and returns when both have returned. By a fiber of `executor`.
  template <std::invocable F, std::invocable G>
  SB_ALWAYS_INLINE static auto ForkJoin(
      executors::IExecutor& /*executor*/, F&& f, G&& g,
      std::source_location forked_at = std::source_location::current()) {
    return fibers::ForkJoin(f, g, forked_at);
  }

  // Calls body(i) for each i in [begin, end), perhaps in parallel. By a fiber of `executor`.
  template <std::integral Index, std::invocable<Index> Body>
  static void ParallelFor(executors::IExecutor& /*executor*/, Index begin, Index end,
                          const Body& body,
                          std::source_location forked_at = std::source_location::current()) {
    fibers::ParallelFor(begin, end, body, forked_at);
  }

  // Fibers that are joined by the fiber or thread that has started them.
  class Children {
   public:
    // Start() is called `count` times.
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

    // Once, after the last Start() and before the destructor.
    void Join() noexcept {
      running_.Wait();
    }

   private:
    executors::IExecutor& executor_;
    WaitGroup running_;
  };

  // A fiber that is joined by the one that has started it.
  class Child {
   public:
    template <std::invocable F>
    Child(executors::IExecutor& executor, F body,
          std::source_location started_at = std::source_location::current())
        : child_(executor, 1) {
      child_.Start(std::move(body), started_at);
    }

    // Once, and before the destructor.
    void Join() noexcept {
      child_.Join();
    }

   private:
    Children child_;
  };
};

}  // namespace schedbench::workloads

#endif
