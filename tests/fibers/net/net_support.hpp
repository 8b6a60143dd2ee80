#pragma once

#include "base/random.hpp"
#include "executors/manual_executor.hpp"
#include "fibers/net/poller.hpp"
#include "fibers/net/tcp.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/requirements.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

// What tests of sockets share.

namespace schedbench::tests {

// Entries of a folder of /proc/self: descriptors, or threads.
inline std::size_t CountIn(const char* folder) {
  const std::filesystem::directory_iterator begin(folder);
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

inline std::size_t OpenDescriptors() {
  return CountIn("/proc/self/fd");
}

// For tests with several threads: UndefinedBehaviorSanitizer opens and closes a pipe in the thread
// that it checks.
inline std::size_t OpenSockets() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::ranges::count_if(all, [](const auto& entry) {
    std::error_code closed;  // meanwhile
    return std::filesystem::read_symlink(entry.path(), closed).native().starts_with("socket:");
  }));
}

inline std::vector<std::byte> DrawnBytes(std::size_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(MixSeed(seed + i));
  }
  return bytes;
}

// io_uring runs operations on files while this object exists, unless the kernel refuses.
class WithRing {
 public:
  WithRing()
      : error_(fibers::Poller::UseRing()) {
  }
  ~WithRing() {
    if (error_ == 0) {
      fibers::Poller::LeaveRing();
    }
  }

  WithRing(const WithRing&) = delete;
  WithRing& operator=(const WithRing&) = delete;

  int Error() const {
    return error_;
  }

 private:
  const int error_;
};

// Runs `body` as a fiber by hand until it ends; the poller and the timer service make it ready from
// outside.
inline void RunByHand(const std::function<void()>& body) {
  const HangGuard guard("a fiber that uses descriptors");
  executors::ManualExecutor executor;
  bool done = false;
  fibers::Go(executor, [&] {
    body();
    done = true;
  });
  while (!done || !executor.IsEmpty()) {
    executor.Drain();
  }
}

inline fibers::TcpListener ListenOnLoopback() {
  return fibers::TcpListener::Listen(fibers::SocketAddress::Loopback(0)).Take();
}

// Both ends of a TCP connection. Requires: a fiber, or a thread.
inline std::pair<fibers::TcpStream, fibers::TcpStream> ConnectedPair() {
  fibers::TcpListener listener = ListenOnLoopback();
  fibers::TcpStream client = fibers::TcpStream::Connect(listener.Address()).Take();
  return {std::move(client), listener.Accept().Take()};
}

// Sends back what comes until the peer has ended its side.
template <typename AnyStream>
void Echo(AnyStream& stream) {
  std::array<std::byte, 4096> buffer;
  for (;;) {
    const fibers::Transfer got = stream.ReadSome(buffer);
    if (!got.Ok() || got.bytes == 0) {
      return;
    }
    if (!stream.WriteAll(std::span(buffer).first(got.bytes)).Ok()) {
      return;
    }
  }
}

// Sends `bytes` and checks that they come back, while another fiber may still send.
template <typename AnyStream>
void ExpectEcho(AnyStream& stream, std::span<const std::byte> bytes) {
  std::vector<std::byte> back(bytes.size());
  ASSERT_EQ(stream.WriteAll(bytes).error.Text(), "no error");
  const fibers::Transfer got = stream.ReadFull(back);
  ASSERT_EQ(got.error.Text(), "no error");
  ASSERT_EQ(got.bytes, bytes.size());
  ASSERT_TRUE(std::ranges::equal(back, bytes));
}

}  // namespace schedbench::tests
