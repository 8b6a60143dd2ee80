#pragma once

#include "fibers/core/fiber_thread.hpp"
#include "platform/threads/thread_errno.hpp"

#include <utility>

namespace schedbench::fibers {

// A part of a fiber that may block its thread in the kernel. Within the scope the thread is not a
// worker: another thread runs the other fibers. The scope preserves errno. But a compiler that has
// used errno before the scope in the same function may reuse that address after it, which is
// another thread's errno: read errno in the scope, or in a function of its own. Tasks that the
// fiber submits in the scope are external submissions. A suspension ends the scope: the rest runs
// on a worker.
class BlockingScope {
 public:
  // Starts the scope. `call`: the expected duration of the block.
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

// Returns the result of `function`, which blocks its thread for long: it reads a file, waits for a
// child process, or calls a library that waits. Another thread takes over the worker before the
// call, so the other fibers continue. After the call the fiber continues on its old worker if that
// is idle, otherwise on another idle worker, otherwise it waits in the global queue. Outside of
// fibers, and without hand-off of workers, this only calls `function`. It costs some microseconds.
//
//   const ssize_t bytes = fibers::Blocking([&] { return ::read(file, buffer, size); });
template <typename Function>
decltype(auto) Blocking(Function&& function) {
  const BlockingScope scope(executors::BlockingCall::kLong);
  return std::forward<Function>(function)();
}

// Returns the result of `function`, which is mostly short. The worker waits for it. If it takes
// longer than the scheduler's `syscall_retake_us` and other fibers wait, another thread takes over
// the worker. It costs some nanoseconds.
template <typename Function>
decltype(auto) Syscall(Function&& function) {
  const BlockingScope scope(executors::BlockingCall::kShort);
  return std::forward<Function>(function)();
}

}  // namespace schedbench::fibers
