#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "platform/time/clock.hpp"
#include "trace/event.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::trace {

// The content of a ring at one moment.
struct RingContent {
  std::vector<Event> events{};    // oldest first
  std::uint64_t overwritten = 0;  // number of lost events before these
};

// The last events of one worker, as in a flight recorder: a new one replaces the oldest. One
// writer, the worker; readers do not disturb it. A reader that discards must be the only reader.
// Events have numbers from 0, and event n lies in slot n mod capacity. (I1) Only the writer changes
// head_ and slots, and head_ only grows, by one. (I2) Events below head_ are written. (I3) Event n
// is changed only by a writer that has already stored n + capacity in head_. README.md has the
// steps of both sides, and the proof.
class EventRing {
 public:
  static constexpr unsigned kDefaultBits = 16;  // 1 MiB: 13 ms of 5 million events per second

  // Makes room for 2^`bits` events of 16 bytes. Touches all memory: recording does not page-fault.
  explicit EventRing(std::uint8_t worker, unsigned bits = kDefaultBits)
      : worker_(worker),
        mask_((std::size_t{1} << bits) - 1),
        slots_(std::make_unique<Slot[]>(mask_ + 1)) {
  }

  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  // Records an event: a read of the clock and three plain stores. Only the writer calls it.
  SB_ALWAYS_INLINE void Record(EventKind kind, std::uint32_t fiber = 0,
                               std::uint32_t arg = 0) noexcept {
    RecordAt(platform::TickClock::Now(), kind, fiber, arg);
  }

  // Records an event at a known time: the clock costs most. `ticks`: not before the last event.
  SB_ALWAYS_INLINE void RecordAt(std::uint64_t ticks, EventKind kind, std::uint32_t fiber = 0,
                                 std::uint32_t arg = 0) noexcept {
    const auto words = std::bit_cast<Words>(Event{
        .tsc = ticks,
        .fiber = fiber,
        .arg = static_cast<std::uint16_t>(std::min(arg, std::uint32_t{0xFFFF})),
        .kind = kind,
        .worker = worker_,
    });
    const std::uint64_t head = head_.Load(memory_order_relaxed);
    Slot& slot = slots_[head & mask_];
    // release: pairs with the acquire fence in ReadLive(): a reader of a new word sees this head_.
    AtomicFence(memory_order_release);
    // relaxed: ordered by the fence and the store of head_.
    slot.first.Store(words[0], memory_order_relaxed);
    slot.second.Store(words[1], memory_order_relaxed);
    // release: pairs with the acquire in Copied(); the event is complete.
    head_.Store(head + 1, memory_order_release);
  }

  // Discards the content without counting it as overwritten. Only the reader calls it, at any time.
  void Discard() noexcept {
    // relaxed: it only grows, and no slot is read.
    begin_ = head_.Load(memory_order_relaxed);
  }

  std::size_t Capacity() const noexcept {
    return mask_ + 1;
  }

  // Returns the content. Requires: the writer has stopped, and its last recording happened before.
  RingContent ReadStopped() const {
    return Copied();
  }

  // Returns the content while the writer may continue: at most one event less than fits, fewer if
  // it was faster.
  RingContent ReadLive() const {
    RingContent content = Copied();
    // acquire: pairs with the release fence in RecordAt(). If a word is too new, so is head_.
    AtomicFence(memory_order_acquire);
    // relaxed: ordered by the fence.
    const std::uint64_t head = head_.Load(memory_order_relaxed);
    // The event that `head` replaces may be half written (I3).
    const std::uint64_t first_whole = head < Capacity() ? 0 : head - Capacity() + 1;
    const std::uint64_t first = begin_ + content.overwritten;
    if (first_whole > first) {
      const std::uint64_t lost =
          std::min<std::uint64_t>(first_whole - first, content.events.size());
      content.events.erase(content.events.begin(),
                           content.events.begin() + static_cast<std::ptrdiff_t>(lost));
      content.overwritten += lost;
    }
    return content;
  }

 private:
  using Words = std::array<std::uint64_t, 2>;

  // The words of an Event, together on one cache line.
  struct alignas(16) Slot {
    Atomic<std::uint64_t> first{0};
    Atomic<std::uint64_t> second{0};
  };

  RingContent Copied() const {
    // acquire: pairs with the release in RecordAt(); earlier events are complete (I2).
    const std::uint64_t head = head_.Load(memory_order_acquire);
    const std::uint64_t count = std::min<std::uint64_t>(head - begin_, Capacity());
    RingContent content{.overwritten = head - begin_ - count};
    content.events.reserve(count);
    for (std::uint64_t i = head - count; i < head; ++i) {
      const Slot& slot = slots_[i & mask_];
      // relaxed: head_'s acquire orders them; ReadLive() finds newer ones.
      const Words words{slot.first.Load(memory_order_relaxed),
                        slot.second.Load(memory_order_relaxed)};
      content.events.push_back(std::bit_cast<Event>(words));
    }
    return content;
  }

  const std::uint8_t worker_;
  const std::size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
  // number of the first event that is not discarded; only the reader uses it
  std::uint64_t begin_ = 0;
  // number of the next event; relaxed: only the writer changes it
  alignas(kCacheLine) Atomic<std::uint64_t> head_{0};
};

}  // namespace schedbench::trace
