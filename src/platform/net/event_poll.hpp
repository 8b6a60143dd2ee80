#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

// What an event says about a descriptor. An error or the end of the peer is both.
struct ReadyEvent {
  std::uint64_t key;  // as given to Add()
  bool can_read;
  bool can_write;
};

// An epoll instance and an eventfd that ends a wait. Any thread may call Add(), Remove() and Interrupt(); one at a time Wait().
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

  // Reports both directions of `fd` from now on, each time that one becomes ready (edge-triggered), and at once what is ready
  // already. Returns 0 or a negative errno.
  int Add(int fd, std::uint64_t key) noexcept;

  // Ends the reports of `fd`, before it is closed: a copy of the descriptor in another process would keep them alive.
  void Remove(int fd) noexcept;

  // Waits up to `timeout_ns` for events; negative: without a limit. Returns how many it has written to `events`, 0 also after a
  // signal. An interrupt is not among them; it sets `interrupted`.
  std::size_t Wait(std::int64_t timeout_ns, std::span<ReadyEvent, kMaxEvents> events,
                   bool& interrupted) noexcept;

  // Ends the current Wait(), or the next one. Async-signal-safe.
  void Interrupt() noexcept;

 private:
  int epoll_ = -1;
  int interrupt_ = -1;
};

}  // namespace schedbench::platform
