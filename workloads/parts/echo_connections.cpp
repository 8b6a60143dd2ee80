#include "workloads/parts/echo_connections.hpp"

#include "base/random.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <stdexcept>

namespace schedbench::workloads {

namespace {

// `ends`: the ends of each connection in this process.
[[noreturn]] void ThrowOpening(std::string_view field, std::size_t opened, std::uint32_t count,
                               fibers::IoError error, std::uint32_t ends) {
  throw std::runtime_error(fmt::format(
      "{}: {} of {} connections could be opened: {}{}", field, opened, count, error.Text(),
      error.number == EMFILE ? fmt::format("; each needs {}    ulimit -n {}",
                                           ends == 1 ? "a file descriptor" : "two file descriptors",
                                           ends * (std::uint64_t{count} + 100))
                             : ""));
}

// Fills the message with eight bytes at a time, all different.
void Fill(std::span<std::byte> message, std::uint64_t tag) noexcept {
  for (std::size_t at = 0; at < message.size(); at += sizeof(tag)) {
    const std::uint64_t word = tag + at;
    std::memcpy(message.data() + at, &word, std::min(sizeof(word), message.size() - at));
  }
}

}  // namespace

EchoConnections::EchoConnections(std::string_view field, std::uint32_t count, std::uint32_t bytes,
                                 const std::optional<fibers::SocketAddress>& server) {
  CheckedCount(field, "connections", count, 3 * std::uint64_t{bytes} + sizeof(Connection));
  if (server) {
    OpenClients(field, count, bytes, *server);
  } else {
    OpenBoth(field, count, bytes);
  }
}

void EchoConnections::OpenBoth(std::string_view field, std::uint32_t count, std::uint32_t bytes) {
  auto listener = fibers::TcpListener::Listen(fibers::SocketAddress::Loopback(0));
  if (!listener.Ok()) {
    ThrowOpening(field, 0, count, listener.Error(), 2);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    auto client = fibers::TcpStream::Connect(listener->Address());
    if (!client.Ok()) {
      ThrowOpening(field, i, count, client.Error(), 2);
    }
    auto server = listener->Accept();
    if (!server.Ok()) {
      ThrowOpening(field, i, count, server.Error(), 2);
    }
    connections_.push_back(std::make_unique<Connection>(client.Take(), server.Take(), bytes));
  }
}

void EchoConnections::OpenClients(std::string_view field, std::uint32_t count, std::uint32_t bytes,
                                  const fibers::SocketAddress& server) {
  // Arbitrary: above the time in which the kernel repeats a lost connection request three times.
  const fibers::Deadline until = fibers::Deadline::In(std::chrono::seconds(20));
  for (std::uint32_t i = 0; i < count; ++i) {
    auto client = fibers::TcpStream::Connect(server, until);
    if (!client.Ok()) {
      ThrowOpening(field, i, count, client.Error(), 1);
    }
    connections_.push_back(std::make_unique<Connection>(client.Take(), std::nullopt, bytes));
  }
}

void EchoConnections::Serve(std::size_t number, std::uint64_t messages) noexcept {
  Connection& connection = *connections_[number];
  for (std::uint64_t i = 0; i < messages; ++i) {
    // Read all of it before the answer: otherwise both peers could block in writes.
    const fibers::Transfer got = connection.server->ReadFull(connection.buffer);
    if (!got.Ok() || got.bytes < connection.buffer.size()) {
      return Fail(*connection.server, got.Ok() ? "the client has gone" : got.error.Text());
    }
    const fibers::Transfer sent = connection.server->WriteAll(connection.buffer);
    if (!sent.Ok()) {
      return Fail(*connection.server, sent.error.Text());
    }
  }
}

bool EchoConnections::Exchange(std::size_t number, std::uint64_t tag,
                               fibers::Deadline until) noexcept {
  Connection& connection = *connections_[number];
  Fill(connection.message, MixSeed(tag));
  const fibers::Transfer sent = connection.client.WriteAll(connection.message, until);
  if (!sent.Ok()) {
    Fail(connection.client, sent.error.Text());
    return false;
  }
  const fibers::Transfer got = connection.client.ReadFull(connection.answer, until);
  if (!got.Ok() || got.bytes < connection.answer.size()) {
    Fail(connection.client, got.Ok() ? "the server has gone" : got.error.Text());
    return false;
  }
  if (connection.answer != connection.message) {
    {
      const platform::MutexLock lock(mutex_);
      wrong_answer_ = true;
    }
    Fail(connection.client, "an answer differs from its message");
    return false;
  }
  return true;
}

void EchoConnections::Fail(fibers::TcpStream& stream, std::string_view what) noexcept {
  {
    const platform::MutexLock lock(mutex_);
    if (failure_.empty()) {
      failure_ = what;
    }
  }
  stream.Close();
}

std::string EchoConnections::Failure() const {
  const platform::MutexLock lock(mutex_);
  return failure_;
}

bool EchoConnections::HasWrongAnswer() const {
  const platform::MutexLock lock(mutex_);
  return wrong_answer_;
}

}  // namespace schedbench::workloads
