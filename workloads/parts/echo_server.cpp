#include "workloads/parts/echo_server.hpp"

#include "platform/net/resolve.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <chrono>
#include <stdexcept>
#include <utility>

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
  // So soon an end is noticed. Accepting itself waits for the kernel.
  constexpr std::chrono::milliseconds kLook{50};
  connections_.clear();
  std::uint64_t quiet_since = 0;
  std::uint64_t cpu_before = platform::ProcessCpuNs();
  while (!IsOver(quiet_since)) {
    auto accepted = listener_.Accept(fibers::Deadline::In(kLook));
    if (accepted.Ok()) {
      Connection* const connection =
          connections_.emplace_back(std::make_unique<Connection>(accepted.Take(), bytes_)).get();
      // relaxed: only the number itself is needed.
      open_.FetchAdd(1, memory_order_relaxed);
      done_.Add(1);
      Fibers::Go(scheduler, [this, connection] {
        Serve(*connection);
        // relaxed: what the fiber has written is read after done_.Wait().
        open_.FetchSub(1, memory_order_relaxed);
        done_.Done();
      });
      cpu_before = platform::ProcessCpuNs();
    } else if (!accepted.Error().IsTimeout()) {
      // No descriptor is left: one may be freed meanwhile.
      platform::SleepUntilNs(platform::NowNs() + 1'000'000);
    }
    // relaxed: only the number itself is needed.
    if (open_.Load(memory_order_relaxed) != 0 || connections_.empty()) {
      quiet_since = 0;
    } else if (quiet_since == 0) {
      quiet_since = platform::NowNs();
    }
  }
  cpu_ns_ = platform::ProcessCpuNs() - cpu_before;
  for (const auto& connection : connections_) {
    connection->stream.Close();
  }
  done_.Wait();
  std::uint64_t messages = 0;
  for (const auto& connection : connections_) {
    messages += connection->messages;
  }
  return messages;
}

std::string EchoServer::Verify() {
  return connections_.empty() ? "no client has come" : "";
}

void EchoServer::Serve(Connection& connection) noexcept {
  for (;;) {
    const fibers::Transfer got = connection.stream.ReadFull(connection.buffer);
    if (!got.Ok() || got.bytes < connection.buffer.size() ||
        !connection.stream.WriteAll(connection.buffer).Ok()) {
      break;
    }
    ++connection.messages;
  }
  connection.stream.Close();
}

bool EchoServer::IsOver(std::uint64_t quiet_since) const noexcept {
  // Arbitrary: clients on other machines may come one after the other.
  constexpr std::uint64_t kQuietNs = 1'000'000'000;
  const std::uint64_t now = platform::NowNs();
  return (end_ns_ != 0 && now >= end_ns_) || (quiet_since != 0 && now - quiet_since >= kQuietNs);
}

}  // namespace schedbench::workloads
