#pragma once

#include "base/cache_line.hpp"
#include "fibers/net/io_result.hpp"
#include "fibers/net/ready_slot.hpp"
#include "fibers/net/run_call.hpp"
#include "fibers/net/use_gate.hpp"
#include "fibers/net/wait_turn.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

namespace schedbench::fibers {

// The poller's record of an open file descriptor, with two slots. It lives as long as the process
// and is reused for other descriptors, because an event of the kernel may name one that has been
// closed since. The sequence number distinguishes them.
class alignas(kCacheLine) Descriptor {
 public:
  Descriptor() = default;

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Returns the file descriptor. Requires: open, or a use has not ended.
  int Fd() const noexcept {
    return fd_.Load(memory_order_relaxed);
  }

  // Returns whether Close() was called.
  bool IsClosed() const noexcept {
    return gate_.IsClosed();
  }

  // Promises that bytes which come after a read that leaves nothing have an event of their own. TCP
  // keeps this. Call it before the first operation.
  void SetReportsNewBytes() noexcept {
    reports_new_bytes_ = true;
  }

  // Calls `call(fd)` until its result is not -EAGAIN, with waits in between, and before the first
  // call if the last one has left nothing. Returns its result, which is negative for an error;
  // -ECANCELED if Close() was called, -ETIMEDOUT if `deadline` has passed, -EBUSY if another fiber
  // waits for the same direction (RunCall). Any fiber or thread.
  template <std::invocable<int> Call>
  std::int64_t Run(WaitKind kind, Deadline deadline, Call call) noexcept {
    if (!gate_.TryEnter()) {
      return -ECANCELED;
    }
    Direction& direction = DirectionOf(kind);
    const std::int64_t result = RunCall(
        direction,
        [&] {
          CallResult made = call(Fd());
          made.leaves_nothing =
              made.leaves_nothing && reports_new_bytes_ && !has_ended_.Load(memory_order_relaxed);
          return made;
        },
        [&] { return Wait(direction, kind, deadline); });
    EndUse();
    return result;
  }

  // Calls `call(fd)` once, or returns -ECANCELED if the descriptor is closed. Any thread.
  template <std::invocable<int> Call>
  std::int64_t Once(Call call) noexcept {
    if (!gate_.TryEnter()) {
      return -ECANCELED;
    }
    const std::int64_t result = call(Fd());
    EndUse();
    return result;
  }

  // Ends all waits with -ECANCELED. The file descriptor is freed when all operations have ended.
  // Calling it again has no effect. Any thread.
  void Close() noexcept;

  // Describes a wait for reports: "data to read on fd 5, peer 127.0.0.1:80, for 1.2 s".
  static std::string WaitText(const Waiting& waiting);
  // Describes a wait without its time, which flame graphs show as a width.
  static std::string WaitName(const Waiting& waiting);

 private:
  friend class DescriptorTable;
  friend class Poller;

  struct Direction {
    ReadySlot slot;
    WaitTurn turn;
    // Start of the wait, or 0. relaxed: only for reports.
    Atomic<std::uint64_t> since_ns{0};
    // An address on the stack of the operation that has the turn and writes it, or null. relaxed:
    // read when the threads of the stack's pool have ended.
    Atomic<const void*> frame{nullptr};

    // What RunCall() needs of a turn.
    std::uint32_t Look() const noexcept {
      return turn.Look();
    }
    WaitTurn::Begin TryBegin(std::uint32_t& seen) noexcept {
      const WaitTurn::Begin begin = turn.TryBegin(seen);
      if (begin == WaitTurn::Begin::kDone) {
        frame.Store(__builtin_frame_address(0), memory_order_relaxed);
      }
      return begin;
    }
    void End(bool empty) noexcept {
      frame.Store(nullptr, memory_order_relaxed);
      turn.End(empty);
    }
    void TrySetEmpty(std::uint32_t seen) noexcept {
      turn.TrySetEmpty(seen);
    }
  };

  // Returns 0 or a negative errno.
  int Wait(Direction& direction, WaitKind kind, Deadline deadline) noexcept;
  void EndUse() noexcept {
    if (gate_.Leave()) {
      Free();
    }
  }
  void Free() noexcept;

  Direction& DirectionOf(WaitKind kind) noexcept {
    return kind == WaitKind::kNetWrite || kind == WaitKind::kNetConnect ? write_ : read_;
  }

  Direction read_;
  Direction write_;
  UseGate gate_;
  Atomic<std::int32_t> fd_{-1};  // relaxed: the gate publishes it, or the kernel with an event
  Atomic<std::uint32_t> sequence_{0};  // relaxed: it changes only while the descriptor is free
  // The kernel has reported an end, an error or urgent data, after which a read may leave bytes or
  // an end without a new event. The poller sets it before it reports the event to a slot. relaxed:
  // an operation that takes the event acquires it with the slot; for any other one the event is
  // still there.
  Atomic<bool> has_ended_{false};
  bool reports_new_bytes_ = false;   // constant after SetReportsNewBytes()
  std::uint32_t index_ = 0;          // in the table; constant
  Descriptor* next_free_ = nullptr;  // guarded by the table
};

// Owns an open descriptor: its destructor closes it and returns it. Move-only. Requires at
// destruction: no operation runs or waits; call Close() and await them first.
class DescriptorOwner {
 public:
  // Holds no descriptor.
  DescriptorOwner() = default;

  // Takes over `fd`, which is closed also on failure. A negative `fd` is an error to return.
  static IoResult<DescriptorOwner> Open(int fd) noexcept;

  DescriptorOwner(DescriptorOwner&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, nullptr)) {
  }
  DescriptorOwner& operator=(DescriptorOwner&& other) noexcept {
    DescriptorOwner taken(std::move(other));
    std::swap(descriptor_, taken.descriptor_);
    return *this;
  }
  ~DescriptorOwner();

  Descriptor& operator*() const noexcept {
    SB_ASSERT(descriptor_ != nullptr, "moved from, or never opened");
    return *descriptor_;
  }
  Descriptor* operator->() const noexcept {
    return &**this;
  }

 private:
  explicit DescriptorOwner(Descriptor& descriptor) noexcept
      : descriptor_(&descriptor) {
  }

  Descriptor* descriptor_ = nullptr;
};

}  // namespace schedbench::fibers
