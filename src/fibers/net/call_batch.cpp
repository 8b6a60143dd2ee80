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
    if (batch != nullptr && batch->IsWorthwhile() && FiberThread::CurrentFiber() != nullptr) {
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
  return worker_.HasOtherTasks();
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

CallBatch::Waiter* CallBatch::TakeAll() noexcept {
  const platform::MutexLock lock(mutex_);
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
std::size_t CallBatch::MakeAndResume(MakeCalls make) noexcept {
  std::size_t resumed = 0;
  if (waiting_.Load(memory_order_relaxed) <= kFew && IsOlder(kLongNs)) {
    at_once_.Store(kAtOnce, memory_order_relaxed);
  }
  Waiter* first = TakeAll();
  while (first != nullptr) {
    std::array<platform::SocketCall*, platform::SocketBatch::kMost> calls;
    std::size_t count = 0;
    Waiter* end = first;
    for (; end != nullptr && count < calls.size(); end = end->next) {
      calls[count++] = &end->call;
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
    resumed += count;
  }
  // release: pairs with the acquire in HasResumedAll(), for the submits above.
  resumed_.FetchAdd(resumed, memory_order_release);
  return resumed;
}

std::size_t CallBatch::MakeAllOf(CallBatch& from) noexcept {
  return from.MakeAndResume([this](std::span<platform::SocketCall* const> calls) {
    if (const std::size_t made = ring_.Make(calls); made > 0) {
      batches_.Add();
      calls_.Add(made);
    }
  });
}

std::size_t CallBatch::MakeAllAlone() noexcept {
  return MakeAndResume([](std::span<platform::SocketCall* const> calls) {
    for (platform::SocketCall* const call : calls) {
      call->Make();
    }
  });
}

}  // namespace schedbench::fibers
