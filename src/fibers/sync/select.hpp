#pragma once

#include "base/atomic.hpp"
#include "fibers/sync/channel.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace schedbench::fibers {

// A ReceiveCase or a SendCase: one of the operations that a fiber waits for in Select(). It belongs
// to the fiber, may be used repeatedly, and lives at least as long as the call.
class SelectCase {
 public:
  SelectCase(const SelectCase&) = delete;
  SelectCase& operator=(const SelectCase&) = delete;

 protected:
  SelectCase(ChannelBase& channel, Waiter& waiter) noexcept
      : channel_(&channel),
        waiter_(&waiter) {
  }

  ~SelectCase() = default;

 private:
  friend class Selection;

  // Resets the last use. Requires: the fiber does not wait.
  virtual void Reset() noexcept = 0;
  // Returns whether TryNow() may succeed. Requires: the channel's lock.
  virtual bool IsReady() noexcept = 0;
  // Does the operation if that needs no waiting. `other`: the waiter to resume after unlocking, or
  // null. Requires: the channel's lock.
  virtual bool TryNow(Waiter*& other) noexcept = 0;
  virtual Waiters& List() noexcept = 0;

  // The parts of ChannelBase that a Selection needs.
  SpinLock& Lock() const noexcept {
    return channel_->lock_;
  }

  executors::SchedulerHint Hint() const noexcept {
    return channel_->wake_;
  }

  ChannelBase* const channel_;
  Waiter* const waiter_;
  Cell<SelectCase*> next_;  // ordered by the channels' addresses
  bool in_use_ = false;     // a Selection uses it
};

// Fires when a value has been received, or when the channel is closed and empty.
template <typename T>
class ReceiveCase final : public SelectCase {
 public:
  // Makes a case that receives from `channel`, which must outlive the case.
  explicit ReceiveCase(Channel<T>& channel) noexcept
      : SelectCase(channel, waiter_),
        channel_(channel) {
  }

  // Returns the value of the fired case; nothing if the channel is closed. May be moved from.
  std::optional<T>& Value() noexcept {
    return waiter_.value;
  }

 private:
  void Reset() noexcept override {
    waiter_.value.reset();
    waiter_.closed = false;
    waiter_.dropped = false;
  }

  bool IsReady() noexcept override {
    return channel_.size_ > 0 || channel_.closed_ || HasWaiter(channel_.senders_);
  }

  bool TryNow(Waiter*& other) noexcept override {
    return channel_.TakeNow(waiter_.value, other);
  }

  Waiters& List() noexcept override {
    return channel_.receivers_;
  }

  Channel<T>& channel_;
  typename Channel<T>::Waiter waiter_;
};

// Fires when the value has been sent, or when the channel is closed.
template <typename T>
class SendCase final : public SelectCase {
 public:
  // Makes a case that sends `value` to `channel`, which must outlive the case.
  SendCase(Channel<T>& channel, T value) noexcept
      : SelectCase(channel, waiter_),
        channel_(channel) {
    Set(std::move(value));
  }

  // Returns, after the case fired, whether the value was sent. It was not if the channel is closed.
  bool Sent() const noexcept {
    return !waiter_.closed;
  }

  // Returns the value, until it has been sent.
  T& Value() noexcept {
    return *waiter_.value;
  }

  // Sets the value for the next use. A sent value must be replaced; an unsent one is still there.
  void Set(T value) noexcept {
    waiter_.value.emplace(std::move(value));
  }

 private:
  void Reset() noexcept override {
    waiter_.closed = false;
    waiter_.dropped = false;
  }

  bool IsReady() noexcept override {
    return channel_.closed_ || channel_.size_ < channel_.room_ || HasWaiter(channel_.receivers_);
  }

  bool TryNow(Waiter*& other) noexcept override {
    if (channel_.closed_) {
      waiter_.closed = true;
      return true;
    }
    return channel_.PutNow(*waiter_.value, other);
  }

  Waiters& List() noexcept override {
    return channel_.senders_;
  }

  Channel<T>& channel_;
  typename Channel<T>::Waiter waiter_;
};

// Seeds the choices of Select on the calling thread. Schedulers use the run's seed; other threads
// have sequences of their own.
void SeedSelect(std::uint64_t seed) noexcept;

// Waits until one of the cases is ready, does exactly that one, and returns its number in `cases`.
// If several are ready at once, each is chosen with the same probability. Two cases may name the
// same channel. After it was resumed, it touches the channel of the fired case only if another case
// names it too. The other channels must live until it returns. select.cpp explains the protocol.
// Requires: at least one case; called from a fiber.
std::size_t Select(std::span<SelectCase* const> cases) noexcept;

// Does a case that is ready now and returns its number, or nothing. Never waits. Any thread.
std::optional<std::size_t> TrySelect(std::span<SelectCase* const> cases) noexcept;

// Waits like Select(), at most until `deadline`. Returns nothing if no case was ready by then.
// Without cases it only waits. Requires: called from a fiber.
std::optional<std::size_t> SelectUntil(Deadline deadline,
                                       std::span<SelectCase* const> cases) noexcept;

// Waits like Select(), at most for `time` from now. Returns nothing if no case was ready. Requires:
// called from a fiber.
inline std::optional<std::size_t> SelectFor(std::chrono::nanoseconds time,
                                            std::span<SelectCase* const> cases) noexcept {
  return SelectUntil(Deadline::In(time), cases);
}

// Select(span) with the cases as arguments: Select(from_xs, to_ys).
template <std::derived_from<SelectCase>... Cases>
std::size_t Select(Cases&... cases) noexcept {
  const std::array<SelectCase*, sizeof...(Cases)> all{&cases...};
  return Select(std::span<SelectCase* const>(all));
}

// TrySelect(span) with the cases as arguments.
template <std::derived_from<SelectCase>... Cases>
std::optional<std::size_t> TrySelect(Cases&... cases) noexcept {
  const std::array<SelectCase*, sizeof...(Cases)> all{&cases...};
  return TrySelect(std::span<SelectCase* const>(all));
}

// SelectUntil(deadline, span) with the cases as arguments.
template <std::derived_from<SelectCase>... Cases>
std::optional<std::size_t> SelectUntil(Deadline deadline, Cases&... cases) noexcept {
  const std::array<SelectCase*, sizeof...(Cases)> all{&cases...};
  return SelectUntil(deadline, std::span<SelectCase* const>(all));
}

// SelectFor(time, span) with the cases as arguments.
template <std::derived_from<SelectCase>... Cases>
std::optional<std::size_t> SelectFor(std::chrono::nanoseconds time, Cases&... cases) noexcept {
  return SelectUntil(Deadline::In(time), cases...);
}

}  // namespace schedbench::fibers
