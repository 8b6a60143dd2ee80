#pragma once

#include "base/assert.hpp"
#include "fibers/core/carrier.hpp"
#include "fibers/core/fiber.hpp"

#include <concepts>
#include <string>
#include <utility>

namespace schedbench::fibers {

struct FiberOptions {
  std::string name;  // for messages; "" for none
  executors::SchedulerHint hint = executors::SchedulerHint::UpToYou;
};

// Starts a fiber that runs `body` on `executor`. Allocates the fiber; its stack comes when it first runs.
// An exception that escapes `body` ends the run. Any thread, also from a fiber.
template <std::invocable F>
void Go(executors::IExecutor& executor, F body, FiberOptions options = {}) {
  class FiberOf final : public Fiber {
   public:
    FiberOf(executors::IExecutor& executor, std::string name, F&& body)
        : Fiber(executor, std::move(name)),
          body_(std::move(body)) {
    }

   private:
    void Body() override {
      body_();
    }

    F body_;
  };

  executor.Submit(new FiberOf(executor, std::move(options.name), std::move(body)), options.hint);
}

// Starts a fiber on the executor of the running one. Requires: called from a fiber.
template <std::invocable F>
void Go(F body, FiberOptions options = {}) {
  Fiber* const self = Carrier::CurrentFiber();
  SB_ASSERT(self != nullptr, "Go without an executor needs a running fiber");
  Go(self->Executor(), std::move(body), std::move(options));
}

}  // namespace schedbench::fibers
