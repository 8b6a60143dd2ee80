#include "fibers/sync/event.hpp"

#include "fibers/sched/suspend.hpp"
#include "fibers/sync/blocked_thread.hpp"
#include "platform/thread_event.hpp"

namespace schedbench::fibers {

// Lies on the stack of the one who waits.
struct Event::Waiter {
  Cell<Waiter*> next;
  FiberHandle fiber;                        // valid for a fiber
  platform::ThreadEvent* thread = nullptr;  // not null for a thread
};

Event::Event(State state) noexcept
    : state_(state == State::kFired ? kFired : kNotFired) {
}

bool Event::TryEnqueue(Waiter& waiter) noexcept {
  // acquire: pairs with the exchange in Fire(), for the case that it has fired.
  std::uintptr_t state = state_.Load(memory_order_acquire);
  while (state != kFired) {
    waiter.next.Write(reinterpret_cast<Waiter*>(state));
    // release: pairs with the exchange in Fire(), which reads the waiter. acquire on failure as above, and so on
    // success too: g++ wants no weaker order there.
    if (state_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(&waiter),
                                   memory_order_acq_rel, memory_order_acquire)) {
      return true;
    }
  }
  return false;
}

void Event::WaitSlow(Waiting waiting) noexcept {
  Waiter waiter;
  if (Carrier::CurrentFiber() != nullptr) {
    const auto enqueue = [this, &waiter](FiberHandle fiber) {
      waiter.fiber = std::move(fiber);
      if (!TryEnqueue(waiter)) {
        waiter.fiber.Schedule();
      }
    };
    Suspend(enqueue, waiting, &waiter.fiber);
    return;
  }
  platform::ThreadEvent wake;
  waiter.thread = &wake;
  if (TryEnqueue(waiter)) {
    const BlockedThread blocked(waiting);
    wake.Wait();
  }
}

void Event::Fire(executors::SchedulerHint hint) noexcept {
  // release: pairs with the acquire in IsFired() and TryEnqueue(). acquire: pairs with the release in
  // TryEnqueue(); the waiters are ours to read.
  const std::uintptr_t state = state_.Exchange(kFired, memory_order_acq_rel);
  if (state == kFired) {
    return;
  }
  Waiter* oldest = nullptr;
  for (auto* waiter = reinterpret_cast<Waiter*>(state); waiter != nullptr;) {
    Waiter* const next = waiter->next.Read();
    waiter->next.Write(oldest);
    oldest = waiter;
    waiter = next;
  }
  while (oldest != nullptr) {
    Waiter* const next = oldest->next.Read();
    if (oldest->thread != nullptr) {
      oldest->thread->Set();
    } else {
      oldest->fiber.Schedule(hint);
    }
    oldest = next;
  }
}

}  // namespace schedbench::fibers
