#pragma once

#include "platform/net/ready_event.hpp"
#include "platform/net/uring.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// An epoll instance, an eventfd that ends a wait, and optionally a ring of io_uring for operations
// on files: a wait is for the events of both. Any thread may call Add(), Remove(), Start(),
// Cancel() and Interrupt(); one at a time Wait().
class EventPoll {
 public:
  // The key of the eventfd, which differs from all descriptors' keys.
  static constexpr std::uint64_t kInterruptKey = ~std::uint64_t{0};
  static constexpr std::size_t kMaxEvents = 128;  // per Wait(); 128 is Go's number

  EventPoll() = default;
  // Closes both descriptors.
  ~EventPoll();

  EventPoll(const EventPoll&) = delete;
  EventPoll& operator=(const EventPoll&) = delete;

  // Makes the two descriptors. Returns 0 or a negative errno. May be repeated after an error.
  int Open() noexcept;

  // Makes the ring. Returns 0 or a negative errno. May be repeated, one thread at a time. Requires:
  // Open() has succeeded.
  int OpenRing() noexcept;

  // Reports both directions of `fd` from now on, whenever one becomes ready (edge-triggered), and
  // at once if one is ready already. Returns 0 or a negative errno.
  int Add(int fd, std::uint64_t key) noexcept;

  // Ends the reports of `fd` before it is closed: a copy in another process would keep them alive.
  void Remove(int fd) noexcept;

  // Starts an operation like Uring::Start(). Requires: OpenRing() has succeeded.
  int Start(const FileRequest& request, std::uint64_t key) noexcept {
    return ring_.Start(request, key);
  }

  // Ends an operation, with -ECANCELED if the kernel can stop it.
  void Cancel(std::uint64_t key) noexcept {
    ring_.Cancel(key);
  }

  // Waits up to `timeout_ns` for events; without a limit if negative. Returns the number of written
  // `events`; 0 also after a signal, except without a limit. An interrupt sets `interrupted` and is
  // not an event.
  std::size_t Wait(std::int64_t timeout_ns, std::span<ReadyEvent, kMaxEvents> events,
                   bool& interrupted) noexcept;

  // Ends the current Wait(), or the next one. Async-signal-safe.
  void Interrupt() noexcept;

 private:
  int epoll_ = -1;
  int interrupt_ = -1;
  bool has_ring_ = false;  // used by the callers of OpenRing()
  // Open before epoll reports it to Wait(): the kernel orders the two.
  Uring ring_;
};

}  // namespace schedbench::platform
