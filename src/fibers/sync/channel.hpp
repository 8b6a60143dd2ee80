#pragma once

#include "base/intrusive_list.hpp"
#include "fibers/sched/suspend.hpp"
#include "fibers/sync/spin_lock.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// Passes values from fibers to fibers, first in, first out. With capacity 0 a sender waits until its value
// is received; else until there is room. Any number of senders and receivers.
//
// A value goes straight to a receiver that waits, and a waiting sender's value straight into the room that a
// receive has made: whoever is resumed finds its business done and does not touch the channel again. So the
// last receiver may destroy it.
//
// Invariants under lock_: (I1) receivers_ is not empty => the buffer and senders_ are empty.
// (I2) senders_ is not empty => the buffer is full. (I3) a waiter in a list has a valid fiber handle when
// the lock is free: it enters under the lock, which is released only when its fiber is off its stack.
template <typename T>
class Channel {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value is moved under a lock");

 public:
  // `wake`: the hint with which waiting fibers are made ready.
  explicit Channel(std::size_t capacity,
                   executors::SchedulerHint wake = executors::SchedulerHint::UpToYou)
      : capacity_(capacity),
        wake_(wake),
        buffer_(capacity == 0 ? nullptr : std::make_unique<std::optional<T>[]>(capacity)) {
  }

  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Requires: called from a fiber.
  void Send(T value) noexcept {
    lock_.Lock();
    if (Waiter* receiver = receivers_.TryPopFront()) {
      lock_.Unlock();
      receiver->value.emplace(std::move(value));
      receiver->fiber.Schedule(wake_);
      return;
    }
    if (size_ < capacity_) {
      PushBuffer(std::move(value));
      lock_.Unlock();
      return;
    }
    Waiter self;
    self.value.emplace(std::move(value));
    SuspendIn(senders_, self, WaitKind::kSend);
  }

  // Requires: called from a fiber.
  T Receive() noexcept {
    lock_.Lock();
    if (size_ > 0) {
      T value = PopBuffer();
      Waiter* const sender = senders_.TryPopFront();
      if (sender != nullptr) {
        PushBuffer(*std::move(sender->value));
      }
      lock_.Unlock();
      if (sender != nullptr) {
        sender->fiber.Schedule(wake_);
      }
      return value;
    }
    if (Waiter* sender = senders_.TryPopFront()) {
      lock_.Unlock();
      T value = *std::move(sender->value);
      sender->fiber.Schedule(wake_);
      return value;
    }
    Waiter self;
    SuspendIn(receivers_, self, WaitKind::kReceive);
    return *std::move(self.value);
  }

 private:
  // Lies on the stack of the fiber that waits.
  struct Waiter : IntrusiveNode<Waiter> {
    std::optional<T> value;  // a sender's, or the place for a receiver's
    FiberHandle fiber;
  };

  // Requires: the lock is held; releases it.
  void SuspendIn(IntrusiveList<Waiter>& list, Waiter& self, WaitKind kind) noexcept {
    list.PushBack(&self);
    const auto then = [this, &self](FiberHandle fiber) {
      self.fiber = std::move(fiber);
      lock_.Unlock();
    };
    Suspend(then, {.kind = kind, .object = this}, &self.fiber);
  }

  void PushBuffer(T value) noexcept {
    std::size_t place = first_ + size_;
    if (place >= capacity_) {
      place -= capacity_;
    }
    buffer_[place].emplace(std::move(value));
    ++size_;
  }

  T PopBuffer() noexcept {
    T value = *std::move(buffer_[first_]);
    buffer_[first_].reset();
    first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
    --size_;
    return value;
  }

  const std::size_t capacity_;
  const executors::SchedulerHint wake_;

  SpinLock lock_;
  // All guarded by lock_.
  const std::unique_ptr<std::optional<T>[]> buffer_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  IntrusiveList<Waiter> senders_;
  IntrusiveList<Waiter> receivers_;
};

}  // namespace schedbench::fibers
