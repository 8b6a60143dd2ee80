#pragma once

#include "executors/submit.hpp"
#include "platform/threads/thread_event.hpp"
#include "registry/scheduler.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

// Situations in which it is settled which task a worker must run next, whatever the timing: workers
// are held by tasks that block until the queues are as they should be.

namespace schedbench::tests {

// The names of tasks in the order of their runs: "L1 L2 G1". Any thread.
class RunOrder {
 public:
  void Add(std::string_view name) {
    const std::lock_guard lock(mutex_);
    text_ += (text_.empty() ? "" : " ") + std::string(name);
  }

  void Clear() {
    const std::lock_guard lock(mutex_);
    text_.clear();
  }

  std::string Text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

// While the only worker is held: calls `outside` in this thread, then `inside` in the task that
// held the worker. Returns when all that follows has run.
inline void RunOutsideThenInside(registry::IScheduler& scheduler,
                                 const std::function<void()>& outside,
                                 const std::function<void()>& inside) {
  platform::ThreadEvent begun;
  platform::ThreadEvent proceed;
  executors::Submit(scheduler, [&] {
    begun.Set();
    proceed.Wait();
    inside();
  });
  begun.Wait();
  outside();
  proceed.Set();
  scheduler.WaitIdle();
}

// Of two workers the first queues `tasks` tasks while the second is held, and blocks until the
// second has run all of them: each was stolen, and so was the task that held the second.
inline void StealEach(registry::IScheduler& scheduler, std::uint64_t tasks) {
  platform::ThreadEvent second_is_held;
  platform::ThreadEvent release_second;
  platform::ThreadEvent all_ran;
  std::atomic<std::uint64_t> ran{0};
  executors::Submit(scheduler, [&] {
    executors::Submit(scheduler, [&] {
      second_is_held.Set();
      release_second.Wait();
    });
    // The task just submitted can begin nowhere but on the other worker.
    second_is_held.Wait();
    for (std::uint64_t i = 0; i < tasks; ++i) {
      executors::Submit(scheduler, [&] {
        if (++ran == tasks) {
          all_ran.Set();
        }
      });
    }
    release_second.Set();
    all_ran.Wait();
  });
  scheduler.WaitIdle();
}

// Of `workers` workers, 1 or 2, the first takes `tasks` tasks that came from outside while it was
// held; the second, if any, is held all the time. What held them came from outside too, each by
// itself.
inline void TakeExternalAlone(registry::IScheduler& scheduler, std::uint32_t workers,
                              std::uint64_t tasks) {
  platform::ThreadEvent held;
  platform::ThreadEvent release;
  if (workers == 2) {
    executors::Submit(scheduler, [&] {
      held.Set();
      release.Wait();
    });
    held.Wait();
  }
  platform::ThreadEvent begun;
  platform::ThreadEvent proceed;
  platform::ThreadEvent done;
  executors::Submit(scheduler, [&] {
    begun.Set();
    proceed.Wait();
  });
  begun.Wait();
  for (std::uint64_t i = 1; i < tasks; ++i) {
    executors::Submit(scheduler, [] {});
  }
  executors::Submit(scheduler, [&] { done.Set(); });
  proceed.Set();
  done.Wait();  // the last one of all
  release.Set();
  scheduler.WaitIdle();
}

}  // namespace schedbench::tests
