#include "base/atomic.hpp"
#include "base/failure.hpp"
#include "config/schema_of.hpp"
#include "fibers/net/tcp.hpp"
#include "fibers/sched/sleep.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/http_head.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

namespace {

struct HttpHelloParameters {
  // clang-format off
  config::Field<"port", 0U, config::Range{0U, 65535U},
      "TCP port on 127.0.0.1 that the server listens at; 0 = one that the system chooses"> port;
  config::Field<"connections", 16U, config::Range{0U, 100000U},
      "Clients of the workload, each with a connection"> connections;
  config::Field<"requests", 200U, config::Range{1U, 100000000U},
      "Requests of each client, one after the other"> requests;
  config::Field<"serve_s", 0U, config::Range{0U, 86400U}, "Seconds for which the server serves "
      "other programs, such as curl, after the clients"> serve_s;
  // clang-format on
};

constexpr std::string_view kBody = "Hello, world!\n";

// Received bytes that have not been used.
class Inbox {
 public:
  // Returns the next message's head; none: the peer has closed, or it exceeds the buffer.
  std::optional<HttpHead> ReadHead(fibers::TcpStream& stream) {
    for (;;) {
      if (const auto head = ParseHttpHead({bytes_.data(), size_})) {
        return head;
      }
      if (!ReadMore(stream)) {
        return std::nullopt;
      }
    }
  }

  // Returns the text of a head and its body; "" if it does not come.
  std::string_view ReadMessage(fibers::TcpStream& stream, const HttpHead& head) {
    const std::size_t bytes = head.bytes + head.content_length;
    while (size_ < bytes) {
      if (!ReadMore(stream)) {
        return {};
      }
    }
    return {bytes_.data(), bytes};
  }

  void Remove(std::size_t bytes) {
    std::copy(bytes_.data() + bytes, bytes_.data() + size_, bytes_.data());
    size_ -= bytes;
  }

  bool IsFull() const {
    return size_ == bytes_.size();
  }

 private:
  bool ReadMore(fibers::TcpStream& stream) {
    if (IsFull()) {
      return false;
    }
    const auto read = stream.ReadSome(std::as_writable_bytes(std::span(bytes_).subspan(size_)));
    size_ += read.bytes;
    return read.Ok() && read.bytes > 0;
  }

  std::array<char, 4096> bytes_;
  std::size_t size_ = 0;
};

// A minimal HTTP/1.1 server: each connection has a fiber, which answers each request with the same
// text. One operation is one request of a client of the workload.
class HttpHello final : public registry::IWorkload {
 public:
  explicit HttpHello(const HttpHelloParameters& parameters)
      : parameters_(parameters),
        hello_("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
               std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody)) {
    Listen();
  }

  void Prepare() override {
    is_closing_ = false;  // no fiber runs
    right_.Store(0, memory_order_relaxed);
    if (!listener_) {
      Listen();
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    Fibers::WaitGroup server;
    server.Add(1);
    Fibers::Go(scheduler, [&] {
      Accept(scheduler, server);
      server.Done();
    });
    {
      const auto address = listener_->Address();
      Fibers::Children clients(scheduler, parameters_.connections);
      for (std::uint32_t i = 0; i < parameters_.connections; ++i) {
        clients.Start([this, address] { Ask(address); });
      }
      clients.Join();
    }
    if (parameters_.serve_s > 0U) {
      platform::SleepUntilNs(platform::NowNs() +
                             std::uint64_t{parameters_.serve_s} * 1'000'000'000);
    }
    listener_->Close();
    CloseAll();
    server.Wait();
    return Requests();
  }

  std::string Verify() override {
    listener_.reset();
    const std::uint64_t right = right_.Load(memory_order_relaxed);
    return right == Requests() ? ""
                               : std::to_string(Requests() - right) + " of " +
                                     std::to_string(Requests()) + " requests had no right answer";
  }

 private:
  void Listen() {
    auto listener = fibers::TcpListener::Listen(
        fibers::SocketAddress::Loopback(static_cast<std::uint16_t>(parameters_.port)));
    if (!listener.Ok()) {
      throw std::runtime_error("http_hello:port=" + std::to_string(parameters_.port) + ": " +
                               listener.Error().Text());
    }
    listener_.emplace(listener.Take());
  }

  std::uint64_t Requests() const {
    return std::uint64_t{parameters_.connections} * parameters_.requests;
  }

  void Accept(registry::IScheduler& scheduler, Fibers::WaitGroup& server) {
    for (;;) {
      // Read it before Accept(): a connection that ends during it has freed a descriptor.
      const bool is_serving = serving_.Load(memory_order_relaxed) > 0;
      auto accepted = listener_->Accept();
      if (accepted.Error().number == ECONNABORTED) {
        continue;  // the client has already gone
      }
      if (IsWithoutDescriptor(accepted.Error()) && is_serving) {
        fibers::SleepFor(std::chrono::milliseconds(1));  // a connection that ends frees one
        continue;
      }
      if (!accepted.Ok()) {
        FailUnless(accepted.Error().number == ECANCELED, accepted.Error());
        return;
      }
      server.Add(1);
      serving_.FetchAdd(1, memory_order_relaxed);
      Fibers::Go(scheduler, [this, &server, stream = accepted.Take()]() mutable {
        if (Enter(stream)) {
          Serve(stream);
          Leave(stream);
        }
        stream.Close();
        serving_.FetchSub(1, memory_order_relaxed);
        server.Done();
      });
    }
  }

  static bool IsWithoutDescriptor(fibers::IoError error) {
    return error.number == EMFILE || error.number == ENFILE;
  }

  // Ends the run on an error: a client whose connection is not made or accepted would wait forever.
  void FailUnless(bool is_good, fibers::IoError error) const {
    if (!is_good) {
      const std::uint64_t connections = parameters_.connections;
      const std::string remedy =
          error.number == EMFILE ? fmt::format("; each needs two file descriptors    ulimit -n {}",
                                               2 * (connections + 100))
                                 : "";
      FailRun(fmt::format("http_hello:connections={}: {}{}", connections, error.Text(), remedy),
              FailureKind::kLimit);
    }
  }

  // Adds a connection to those that CloseAll() ends. Returns false if it has done so.
  bool Enter(fibers::TcpStream& stream) {
    const platform::MutexLock lock(mutex_);
    if (!is_closing_) {
      open_.push_back(&stream);
    }
    return !is_closing_;
  }
  void Leave(fibers::TcpStream& stream) {
    const platform::MutexLock lock(mutex_);
    std::erase(open_, &stream);
  }
  // Closes all connections, because other programs may keep theirs open.
  void CloseAll() {
    const platform::MutexLock lock(mutex_);
    is_closing_ = true;
    for (fibers::TcpStream* const stream : open_) {
      stream->Close();
    }
  }

  void Serve(fibers::TcpStream& stream) {
    Inbox inbox;
    for (;;) {
      const auto head = inbox.ReadHead(stream);
      if (!head) {
        if (inbox.IsFull()) {
          Answer(stream, "431 Request Header Fields Too Large");
        }
        return;
      }
      const bool is_head = head->first_line.starts_with("HEAD ");
      if ((!is_head && !head->first_line.starts_with("GET ")) || !head->is_framed ||
          head->content_length > 0 || head->first_line.find(" HTTP/1.") == std::string_view::npos) {
        Answer(stream, "400 Bad Request");
        return;
      }
      const std::string_view answer =
          std::string_view(hello_).substr(0, hello_.size() - (is_head ? kBody.size() : 0));
      const bool keeps_alive = head->keeps_alive;
      inbox.Remove(head->bytes);
      if (!stream.WriteAll(fibers::BytesOf(answer)).Ok() || !keeps_alive) {
        return;
      }
    }
  }

  // Sends the last answer of a connection. A close with unread bytes would reset it, and the peer
  // could lose the answer (RFC 9112, section 9.6): so it first reads the rest for a while.
  static void Answer(fibers::TcpStream& stream, std::string_view status) {
    const fibers::Deadline deadline = fibers::Deadline::In(std::chrono::seconds(1));  // arbitrary
    const std::string answer =
        "HTTP/1.1 " + std::string(status) + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    if (!stream.WriteAll(fibers::BytesOf(answer), deadline).Ok()) {
      return;
    }
    stream.Shutdown(fibers::ShutdownSide::kWrite);
    std::array<std::byte, 4096> unread;
    for (auto read = stream.ReadSome(unread, deadline); read.Ok() && read.bytes > 0;) {
      read = stream.ReadSome(unread, deadline);
    }
  }

  void Ask(const fibers::SocketAddress& server) {
    auto connected = fibers::TcpStream::Connect(server);
    FailUnless(connected.Ok(), connected.Error());
    Inbox inbox;
    for (std::uint32_t i = 0; i < parameters_.requests; ++i) {
      constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
      if (!connected->WriteAll(fibers::BytesOf(kRequest)).Ok()) {
        return;
      }
      const auto head = inbox.ReadHead(*connected);
      if (!head) {
        return;
      }
      const std::string_view message = inbox.ReadMessage(*connected, *head);
      if (message == hello_) {
        right_.FetchAdd(1, memory_order_relaxed);
      }
      inbox.Remove(message.size());
    }
  }

  const HttpHelloParameters parameters_;
  const std::string hello_;
  std::optional<fibers::TcpListener> listener_;
  Atomic<std::uint64_t> right_{0};    // relaxed: read when all have ended
  Atomic<std::uint32_t> serving_{0};  // accepted and not closed; relaxed: only the number is needed
  platform::Mutex mutex_;
  std::vector<fibers::TcpStream*> open_;  // guarded by mutex_: connections of the server
  bool is_closing_ = false;               // guarded by mutex_
};

const registry::RegistrationOf<HttpHello, HttpHelloParameters> kHttpHello{{
    .name = "http_hello",
    .doc =
        "a minimal HTTP/1.1 server answers requests of clients, and of other programs with serve_s",
    .operation = "request",
    .presets = {{"smoke", "connections=4,requests=20"},
                {"small", "requests=50"},
                {"full", "connections=64,requests=2000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
