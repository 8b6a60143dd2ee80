#pragma once

#include "platform/net/socket_batch.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace schedbench::tests {

// TCP connections over loopback with both ends in this thread, as of the workload echo with its
// default sizes: 64 connections, messages of 64 bytes. All clients send, all servers receive and
// answer, all clients receive: no call ever waits.
class FloorSockets {
 public:
  // `polls`: each end is in epoll, whose events are read before the receives. `tries`: each send is
  // followed by a receive that finds nothing, as of a fiber that tries before it waits. `batch`: how
  // many sends or receives io_uring makes by one system call.
  FloorSockets(bool polls, bool tries, std::size_t batch)
      : polls_(polls),
        tries_(tries),
        batch_size_(batch),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    Check(::bind(listener, any, size) == 0 && ::getsockname(listener, any, &size) == 0 &&
          ::listen(listener, 1) == 0);
    for (std::size_t i = 0; i < kConnections; ++i) {
      clients_[i] = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      Check(::connect(clients_[i], any, size) == 0);
      servers_[i] = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      for (const int end : {clients_[i], servers_[i]}) {
        const int on = 1;
        epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.fd = end}};
        Check(::setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 &&
              (!polls_ || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, end, &event) == 0));
      }
    }
    ::close(listener);
  }
  ~FloorSockets() {
    for (std::size_t i = 0; i < kConnections; ++i) {
      ::close(clients_[i]);
      ::close(servers_[i]);
    }
    ::close(epoll_);
  }

  FloorSockets(const FloorSockets&) = delete;
  FloorSockets& operator=(const FloorSockets&) = delete;

  // Returns how many round trips it has made: at least `round_trips`, or none if the kernel refuses
  // io_uring.
  std::uint64_t Run(std::uint64_t round_trips) noexcept {
    std::uint64_t done = 0;
    for (; done < round_trips; done += kConnections) {
      SendAll(clients_);
      Poll();
      ReceiveAll(servers_);
      SendAll(servers_);
      Poll();
      ReceiveAll(clients_);
      if (batch_.IsRefused()) {
        return 0;
      }
    }
    return done;
  }

 private:
  static constexpr std::size_t kConnections = 64;
  static constexpr std::size_t kBytes = 64;
  using Ends = std::array<int, kConnections>;

  static void Check(bool done) noexcept {
    if (!done) {
      std::perror("error: a connection over loopback");
      std::_Exit(3);
    }
  }

  void SendAll(const Ends& ends) noexcept {
    if (batch_size_ > 1) {
      MakeAll(platform::SocketCall::Kind::kWrite, ends);
      return;
    }
    for (const int end : ends) {
      Check(::send(end, message_.data(), kBytes, MSG_NOSIGNAL) == ssize_t{kBytes});
      if (tries_) {
        Check(::recv(end, message_.data(), kBytes, MSG_DONTWAIT) < 0);
      }
    }
  }
  void ReceiveAll(const Ends& ends) noexcept {
    if (batch_size_ > 1) {
      MakeAll(platform::SocketCall::Kind::kRead, ends);
      return;
    }
    for (const int end : ends) {
      Check(::recv(end, message_.data(), kBytes, MSG_DONTWAIT) == ssize_t{kBytes});
    }
  }
  void MakeAll(platform::SocketCall::Kind kind, const Ends& ends) noexcept {
    std::array<platform::SocketCall, platform::SocketBatch::kMost> calls;
    std::array<platform::SocketCall*, platform::SocketBatch::kMost> pointers;
    for (std::size_t begin = 0; begin < ends.size(); begin += batch_size_) {
      for (std::size_t i = 0; i < batch_size_; ++i) {
        calls[i] = {.kind = kind, .fd = ends[begin + i], .bytes = message_.data(), .size = kBytes};
        pointers[i] = &calls[i];
      }
      batch_.Make(std::span(pointers).first(batch_size_));
      for (std::size_t i = 0; i < batch_size_; ++i) {
        Check(calls[i].result == std::int64_t{kBytes});
      }
    }
  }
  void Poll() noexcept {
    if (polls_) {
      std::array<epoll_event, 2 * kConnections> events;
      Check(::epoll_wait(epoll_, events.data(), int{events.size()}, 0) >= 0);
    }
  }

  const bool polls_;
  const bool tries_;
  const std::size_t batch_size_;  // divides kConnections
  const int epoll_;
  platform::SocketBatch batch_;
  Ends clients_{};
  Ends servers_{};
  std::array<std::byte, kBytes> message_{};
};

}  // namespace schedbench::tests
