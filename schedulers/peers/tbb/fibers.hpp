#pragma once

#include "base/assert.hpp"
#include "schedulers/peers/tbb/arena.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/partitioner.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <utility>

namespace schedbench::schedulers::peers {

// Lets a workload whose fibers may use a channel compile for a runtime whose tasks cannot wait for
// one. A workload that would use it has refused its parameters before (Fibers::RequireChannels).
template <typename T>
class NoChannel {
 public:
  explicit NoChannel(std::size_t /*capacity*/) {
    SB_ASSERT(false, "this runtime has no channels");
  }

  void Send(T /*value*/) noexcept {
  }

  T Receive() noexcept {
    return {};
  }
};

// oneTBB's tasks with the members of `Fibers` (workloads/parts/fibers.hpp) that its workloads use.
struct TbbTasks {
  // A task of a group in a deque, or the stack frame of a task that waits.
  static constexpr std::uint64_t kBytesPerFiber = 256;
  static constexpr std::uint64_t kBytesPerQueued = 256;
  static constexpr bool kCanWait = true;

  template <typename T>
  using ChannelOfReceiver = NoChannel<T>;

  static void RequireFrontEnd(bool is_fiber) {
    if (!is_fiber) {
      throw std::runtime_error("oneTBB has only its tasks: only front_end=fiber");
    }
  }

  static void RequireChannels(bool has_channels) {
    if (has_channels) {
      throw std::runtime_error(
          "a task of oneTBB cannot wait for a channel    what it can: report=join");
    }
  }

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body) {
    static_cast<TbbArena&>(executor).Start(std::move(body));
  }

  template <std::invocable F>
  static void Submit(executors::IExecutor& executor, F body) {
    Go(executor, std::move(body));
  }

  template <std::invocable F, std::invocable G>
  static auto ForkJoin(executors::IExecutor& executor, F&& f, G&& g,
                       std::source_location /*forked_at*/ = {})
      -> std::pair<std::invoke_result_t<F&>, std::invoke_result_t<G&>> {
    std::invoke_result_t<F&> first{};
    std::invoke_result_t<G&> second{};
    tbb::parallel_invoke([&first, &f] { first = f(); }, [&second, &g] { second = g(); },
                         static_cast<TbbArena&>(executor).Context());
    return {first, second};
  }

  // With simple_partitioner each call is a fork, because each call is worth one here.
  template <std::integral Index, std::invocable<Index> Body>
  static void ParallelFor(executors::IExecutor& executor, Index begin, Index end,
                          const Body& body) {
    tbb::parallel_for(begin, end, body, tbb::simple_partitioner(),
                      static_cast<TbbArena&>(executor).Context());
  }

  // A group. While Join() waits, the thread runs other tasks.
  class Children {
   public:
    Children(executors::IExecutor& executor, std::uint64_t /*count*/)
        : arena_(static_cast<TbbArena&>(executor)),
          group_(arena_.Context()) {
    }

    template <std::invocable F>
    void Start(F body, std::source_location /*started_at*/ = {}) {
      arena_.StartIn(group_, std::move(body));
    }

    void Join() {
      arena_.Wait(group_);
    }

   private:
    TbbArena& arena_;
    tbb::task_group group_;
  };

  class Child {
   public:
    template <std::invocable F>
    Child(executors::IExecutor& executor, F body)
        : child_(executor, 1) {
      child_.Start(std::move(body));
    }

    void Join() {
      child_.Join();
    }

   private:
    Children child_;
  };

  // The thread outside waits by it for all that Go() has started. The arena does the counting.
  class WaitGroup {
   public:
    void Add(std::uint64_t /*count*/) noexcept {
    }

    void Done() noexcept {
    }

    void Wait() {
      TbbArena::Open().WaitIdle();
    }
  };
};

}  // namespace schedbench::schedulers::peers

namespace schedbench::workloads {

using Fibers = schedulers::peers::TbbTasks;

}  // namespace schedbench::workloads
