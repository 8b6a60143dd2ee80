#include "fibers/net/call_batch.hpp"

#include "base/assert.hpp"
#include "base/intrusive_list.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/suspend.hpp"
#include "platform/time/clock.hpp"

#include <array>
#include <span>
#include <utility>

namespace schedbench::fibers {

// A suspended fiber and its call, on the fiber's stack. The thread that takes it out of the list
// owns it until it resumes the fiber.
struct CallBatch::Waiter {
  platform::SocketCall call;
  FiberHandle fiber;
  Waiter* next = nullptr;
};

CallBatch::~CallBatch() {
  SB_ASSERT(first_.Read() == nullptr, "a fiber would be lost");
}

CallResult CallBatch::Make(const platform::SocketCall& call, Waiting waiting) noexcept {
  Waiter waiter{.call = call, .fiber = {}};
  {
    const executors::SchedulerSide side;
    CallBatch* const batch = Current();
    const bool may_wait =
        batch != nullptr && FiberThread::CurrentFiber() != nullptr && batch->IsWorthwhile();
    if (may_wait && !batch->worker_.HasOtherTasks()) {
      if (!batch->IsEmpty()) {
        batch->MakeAllOf(*batch, &waiter.call);
        return {waiter.call.result, waiter.call.leaves_nothing};
      }
    } else if (may_wait) {
      batch->suspended_.Add();
      const executors::UserSide user;
      Suspend(
          [&waiter](FiberHandle fiber) {
            executors::HappensBefore(&waiter);
            const executors::SchedulerSide then;
            waiter.fiber = std::move(fiber);
            // A worker that runs a fiber keeps its thread until the fiber is off its stack.
            Current()->Append(waiter);
          },
          waiting, &waiter.fiber);
      return {waiter.call.result, waiter.call.leaves_nothing};
    }
  }
  waiter.call.Make();
  return {waiter.call.result, waiter.call.leaves_nothing};
}

bool CallBatch::IsWorthwhile() noexcept {
  if (ring_.IsRefused()) {
    return false;
  }
  if (const std::uint32_t at_once = at_once_.Load(memory_order_relaxed); at_once != 0) {
    at_once_.Store(at_once - 1, memory_order_relaxed);
    return false;
  }
  return true;
}

void CallBatch::Append(Waiter& waiter) noexcept {
  const platform::MutexLock lock(mutex_);
  // relaxed: only written with the lock.
  const std::uint32_t before = waiting_.Load(memory_order_relaxed);
  if (before == 0) {
    first_.Write(&waiter);
    since_ns_.Store(platform::NowNs(), memory_order_relaxed);
  } else {
    last_.Read()->next = &waiter;
  }
  last_.Write(&waiter);
  waiting_.Store(before + 1, memory_order_relaxed);
}

// Switches to calls at once if the tasks of the worker take long. Requires: the lock.
void CallBatch::CheckAge() noexcept {
  const std::uint32_t waiting = waiting_.Load(memory_order_relaxed);
  if (waiting != 0 && waiting <= kFew &&
      since_ns_.Load(memory_order_relaxed) + kLongNs <= platform::NowNs()) {
    at_once_.Store(kAtOnce, memory_order_relaxed);
  }
}

CallBatch::Waiter* CallBatch::TakeAll() noexcept {
  const platform::MutexLock lock(mutex_);
  CheckAge();
  // release: pairs with the acquire in IsEmpty(): a worker that parks because the list is empty
  // knows that this thread is about to submit fibers.
  waiting_.Store(0, memory_order_release);
  Waiter* const taken = first_.Read();
  first_.Write(nullptr);
  return taken;
}

bool CallBatch::IsOlder(std::uint64_t ns) const noexcept {
  return !IsEmpty() && since_ns_.Load(memory_order_relaxed) + ns <= platform::NowNs();
}

// Calls `make` with at most SocketBatch::kMost calls at a time and resumes their fibers, in one
// batch for each run of fibers with the same executor.
template <typename MakeCalls>
std::size_t CallBatch::MakeAndResume(platform::SocketCall* own, MakeCalls make) noexcept {
  std::size_t resumed = 0;
  Waiter* first = TakeAll();
  while (first != nullptr || own != nullptr) {
    std::array<platform::SocketCall*, platform::SocketBatch::kMost> calls;
    std::size_t count = 0;
    Waiter* end = first;
    for (; end != nullptr && count < calls.size(); end = end->next) {
      calls[count++] = &end->call;
    }
    resumed += count;
    if (own != nullptr && count < calls.size()) {
      calls[count++] = std::exchange(own, nullptr);
    }
    make(std::span(calls).first(count));
    while (first != end) {
      executors::IExecutor& executor = first->fiber.Executor();
      IntrusiveList<executors::TaskBase> ready;
      do {
        {
          const executors::UserSide user;
          executors::HappensAfter(first);  // the suspension
        }
        ready.PushBack(first->fiber.TakeTask());
        first = first->next;
      } while (first != end && &first->fiber.Executor() == &executor);
      const executors::UserSide user;
      executor.SubmitAll(std::move(ready), executors::SchedulerHint::UpToYou);
    }
  }
  // release: pairs with the acquire in HasResumedAll(), for the submits above.
  resumed_.FetchAdd(resumed, memory_order_release);
  return resumed;
}

std::size_t CallBatch::MakeAllOf(CallBatch& from, platform::SocketCall* own) noexcept {
  return from.MakeAndResume(own, [this](std::span<platform::SocketCall* const> calls) {
    if (const std::size_t made = ring_.Make(calls); made > 0) {
      batches_.Add();
      calls_.Add(made);
    }
  });
}

std::size_t CallBatch::MakeAllAlone() noexcept {
  return MakeAndResume(nullptr, [](std::span<platform::SocketCall* const> calls) {
    for (platform::SocketCall* const call : calls) {
      call->Make();
    }
  });
}

}  // namespace schedbench::fibers
