#pragma once

#include "base/atomic.hpp"
#include "platform/net/ready_event.hpp"
#include "platform/net/uring.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// An epoll instance, an eventfd that ends a wait, and optionally a ring of io_uring: a wait is for what either reports.
// Any thread may call Add(), Remove() and Interrupt(); one at a time Wait().
class EventPoll {
 public:
  // The key of the eventfd; no descriptor has it.
  static constexpr std::uint64_t kInterruptKey = ~std::uint64_t{0};
  static constexpr std::size_t kMaxEvents = 128;  // of one Wait(); 128 is Go's number

  EventPoll() = default;
  // Closes both descriptors.
  ~EventPoll();

  EventPoll(const EventPoll&) = delete;
  EventPoll& operator=(const EventPoll&) = delete;

  // Makes the two descriptors. Returns 0 or a negative errno; may then be repeated.
  int Open() noexcept;

  // Makes the ring. Returns 0 or a negative errno; may be repeated, by one thread at a time. Requires: Open() has
  // succeeded.
  int OpenRing() noexcept;

  // What reports a descriptor. kRing requires that OpenRing() has succeeded.
  enum class Source : std::uint8_t { kNone, kEpoll, kRing };

  // Reports both directions of `fd` from now on, each time that one becomes ready (edge-triggered), and at once what is
  // ready already. Returns 0 or a negative errno.
  int Add(Source source, int fd, std::uint64_t key) noexcept;

  // Ends the reports of `fd`, before it is closed: a copy of the descriptor in another process would keep them alive.
  // As it was added.
  void Remove(Source source, int fd, std::uint64_t key) noexcept;

  // As Uring::Start(). Requires: OpenRing() has succeeded.
  int Start(const FileRequest& request, std::uint64_t key) noexcept {
    return ring_.Start(request, key);
  }

  // Lets an operation end, with -ECANCELED if the kernel can stop it.
  void Cancel(std::uint64_t key) noexcept {
    ring_.Remove(key);
  }

  // Waits up to `timeout_ns` for events; negative: without a limit. Returns how many it has written to `events`, 0 also
  // after a signal, except without a limit. An interrupt is not among them; it sets `interrupted`. Without descriptors
  // in epoll, a call that need not wait makes no system call and leaves an interrupt to the next one.
  std::size_t Wait(std::int64_t timeout_ns, std::span<ReadyEvent, kMaxEvents> events,
                   bool& interrupted) noexcept;

  // Ends the current Wait(), or the next one. Async-signal-safe.
  void Interrupt() noexcept;

 private:
  int epoll_ = -1;
  int interrupt_ = -1;
  Atomic<std::uint32_t> in_epoll_{0};  // descriptors of Source::kEpoll
  Atomic<bool> has_ring_{false};
  Uring ring_;
};

}  // namespace schedbench::platform
