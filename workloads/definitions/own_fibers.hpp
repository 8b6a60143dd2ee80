#pragma once

#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "workloads/parts/memory_need.hpp"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>

namespace schedbench::workloads {

// The fibers of this project, for the workloads here that are written for any fibers: those of a foreign library have a
// class with the same members, so that both do the same work because it is the same code.
struct OwnFibers {
  // What one holds that is suspended, and one that has not begun.
  static constexpr std::uint64_t kBytesPerFiber = workloads::kBytesPerFiber;
  static constexpr std::uint64_t kBytesPerQueued = workloads::kBytesPerQueued;

  template <typename T>
  using Channel = fibers::Channel<T>;
  // One that may go when its receiver has got all values: a sender does not touch it once its value is taken.
  template <typename T>
  using ChannelOfReceiver = fibers::Channel<T>;
  using Event = fibers::Event;
  using Mutex = fibers::Mutex;
  using WaitGroup = fibers::WaitGroup;

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body,
                 std::source_location started_at = std::source_location::current()) {
    fibers::Go(executor, std::move(body), {}, started_at);
  }

  static void Yield() noexcept {
    fibers::Yield();
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
