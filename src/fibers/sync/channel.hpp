#pragma once

#include "base/assert.hpp"
#include "fibers/sync/channel_base.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

template <typename T>
class ReceiveCase;
template <typename T>
class SendCase;

// Passes values from fibers to fibers, first in, first out. With capacity 0 a sender waits until its value
// is received; else until there is room. Any number of senders and receivers. select.hpp waits for several channels.
//
// A value goes straight to a receiver that waits, and a waiting sender's value straight into the room that a receive
// has made: a resumed fiber finds its operation done and does not touch the channel again. So the last receiver may
// destroy it.
//
// After Close() no value enters any more: Send() returns false. What is in the buffer is still received; then receivers
// get nothing. Senders that wait fail.
//
// Invariants under lock_: (I1) receivers_ is not empty => the buffer and senders_ are empty, but for waiters that
// others have claimed. (I2) senders_ is not empty => the buffer is full, with the same exception; and that one fiber
// may wait in both lists, in a Select that does both. (I3) a waiter in a list has a valid fiber handle when the lock is
// free: it enters under the lock, which is released only when its fiber is off its stack. (I4) closed_ => both lists
// are empty and room_ is 0: with it, what need not wait need not look at closed_.
//
// A waiter with a deadline, or of a Select, has a Sleeper: a thread that takes it out of the list must also get its
// claim, else it drops the waiter and takes the next. A waiter whose claim went elsewhere leaves the list by itself,
// under the lock.
template <typename T>
class Channel : private ChannelBase {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value is moved under a lock");

 public:
  // Makes an open channel with room for `capacity` values. `wake`: the hint with which waiting fibers are made ready.
  explicit Channel(std::size_t capacity,
                   executors::SchedulerHint wake = executors::SchedulerHint::UpToYou)
      : ChannelBase(wake, capacity != 0),
        capacity_(capacity),
        buffer_(capacity == 0 ? nullptr : std::make_unique<std::optional<T>[]>(capacity)),
        room_(capacity) {
  }

  // Sends `value`, and waits for a receiver or for room in the buffer. Returns true when the value is received or in
  // the buffer, false when the channel is closed, before or while this waits; the value is gone then. Requires: called
  // from a fiber.
  bool Send(T value) noexcept {
    lock_.Lock();
    if (Waiter* receiver = TryPop<Waiter>(receivers_)) {
      lock_.Unlock();
      receiver->value.emplace(std::move(value));
      WakeReceiver(receiver);
      return true;
    }
    if (size_ < room_) {
      PushBuffer(std::move(value));
      lock_.Unlock();
      return true;
    }
    if (closed_) [[unlikely]] {
      lock_.Unlock();
      return false;
    }
    Waiter self;
    self.value.emplace(std::move(value));
    SuspendIn(senders_, self, WaitKind::kSend);
    return !self.closed;
  }

  // Waits for a value and returns it. Requires: called from a fiber; the channel is not closed before it has a value
  // for this call. To receive until the end use ReceiveOrClosed().
  T Receive() noexcept {
    std::optional<T> value = ReceiveOrClosed();
    SB_ASSERT(value.has_value(), kReceiveFromClosed);
    return *std::move(value);
  }

  // Waits for a value and returns it; returns nothing once the channel is closed and empty. Requires: called from a
  // fiber.
  std::optional<T> ReceiveOrClosed() noexcept {
    lock_.Lock();
    if (size_ > 0) {
      T value = PopBuffer();
      Waiter* const sender = RefillBuffer();
      lock_.Unlock();
      if (sender != nullptr) {
        sender->Resume(wake_);
      }
      return value;
    }
    if (Waiter* sender = TryPop<Waiter>(senders_)) {
      lock_.Unlock();
      T value = *std::move(sender->value);
      sender->Resume(wake_);
      return value;
    }
    if (closed_) [[unlikely]] {
      lock_.Unlock();
      return std::nullopt;
    }
    Waiter self;
    SuspendIn(receivers_, self, WaitKind::kReceive);
    if (!self.value.has_value()) {
      return std::nullopt;
    }
    return *std::move(self.value);
  }

  // Sends if that needs no waiting; only then the value is moved from. Any thread.
  bool TrySend(T&& value) noexcept;

  // Receives if that needs no waiting. Nothing: there is no value now (and never will be, if IsClosed()). Any
  // thread.
  std::optional<T> TryReceive() noexcept;

  // Sends `value`, and waits until `deadline` at the most. Returns false, and does not move from the value, when it has
  // passed or the channel is closed. Requires: called from a fiber.
  bool SendUntil(Deadline deadline, T&& value) noexcept;
  bool SendFor(std::chrono::nanoseconds time, T&& value) noexcept {
    return SendUntil(Deadline::In(time), std::move(value));
  }

  // Receives a value, and waits until `deadline` at the most. Nothing: it has passed, or the channel is closed and
  // empty. Requires: called from a fiber.
  std::optional<T> ReceiveUntil(Deadline deadline) noexcept;
  std::optional<T> ReceiveFor(std::chrono::nanoseconds time) noexcept {
    return ReceiveUntil(Deadline::In(time));
  }

  // Closes the channel: no value enters from now on, and all waiters resume. Any thread or fiber; closing again has no
  // effect. It touches the channel for the last time before it resumes a waiter.
  void Close() noexcept;

  // Returns whether the channel has been closed; it stays closed. Any thread.
  bool IsClosed() noexcept {
    lock_.Lock();
    const bool closed = closed_;
    lock_.Unlock();
    return closed;
  }

 private:
  friend class ReceiveCase<T>;
  friend class SendCase<T>;

  struct Waiter : ChannelWaiter {
    std::optional<T> value;  // a sender's, or the place for a receiver's
  };

  static constexpr const char* kReceiveFromClosed =
      "Receive from a channel that is closed and empty: ReceiveOrClosed is for those";

  // The suspending fiber holds the lock, which is released when the fiber is off its stack.
  void SuspendIn(Waiters& list, Waiter& self, WaitKind kind) noexcept {
    WaitIn(list, self, lock_, {.kind = kind, .object = this});
  }

  // Returns false when the time has run out.
  bool SuspendUntil(Deadline deadline, Waiters& list, Waiter& self, WaitKind kind) noexcept {
    return WaitInUntil(deadline, list, self, lock_, {.kind = kind, .object = this});
  }

  // Resumes a receiver that was taken out of the list with a value; null: none. Requires: the lock is free.
  void WakeReceiver(fibers::Waiter* receiver) noexcept {
    if (receiver != nullptr) {
      receiver->Resume(wake_);
    }
  }

  // The part of sending that needs no waiting: returns false, and leaves the value, if there is no receiver and no
  // room. `receiver`: the waiter to resume after unlocking, or null. Requires: the lock is held.
  bool PutNow(T& value, fibers::Waiter*& receiver) noexcept {
    if (Waiter* const waiter = TryPop<Waiter>(receivers_)) {
      waiter->value.emplace(std::move(value));
      receiver = waiter;
      return true;
    }
    if (size_ < room_) {
      PushBuffer(std::move(value));
      return true;
    }
    return false;
  }

  // The part of receiving that needs no waiting: returns false if there is neither a value nor the end.
  // `sender`: the waiter to resume after unlocking, or null. Requires: the lock is held; `to` is empty.
  bool TakeNow(std::optional<T>& to, fibers::Waiter*& sender) noexcept {
    if (size_ > 0) {
      to.emplace(PopBuffer());
      sender = RefillBuffer();
      return true;
    }
    if (Waiter* const waiter = TryPop<Waiter>(senders_)) {
      to.emplace(*std::move(waiter->value));
      sender = waiter;
      return true;
    }
    return closed_;
  }

  // Lets the oldest sender that waits put its value where a receiver has made room. Returns it, or null.
  Waiter* RefillBuffer() noexcept {
    Waiter* const sender = TryPop<Waiter>(senders_);
    if (sender != nullptr) {
      PushBuffer(*std::move(sender->value));
    }
    return sender;
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

  // All guarded by lock_.
  const std::unique_ptr<std::optional<T>[]> buffer_;
  std::size_t room_;  // capacity_ while open, 0 when closed
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

template <typename T>
bool Channel<T>::TrySend(T&& value) noexcept {
  fibers::Waiter* receiver = nullptr;
  lock_.Lock();
  const bool sent = PutNow(value, receiver);
  lock_.Unlock();
  WakeReceiver(receiver);
  return sent;
}

template <typename T>
std::optional<T> Channel<T>::TryReceive() noexcept {
  std::optional<T> value;
  fibers::Waiter* sender = nullptr;
  lock_.Lock();
  TakeNow(value, sender);
  lock_.Unlock();
  if (sender != nullptr) {
    sender->Resume(wake_);
  }
  return value;
}

template <typename T>
bool Channel<T>::SendUntil(Deadline deadline, T&& value) noexcept {
  fibers::Waiter* receiver = nullptr;
  lock_.Lock();
  const bool sent = PutNow(value, receiver);
  if (sent || closed_ || deadline.HasPassed()) {
    lock_.Unlock();
    WakeReceiver(receiver);
    return sent;
  }
  Waiter self;
  self.value.emplace(std::move(value));
  if (SuspendUntil(deadline, senders_, self, WaitKind::kSend) && !self.closed) {
    return true;
  }
  // Back to where it came from; it need not be assignable.
  std::destroy_at(&value);
  std::construct_at(&value, *std::move(self.value));
  return false;
}

template <typename T>
std::optional<T> Channel<T>::ReceiveUntil(Deadline deadline) noexcept {
  std::optional<T> value;
  fibers::Waiter* sender = nullptr;
  lock_.Lock();
  if (TakeNow(value, sender) || deadline.HasPassed()) {
    lock_.Unlock();
    if (sender != nullptr) {
      sender->Resume(wake_);
    }
    return value;
  }
  Waiter self;
  SuspendUntil(deadline, receivers_, self, WaitKind::kReceive);
  return std::move(self.value);
}

template <typename T>
void Channel<T>::Close() noexcept {
  Waiters waiting;
  const executors::SchedulerHint wake = wake_;
  lock_.Lock();
  closed_ = true;
  room_ = 0;
  for (Waiters* const list : {&receivers_, &senders_}) {
    while (auto* const waiter = TryPop<ChannelWaiter>(*list)) {
      waiter->closed = true;
      waiting.PushBack(waiter);
    }
  }
  lock_.Unlock();
  while (fibers::Waiter* const waiter = waiting.TryPopFront()) {
    waiter->Resume(wake);
  }
}

}  // namespace schedbench::fibers
