#include "tests/fibers/net_faults/injected.hpp"

#include "base/random.hpp"
#include "tests/support/stress.hpp"

#include <liburing.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include <sys/epoll.h>
#include <sys/socket.h>

namespace schedbench::tests {

namespace {

std::atomic<std::uint32_t> faults{0};
std::atomic<std::uint32_t> chance{1};
std::atomic<std::uint64_t> injected{0};
std::atomic<std::uint64_t> draws{0};

// A different number for each call, of any thread.
std::uint32_t Draw() {
  return static_cast<std::uint32_t>(MixSeed(draws.fetch_add(1)) >> 32U);
}

bool Happens(Fault fault) {
  const bool happens = (faults.load() & static_cast<std::uint32_t>(fault)) != 0 &&
                       Draw() % std::max(chance.load(), 1U) == 0;
  injected += happens ? 1 : 0;
  return happens;
}

// Whether a call fails; errno is set then.
bool Fails(Fault fault, int error) {
  if (!Happens(fault)) {
    return false;
  }
  errno = error;
  return true;
}

std::size_t Shortened(std::size_t size) {
  return size > 1 && Happens(Fault::kShort) ? 1 + Draw() % (size - 1) : size;
}

// The last event that epoll_wait has reported, for kFalseReady.
std::atomic<std::uint64_t> last_key{0};

int AddFalseReady(int count, epoll_event* events, int most) {
  if (count > 0) {
    const std::uint64_t before = last_key.exchange(events[0].data.u64);
    if (count < most && before != 0 && Happens(Fault::kFalseReady)) {
      events[count].events = EPOLLIN | EPOLLOUT;
      events[count].data.u64 = before;
      return count + 1;
    }
  }
  return count;
}

}  // namespace

Injected::Injected(std::uint32_t mask, std::uint32_t one_in) {
  chance = one_in;
  faults = mask;
}

Injected::~Injected() {
  faults = 0;
}

std::uint64_t Injected::Count() {
  return injected;
}

}  // namespace schedbench::tests

using schedbench::tests::AddFalseReady;
using schedbench::tests::Fails;
using schedbench::tests::Fault;
using schedbench::tests::Happens;
using schedbench::tests::Shortened;

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's.
extern "C" {

ssize_t __real_recv(int fd, void* into, size_t size, int flags);
ssize_t __real_send(int fd, const void* bytes, size_t size, int flags);
int __real_accept4(int fd, sockaddr* address, socklen_t* size, int flags);
int __real_socket(int domain, int type, int protocol);
int __real_epoll_ctl(int epoll, int operation, int fd, epoll_event* event);
int __real_epoll_wait(int epoll, epoll_event* events, int most, int timeout);
int __real_io_uring_submit_and_wait(io_uring* ring, unsigned count);

ssize_t __wrap_recv(int fd, void* into, size_t size, int flags) {
  if (Fails(Fault::kInterrupted, EINTR) || Fails(Fault::kReset, ECONNRESET)) {
    return -1;
  }
  // Not shortened: a socket of TCP returns fewer bytes than asked for only if it has no more.
  return __real_recv(fd, into, size, flags);
}

ssize_t __wrap_send(int fd, const void* bytes, size_t size, int flags) {
  if (Fails(Fault::kInterrupted, EINTR) || Fails(Fault::kReset, ECONNRESET)) {
    return -1;
  }
  return __real_send(fd, bytes, Shortened(size), flags);
}

int __wrap_accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  if (Fails(Fault::kInterrupted, EINTR) || Fails(Fault::kRefused, EMFILE)) {
    return -1;
  }
  return __real_accept4(fd, address, size, flags);
}

int __wrap_socket(int domain, int type, int protocol) {
  return Fails(Fault::kRefused, ENOMEM) ? -1 : __real_socket(domain, type, protocol);
}

int __wrap_epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
  if (operation == EPOLL_CTL_ADD && Fails(Fault::kRefused, ENOMEM)) {
    return -1;
  }
  return __real_epoll_ctl(epoll, operation, fd, event);
}

int __wrap_epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  if (Fails(Fault::kInterrupted, EINTR)) {
    return -1;
  }
  return AddFalseReady(__real_epoll_wait(epoll, events, most, timeout), events, most);
}

int __wrap_io_uring_submit_and_wait(io_uring* ring, unsigned count) {
  if (Happens(Fault::kInterrupted)) {
    return -EINTR;
  }
  if (Happens(Fault::kRefused)) {
    return -ENOMEM;
  }
  return __real_io_uring_submit_and_wait(ring, count);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
