#include "fibers/net/poller.hpp"

#include "base/spin_wait.hpp"
#include "executors/scheduler_side.hpp"
#include "platform/threads/thread_local_ptr.hpp"

namespace schedbench::fibers {

namespace {

// Not null on a thread between two calls of Poll() that still has to resume found fibers.
using PollsHere = platform::ThreadLocalPtr<Poller, class PollsHereTag>;

void Raise(Atomic<std::uint64_t>& count, std::uint64_t by) noexcept {
  // relaxed: a statistic with one writer at a time.
  count.Store(count.Load(memory_order_relaxed) + by, memory_order_relaxed);
}

}  // namespace

void Poller::Poll(std::int64_t timeout_ns, ReadyFibers& ready) noexcept {
  EndRound();
  Harvest(timeout_ns, ready);
}

void Poller::Harvest(std::int64_t timeout_ns, ReadyFibers& ready) noexcept {
  const executors::SchedulerSide side;
  bool interrupted = false;
  const std::size_t count = events_.Wait(timeout_ns, found_, interrupted);
  if (interrupted) {
    Raise(breaks_, 1);
    // This follows the read of the eventfd. Otherwise a Break() in between would be lost, and all
    // later ones. acquire: pairs with the release in Break(); the caller sees what preceded it.
    breaking_.Exchange(0, memory_order_acquire);
  }
  Raise(polls_, 1);
  if (count == 0) {
    return;
  }
  if (PollsHere::Get() == nullptr) {
    // relaxed: a thread that sees a taken slot sees this too, by the release in ReadySlot::Wake().
    round_.Store(round_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
    PollsHere::Set(this);
  }
  std::uint64_t stale = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const platform::ReadyEvent& event = found_[i];
    if ((event.key & platform::ReadyEvent::kOperation) != 0) {
      ready.Add(operations_.End(event));
      continue;
    }
    Descriptor* const descriptor = table_.Find(event.key);
    if (descriptor == nullptr) {
      ++stale;
      continue;
    }
    const executors::UserSide user;
    executors::HappensAfter(descriptor);  // the registration was before
    if (event.has_ended) {
      descriptor->has_ended_.Store(true, memory_order_relaxed);
    }
    if (event.can_read) {
      ready.Add(descriptor->read_.slot.NotifyReady());
    }
    if (event.can_write) {
      ready.Add(descriptor->write_.slot.NotifyReady());
    }
  }
  Raise(event_count_, count);
  Raise(stale_, stale);
}

void Poller::Start(RingOperation& operation) noexcept {
  executors::HappensBefore(&operation);
  const executors::SchedulerSide side;
  const std::uint64_t key = RingOperations::KeyOf(operation);
  // A copy: the lock of Begin() orders this read before the resumed fiber's writes. Only the kernel
  // orders later reads, which the memory model does not cover.
  const platform::FileRequest request = operation.Request();
  operations_.Begin(operation);
  const int error = events_.Start(request, key);
  if (error == 0) {
    // The operation may be gone now.
    started_.FetchAdd(1, memory_order_relaxed);
    return;
  }
  FiberHandle fiber = operations_.End({.key = key, .result = error});
  const executors::UserSide user;
  fiber.Schedule();
}

void Poller::EndRound() noexcept {
  const std::uint64_t round = round_.Load(memory_order_relaxed);
  if (round % 2 != 0) {
    PollsHere::Set(nullptr);
    executors::HappensBefore(this);
    // release: pairs with the acquire in Forget(); all fibers of the round are resumed.
    round_.Store(round + 1, memory_order_release);
  }
}

void Poller::Break() noexcept {
  // release: pairs with the acquire in Harvest().
  if (breaking_.Exchange(1, memory_order_acq_rel) == 0) {
    events_.Interrupt();
  }
}

void Poller::AddDriver() noexcept {
  turn_.AddDriver();
  Break();
}

void Poller::RemoveDriver() noexcept {
  turn_.RemoveDriver();
}

Poller::Counts Poller::ReadCounts() const noexcept {
  return {.polls = polls_.Load(memory_order_relaxed),
          .events = event_count_.Load(memory_order_relaxed),
          .stale = stale_.Load(memory_order_relaxed),
          .breaks = breaks_.Load(memory_order_relaxed)};
}

// Waits because the kernel writes to buffers of fibers, which may lie on their stacks.
void Poller::AwaitOperationsOf(const StackPool& pool) noexcept {
  operations_.ForEachOf(pool, [this](std::uint64_t key) { events_.Cancel(key); });
  ReadyFibers ready;
  SpinWait spin;
  for (;;) {
    bool has_any = false;
    operations_.ForEachOf(pool, [&has_any](std::uint64_t /*key*/) { has_any = true; });
    if (!has_any) {
      return;
    }
    // A thread that still holds fibers of a round has the turn.
    if (PollsHere::Get() == this) {
      Harvest(0, ready);
      ready.SubmitAll();
    } else if (turn_.TryLook(&operations_)) {
      Poll(0, ready);
      ready.SubmitAll();
      Leave();
    }
    spin.Spin();
  }
}

void Poller::Forget(const StackPool& pool) noexcept {
  const executors::SchedulerSide side;
  AwaitOperationsOf(pool);
  table_.ForEach([&pool](Descriptor& descriptor) {
    descriptor.read_.slot.Forget(pool);
    descriptor.write_.slot.Forget(pool);
  });
  // The fibers that a driver still holds may be of `pool` too.
  SpinWait spin;
  // acquire: pairs with the release in EndRound().
  const std::uint64_t round = round_.Load(memory_order_acquire);
  // acquire: pairs with the release in EndRound().
  while (round % 2 != 0 && PollsHere::Get() != this && round_.Load(memory_order_acquire) == round) {
    spin.Spin();
  }
  // Ends operations of fibers that will not continue: they waited, or resumed after the end.
  table_.ForEach([&pool](Descriptor& descriptor) {
    for (Descriptor::Direction* const direction : {&descriptor.read_, &descriptor.write_}) {
      const void* const frame = direction->frame.Load(memory_order_relaxed);
      if (frame != nullptr && pool.Contains(frame)) {
        direction->End(false);
        descriptor.EndUse();
      }
    }
  });
}

}  // namespace schedbench::fibers
