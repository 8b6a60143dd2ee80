#pragma once

#include "fibers/core/fiber_thread.hpp"
#include "platform/threads/thread_errno.hpp"

#include <utility>

namespace schedbench::fibers {

// A part of a fiber that may block its thread in the kernel. From construction to the end of the scope the thread is no worker:
// another thread runs the other fibers.
//
// errno after the scope is what it was at its end. But a compiler that has used errno before the scope in the same function may
// use that address after it, which is the errno of another thread. Read errno in the scope, or in a function of its own.
//
// In the scope the fiber may submit tasks, which count as external submissions. It may also suspend: that ends the scope, and the
// rest runs on a worker.
class BlockingScope {
 public:
  // Begins the scope. `call`: how long it is likely to block.
  explicit BlockingScope(executors::BlockingCall call) noexcept
      : entered_(FiberThread::BeginBlocking(call)) {
  }

  ~BlockingScope() {
    if (entered_) {
      const int error = platform::ThreadErrno();
      FiberThread::EndBlocking();
      platform::SetThreadErrno(error);
    }
  }

  BlockingScope(const BlockingScope&) = delete;
  BlockingScope& operator=(const BlockingScope&) = delete;

 private:
  const bool entered_;
};

// Returns what `function` returns, which blocks its thread for long: it reads a file, waits for a child process, or calls a
// library that waits. Another thread takes over the worker before the call, so that the other fibers continue. After the call the
// fiber continues on the worker that it had, if that is idle, else on another idle worker, else it waits in the global queue.
// Where the scheduler does not hand off workers, and outside of fibers, it only calls `function`. Costs some microseconds.
//
//   const ssize_t bytes = fibers::Blocking([&] { return ::read(file, buffer, size); });
template <typename Function>
decltype(auto) Blocking(Function&& function) {
  const BlockingScope scope(executors::BlockingCall::kLong);
  return std::forward<Function>(function)();
}

// The same for a call that is mostly short. The worker waits for the call. If it takes longer than the scheduler's
// `syscall_retake_us`, and other fibers wait, another thread takes over the worker. Costs some nanoseconds.
template <typename Function>
decltype(auto) Syscall(Function&& function) {
  const BlockingScope scope(executors::BlockingCall::kShort);
  return std::forward<Function>(function)();
}

}  // namespace schedbench::fibers
