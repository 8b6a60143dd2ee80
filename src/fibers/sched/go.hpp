#pragma once

#include "base/assert.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_thread.hpp"

#include <concepts>
#include <source_location>
#include <string>
#include <utility>

namespace schedbench::fibers {

struct FiberOptions {
  std::string name;  // for messages; may be ""
  executors::SchedulerHint hint = executors::SchedulerHint::UpToYou;
};

// Makes a fiber that runs `body` on `executor`. The caller submits it.
template <std::invocable F>
Fiber* NewFiber(executors::IExecutor& executor, F body, const std::string& name = {},
                std::source_location started_at = std::source_location::current()) {
  class FiberOf final : public Fiber {
   public:
    FiberOf(executors::IExecutor& executor, const std::string& name,
            std::source_location started_at, F&& body)
        : Fiber(executor, name, started_at),
          body_(std::move(body)) {
    }

   private:
    void Body() override {
      body_();
    }

    F body_;
  };

  return new FiberOf(executor, name, started_at, std::move(body));
}

// Starts a fiber that runs `body` on `executor`. This allocates the fiber; it gets a stack when it
// first runs. An exception that escapes `body` ends the run. Reports name the fiber by
// `started_at`, the caller's source location. Any thread, also from a fiber.
template <std::invocable F>
void Go(executors::IExecutor& executor, F body, const FiberOptions& options = {},
        std::source_location started_at = std::source_location::current()) {
  executor.Submit(NewFiber(executor, std::move(body), options.name, started_at), options.hint);
}

// Starts a fiber on the executor of the running one. Requires: called from a fiber.
template <std::invocable F>
void Go(F body, const FiberOptions& options = {},
        std::source_location started_at = std::source_location::current()) {
  Fiber* const self = FiberThread::CurrentFiber();
  SB_ASSERT(self != nullptr, "Go without an executor needs a running fiber");
  Go(self->Executor(), std::move(body), options, started_at);
}

}  // namespace schedbench::fibers
