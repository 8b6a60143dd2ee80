#include "fibers/fork/fork_queue.hpp"

#include "base/brief_spin.hpp"
#include "fibers/core/stack_pool.hpp"

namespace schedbench::fibers {

void ForkQueue::Attach() noexcept {
  const FiberThread* const fiber_thread = FiberThread::Current();
  if (const FiberStack* const stack = fiber_thread->Served()) {
    most_stack_ = MostUsed(stack->Pool().StackBytes());
  }
  fiber_thread_ = fiber_thread;
}

void ForkQueue::Answer() noexcept {
  // acquire (answer): pairs with (ask). A later pop reads what the thief has read before (ask), or
  // something newer.
  const std::uint64_t asked = asked_.Load(memory_order_acquire);
  // release: pairs with the acquire in OrderWithOwner(): the thief sees all earlier pops.
  answered_.Store(asked, memory_order_release);
}

void ForkQueue::OrderWithOwner() noexcept {
  // release (ask): pairs with (answer).
  const std::uint64_t asked = asked_.FetchAdd(1, memory_order_release) + 1;
  BriefSpin spin(BriefSpin::kLoosely);  // each read takes the line of bottom_ from the owner
  // acquire: pairs with the release in Answer().
  while (static_cast<std::int64_t>(answered_.Load(memory_order_acquire) - asked) < 0) {
    if (!spin.TryPause()) {
      platform::HeavyFence();
      return;
    }
  }
}

bool ForkQueue::MakeRoom(std::uint64_t bottom, std::uint64_t count) noexcept {
  if (end_ == 0) {
    slots_ = std::make_unique<Atomic<ForkedCall*>[]>(mask_ + 1);
    scheduler_.OnFirstFork();
  }
  // acquire: pairs with the exchange in TrySteal(); the thief has read the reused slot.
  end_ = top_.Load(memory_order_acquire) + mask_ + 1;
  return bottom + count <= end_;
}

// `bottom`: number of the newest call, which bottom_ excludes already. It is the last or gone.
bool ForkQueue::PopLast(std::uint64_t bottom, std::uint64_t top) noexcept {
  bool won = false;
  if (bottom == top) {
    // relaxed: this or a thief's exchange of the same value succeeds; for the rest as in TryPop().
    won = top_.CompareExchange(top, top + 1, memory_order_relaxed, memory_order_relaxed);
  }
  // release: pairs with the acquire in TrySteal(), as in TryPop().
  bottom_.Store(bottom + 1, memory_order_release);
  return won;
}

ForkedCall* ForkQueue::TakeOldest() noexcept {
  // No fence is needed: no pop runs at the same time.
  const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
  // acquire: pairs with the exchange in TrySteal(); missing calls were announced.
  std::uint64_t top = top_.Load(memory_order_acquire);
  while (top != bottom) {
    ForkedCall* const call = slots_[top & mask_].Load(memory_order_relaxed);
    // acquire: pairs with the exchange in TrySteal(), when it has come first: missing calls were
    // announced. On success we have read nothing new; g++ accepts no weaker order there than on
    // failure.
    if (top_.CompareExchange(top, top + 1, memory_order_acquire, memory_order_acquire)) {
      return call;
    }
  }
  return nullptr;
}

}  // namespace schedbench::fibers
