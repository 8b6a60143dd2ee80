#include "fibers/fork/forked_call.hpp"

#include "fibers/core/suspend.hpp"

namespace schedbench::fibers {

class ForkedCall::FiberOf final : public Fiber {
 public:
  FiberOf(executors::IExecutor& executor, ForkedCall& call)
      : Fiber(executor, "", call.forked_at_),
        call_(call) {
  }

 private:
  void Body() override {
    executors::HappensAfter(&call_);
    call_.make_(call_);
    call_.MadeByFiber();
  }

  ForkedCall& call_;
};

executors::TaskBase* ForkedCall::MakeFiber(executors::IExecutor& executor) {
  return new FiberOf(executor, *this);
}

void ForkedCall::MadeByFiber() noexcept {
  executors::HappensBefore(this);
  // release: pairs with the acquire in WaitForFiber(); the result is there. acquire: pairs with the
  // release of kWaiting there; parent_ is set.
  if (state_.Exchange(kDone, memory_order_acq_rel) == kWaiting) {
    // The fiber's worker has its data in the cache and nothing else to do for this parent.
    FiberHandle parent = std::move(parent_);
    parent.Schedule(executors::SchedulerHint::Next);
  }
}

void ForkedCall::WaitForFiber() noexcept {
  // acquire: pairs with the release in MadeByFiber(). The resumption orders it for a parent that
  // suspends.
  if (state_.Load(memory_order_acquire) != kDone) {
    Suspend(
        [this](FiberHandle parent) {
          parent_ = std::move(parent);
          std::uint32_t running = kRunning;
          // release, acquire: pairs with the acquire and the release in MadeByFiber().
          if (!state_.CompareExchange(running, kWaiting, memory_order_release,
                                      memory_order_acquire)) {
            FiberHandle self = std::move(parent_);
            self.Schedule(executors::SchedulerHint::Next);
          }
        },
        {.kind = WaitKind::kForkedCall, .object = this}, &parent_);
  }
  executors::HappensAfter(this);
}

}  // namespace schedbench::fibers
