#include "platform/net/event_poll.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <limits>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// epoll_pwait2 (Linux 5.11) counts nanoseconds, epoll_wait milliseconds: rounded up against spins.
int WaitForEvents(int epoll, epoll_event* events, int most, std::int64_t timeout_ns) noexcept {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kMillisecond = 1'000'000;
  if (timeout_ns <= 0) {
    return ::epoll_wait(epoll, events, most, timeout_ns == 0 ? 0 : -1);
  }
  const timespec timeout{.tv_sec = timeout_ns / kSecond, .tv_nsec = timeout_ns % kSecond};
  const int count = ::epoll_pwait2(epoll, events, most, &timeout, nullptr);
  if (count >= 0 || errno != ENOSYS) {
    return count;
  }
  const std::int64_t ms = (timeout_ns - 1) / kMillisecond + 1;
  return ::epoll_wait(
      epoll, events, most,
      static_cast<int>(std::min<std::int64_t>(ms, std::numeric_limits<int>::max())));
}

// The key of the ring in epoll, which differs from all descriptors' keys.
constexpr std::uint64_t kRingKey = EventPoll::kInterruptKey - 1;

ReadyEvent EpollEventOf(const epoll_event& event) noexcept {
  constexpr std::uint32_t kEnd = EPOLLHUP | EPOLLERR;
  constexpr std::uint32_t kReadEnd = EPOLLRDHUP | EPOLLPRI | kEnd;
  return {.key = event.data.u64,
          .can_read = (event.events & (EPOLLIN | kReadEnd)) != 0,
          .can_write = (event.events & (EPOLLOUT | kEnd)) != 0,
          .has_ended = (event.events & kReadEnd) != 0};
}

}  // namespace

EventPoll::~EventPoll() {
  for (const int fd : {epoll_, interrupt_}) {
    if (fd >= 0) {
      ::close(fd);
    }
  }
}

int EventPoll::Open() noexcept {
  if (epoll_ < 0) {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  }
  if (epoll_ < 0) {
    return -errno;
  }
  if (interrupt_ >= 0) {
    return 0;
  }
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) {
    return -errno;
  }
  // Level-triggered: an unread interrupt ends the next wait.
  epoll_event event{.events = EPOLLIN, .data = {.u64 = kInterruptKey}};
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) {
    const int error = errno;
    ::close(fd);
    return -error;
  }
  interrupt_ = fd;
  return 0;
}

int EventPoll::OpenRing() noexcept {
  if (has_ring_) {
    return 0;
  }
  const int error = ring_.Open();
  if (error != 0) {
    return error;
  }
  // Level-triggered: completions that a wait has left end the next one.
  epoll_event event{.events = EPOLLIN, .data = {.u64 = kRingKey}};
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, ring_.Fd(), &event) != 0) {
    return -errno;
  }
  has_ring_ = true;
  return 0;
}

int EventPoll::Add(int fd, std::uint64_t key) noexcept {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET,
                    .data = {.u64 = key}};
  return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

void EventPoll::Remove(int fd) noexcept {
  epoll_event ignored{};
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, &ignored);
}

std::size_t EventPoll::Wait(std::int64_t timeout_ns, std::span<ReadyEvent, kMaxEvents> events,
                            bool& interrupted) noexcept {
  std::array<epoll_event, kMaxEvents> found;
  int count = 0;
  do {
    // EINTR: a signal, or a completion that the kernel posts in this thread. Without a limit the
    // wait continues: the caller might not call again and leave the completion unread.
    count = WaitForEvents(epoll_, found.data(), kMaxEvents, timeout_ns);
  } while (count < 0 && errno == EINTR && timeout_ns < 0);
  SB_ASSERT(count >= 0 || errno == EINTR, "epoll_wait");
  std::size_t written = 0;
  bool ring_is_ready = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = found[static_cast<std::size_t>(i)];
    if (event.data.u64 == kInterruptKey) {
      std::uint64_t number = 0;
      static_cast<void>(::read(interrupt_, &number, sizeof(number)));
      interrupted = true;
      continue;
    }
    if (event.data.u64 == kRingKey) {
      ring_is_ready = true;
      continue;
    }
    events[written++] = EpollEventOf(event);
  }
  return ring_is_ready ? written + ring_.Take(events.subspan(written)) : written;
}

void EventPoll::Interrupt() noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(::write(interrupt_, &one, sizeof(one)));
}

}  // namespace schedbench::platform
