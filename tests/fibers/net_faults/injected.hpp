#pragma once

#include <cstdint>

namespace schedbench::tests {

// System calls of sockets fail, or do a part of their work, as the kernel may let them. The linker
// puts the functions of injected.cpp in place of those of the C library (--wrap), in this program
// only.
enum class Fault : std::uint32_t {
  kInterrupted = 1,  // recv, send, accept4, epoll_wait, io_uring_enter: EINTR
  kShort = 2,        // send: fewer bytes than there are
  kFalseReady = 4,   // epoll_wait: an event that it has reported before
  kReset = 8,        // recv, send: ECONNRESET
  kRefused = 16,     // accept4: EMFILE; socket, epoll_ctl, io_uring_enter: ENOMEM
};

// Injects the faults of a mask, while the object exists: each where it is possible, once in
// `one_in` calls.
class Injected {
 public:
  Injected(std::uint32_t mask, std::uint32_t one_in);
  ~Injected();

  Injected(const Injected&) = delete;
  Injected& operator=(const Injected&) = delete;

  // How many there were so far.
  static std::uint64_t Count();
};

constexpr std::uint32_t operator|(Fault a, Fault b) {
  return static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b);
}
constexpr std::uint32_t operator|(std::uint32_t a, Fault b) {
  return a | static_cast<std::uint32_t>(b);
}

}  // namespace schedbench::tests
