#include "workloads/parts/echo_server.hpp"

#include "platform/net/resolve.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace schedbench::workloads {

namespace {

fibers::TcpListener Listening(const std::string& field, const std::string& address) {
  auto listener = fibers::TcpListener::Listen(platform::Resolve(address));
  if (!listener.Ok()) {
    throw std::runtime_error(
        fmt::format("{}: cannot listen at {}: {}", field, address, listener.Error().Text()));
  }
  return listener.Take();
}

}  // namespace

EchoServer::EchoServer(const std::string& field, const std::string& address, std::uint32_t bytes)
    : listener_(Listening(field, address)),
      address_(listener_.Address().Text()),
      bytes_(bytes) {
}

std::uint64_t EchoServer::Run(registry::IScheduler& scheduler) {
  // Time until an end is noticed. The accept itself waits for the kernel.
  constexpr std::chrono::milliseconds kLook{50};
  connections_.clear();
  std::uint64_t due_since = 0;
  while (!IsOver(due_since)) {
    auto accepted = listener_.Accept(fibers::Deadline::In(kLook));
    if (accepted.Ok()) {
      Connection* const connection =
          connections_.emplace_back(std::make_unique<Connection>(accepted.Take(), bytes_)).get();
      connection->cpu_begin_ns = platform::ProcessCpuNs();
      done_.Add(1);
      Fibers::Go(scheduler, [this, connection] {
        Serve(*connection);
        done_.Done();
      });
    } else if (!accepted.Error().IsTimeout()) {
      // No descriptor is left: another connection may free one.
      platform::SleepUntilNs(platform::NowNs() + 1'000'000);
    }
  }
  for (const auto& connection : connections_) {
    connection->stream.Close();
  }
  done_.Wait();
  return Count();
}

std::uint64_t EchoServer::Count() noexcept {
  std::uint64_t messages = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  for (const auto& connection : connections_) {
    if (connection->messages != 0) {
      messages += connection->messages;
      begin = std::max(begin, connection->cpu_begin_ns);
      end = std::max(end, connection->cpu_end_ns);
    }
  }
  cpu_ns_ = end - begin;
  return messages;
}

std::string EchoServer::Verify() {
  return "";  // the clients verify the answers
}

void EchoServer::Serve(Connection& connection) noexcept {
  for (;;) {
    const fibers::Transfer got = connection.stream.ReadFull(connection.buffer);
    if (!got.Ok() || got.bytes < connection.buffer.size()) {
      break;
    }
    if (++connection.messages == 1) {
      open_.FetchAdd(1, memory_order_relaxed);
    }
    if (!connection.stream.WriteAll(connection.buffer).Ok()) {
      break;
    }
  }
  connection.stream.Close();
  connection.cpu_end_ns = platform::ProcessCpuNs();
  if (connection.messages != 0) {
    open_.FetchSub(1, memory_order_relaxed);
  }
}

bool EchoServer::IsOver(std::uint64_t& due_since) const {
  // Wait for connections that stay open because their client's machine has gone. Arbitrary.
  constexpr std::uint64_t kGraceNs = 1'000'000'000;
  const std::uint64_t now = platform::NowNs();
  if (due_since == 0 && is_due_ && is_due_()) {
    due_since = now;
  }
  const bool is_due = due_since != 0;
  return (end_ns_ != 0 && now >= end_ns_) ||
         (is_due && (open_.Load(memory_order_relaxed) == 0 || now - due_since >= kGraceNs));
}

}  // namespace schedbench::workloads
