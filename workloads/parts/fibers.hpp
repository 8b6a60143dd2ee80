#pragma once

// `Fibers`: what workloads start, suspend and join. A foreign runtime with fibers of its own compiles the same workloads with
// another header, SB_FIBERS_HEADER, that defines a class of this name with the same members (schedulers/peers/README.md).
#ifdef SB_FIBERS_HEADER
#include SB_FIBERS_HEADER
#else

#include "fibers/fork/fork_join.hpp"
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
  static constexpr std::uint64_t kBytesPerFiber = platform::kPageBytes + 256;
  // Memory of a fiber that has not begun, or of a task without a stack.
  static constexpr std::uint64_t kBytesPerQueued = 128;

  template <typename T>
  using Channel = fibers::Channel<T>;
  // The receiver may destroy it when it has all values: a sender does not touch the channel once its value is taken.
  template <typename T>
  using ChannelOfReceiver = fibers::Channel<T>;
  using Event = fibers::Event;
  using Mutex = fibers::Mutex;
  using WaitGroup = fibers::WaitGroup;

  // Throws std::runtime_error if the runtime has no other front ends than fibers and one is asked for. Ours has all of them.
  static void RequireFrontEnd(bool /*is_fiber*/) noexcept {
  }

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body,
                 std::source_location started_at = std::source_location::current()) {
    fibers::Go(executor, std::move(body), {}, started_at);
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

  // A fiber that is joined by the one that has started it.
  class Child {
   public:
    template <std::invocable F>
    Child(executors::IExecutor& executor, F body,
          std::source_location started_at = std::source_location::current()) {
      ended_.Add(1);
      fibers::Go(
          executor,
          [this, body = std::move(body)]() mutable {
            body();
            ended_.Done();
          },
          {}, started_at);
    }

    // Once, and before the destructor.
    void Join() noexcept {
      ended_.Wait();
    }

   private:
    WaitGroup ended_;
  };
};

}  // namespace schedbench::workloads

#endif
