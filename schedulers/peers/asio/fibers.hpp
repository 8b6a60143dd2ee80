#pragma once

#include "fibers/sync/wait_group.hpp"
#include "schedulers/peers/asio/pool.hpp"

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace schedbench::schedulers::peers {

// Asio's handlers with the members of `Fibers` (workloads/parts/fibers.hpp) that its workloads use.
struct AsioHandlers {
  // A handler in a queue; it never waits.
  static constexpr std::uint64_t kBytesPerFiber = 128;
  static constexpr std::uint64_t kBytesPerQueued = 128;
  static constexpr bool kCanWait = false;

  // The thread outside waits by it. No handler waits.
  using WaitGroup = fibers::WaitGroup;

  static void RequireFrontEnd(bool is_fiber) {
    if (!is_fiber) {
      throw std::runtime_error("Asio has only handlers: only front_end=fiber");
    }
  }

  template <std::invocable F>
  static void Go(executors::IExecutor& executor, F body) {
    static_cast<AsioHandlerPool&>(executor).Start(std::move(body));
  }

  template <std::invocable F>
  static void Submit(executors::IExecutor& executor, F body) {
    Go(executor, std::move(body));
  }

  [[noreturn]] static void Yield() noexcept {
    SB_ASSERT(false, "a handler cannot wait");
  }

  // Lets a workload compile whose fibers may wait for others.
  class Children {
   public:
    Children(executors::IExecutor& /*executor*/, std::uint64_t /*count*/) noexcept {
      SB_ASSERT(false, "a handler cannot wait");
    }

    template <std::invocable F>
    void Start(F /*body*/) noexcept {
    }

    void Join() noexcept {
    }
  };
};

}  // namespace schedbench::schedulers::peers

namespace schedbench::workloads {

using Fibers = schedulers::peers::AsioHandlers;

}  // namespace schedbench::workloads
