#pragma once

#include "fibers/core/suspend.hpp"
#include "fibers/net/poller.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/sim/explorer/model.hpp"

#include <utility>

namespace schedbench::sim {

// A network of one execution.
class Network {
 public:
  Network() noexcept {
    fibers::Poller::of_process = &poller_;
  }
  ~Network() {
    Check(poller_.Turn().IsNeeded(), "a pool that has ended counts as one that polls");
    fibers::Poller::of_process = nullptr;
  }

  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // The running fiber waits for MakeReady().
  void Wait() {
    fibers::Suspend([this](fibers::FiberHandle fiber) {
      waiter_ = std::move(fiber);
      waits_.Set();
    });
  }

  // Returns after a fiber has begun to wait, and is ready.
  void MakeReady() {
    waits_.Wait();
    poller_.MakeReady(waiter_);
  }

 private:
  fibers::Poller poller_;
  fibers::FiberHandle waiter_;
  platform::ThreadEvent waits_;
};

}  // namespace schedbench::sim
