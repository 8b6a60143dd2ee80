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

// Passes values from fibers to fibers, first in, first out. Any number of senders and receivers.
// With capacity 0 a sender waits until its value is received, otherwise until there is room.
// select.hpp waits for several channels. After Close() Send() returns false and waiting senders
// fail. Receivers still get the values in the buffer, and then nothing.
//
// A value goes directly to a waiting receiver, and a waiting sender's value directly into the room
// that a receive has made. A resumed fiber finds its operation done and does not touch the channel
// again, so the last receiver may destroy it.
//
// Invariants under lock_: (I1) receivers_ is not empty => the buffer and senders_ are empty, except
// for waiters that other threads have claimed. (I2) senders_ is not empty => the buffer is full,
// with the same exception; one fiber may wait in both lists, in a Select that does both. (I3) a
// waiter in a list has a valid fiber handle when the lock is free: it enters under the lock, which
// is released only when its fiber is off its stack. (I4) closed_ => both lists are empty and room_
// is 0, so operations that need not wait need not check closed_.
//
// A waiter with a deadline, or of a Select, has a Sleeper. A thread that takes it out of the list
// must also get its claim; otherwise it drops the waiter and takes the next. A waiter that
// something else has claimed leaves the list itself, under the lock.
template <typename T>
class Channel : private ChannelBase {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value is moved under a lock");

 public:
  // Makes an open channel with room for `capacity` values. `wake`: the hint for waking fibers.
  explicit Channel(std::size_t capacity,
                   executors::SchedulerHint wake = executors::SchedulerHint::UpToYou)
      : ChannelBase(wake, capacity != 0),
        capacity_(capacity),
        buffer_(capacity == 0 ? nullptr : std::make_unique<std::optional<T>[]>(capacity)),
        room_(capacity) {
  }

  // Sends `value`, and waits for a receiver or for room in the buffer. Returns true for a received
  // or buffered value; false, with the value lost, if the channel is or gets closed. Requires:
  // called from a fiber.
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

  // Waits for a value and returns it. Requires: called from a fiber; the channel has a value for
  // this call before it is closed. Use ReceiveOrClosed() to receive until the end.
  T Receive() noexcept {
    std::optional<T> value = ReceiveOrClosed();
    SB_ASSERT(value.has_value(), kReceiveFromClosed);
    return *std::move(value);
  }

  // Waits for a value and returns it, or nothing once the channel is closed and empty. Requires:
  // called from a fiber.
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

  // Sends if that is possible without waiting; only then it moves from the value. Any thread.
  bool TrySend(T&& value) noexcept;

  // Receives a value that is there now; otherwise nothing, forever if IsClosed(). Any thread.
  std::optional<T> TryReceive() noexcept;

  // Sends `value`, and waits at most until `deadline`. Returns false, and does not move from the
  // value, when that has passed or the channel is closed. Requires: called from a fiber.
  bool SendUntil(Deadline deadline, T&& value) noexcept;
  bool SendFor(std::chrono::nanoseconds time, T&& value) noexcept {
    return SendUntil(Deadline::In(time), std::move(value));
  }

  // Receives a value, and waits at most until `deadline`. Returns nothing when that has passed or
  // the channel is closed and empty. Requires: called from a fiber.
  std::optional<T> ReceiveUntil(Deadline deadline) noexcept;
  std::optional<T> ReceiveFor(std::chrono::nanoseconds time) noexcept {
    return ReceiveUntil(Deadline::In(time));
  }

  // Closes the channel: from now on no value enters, and all waiters resume. Closing again has no
  // effect. It does not touch the channel after it has resumed a waiter. Any thread or fiber.
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
    std::optional<T> value;  // a sender's value, or room for a receiver's
  };

  static constexpr const char* kReceiveFromClosed =
      "Receive from a channel that is closed and empty: ReceiveOrClosed is for those";

  // Suspends the fiber, which holds the lock. The lock is released when the fiber is off its stack.
  void SuspendIn(Waiters& list, Waiter& self, WaitKind kind) noexcept {
    WaitIn(list, self, lock_, {.kind = kind, .object = this});
  }

  // Returns false when the time has run out.
  bool SuspendUntil(Deadline deadline, Waiters& list, Waiter& self, WaitKind kind) noexcept {
    return WaitInUntil(deadline, list, self, lock_, {.kind = kind, .object = this});
  }

  // Resumes a receiver that is out of the list, unless it is null. Requires: the lock is free.
  void WakeReceiver(fibers::Waiter* receiver) noexcept {
    if (receiver != nullptr) {
      receiver->Resume(wake_);
    }
  }

  // Sends if that is possible without waiting; otherwise returns false and leaves the value.
  // `receiver`: the waiter to resume after unlocking, or null. Requires: the lock is held.
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

  // Receives if there is a value or the end; otherwise returns false. `sender`: the waiter to
  // resume after unlocking, or null. Requires: the lock is held; `to` is empty.
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

  // Puts the value of the oldest waiting sender into the free room. Returns that sender, or null.
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
  // Moves the value back; its type need not be assignable.
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
