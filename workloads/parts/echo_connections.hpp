#pragma once

#include "base/cache_line.hpp"
#include "fibers/net/tcp.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// TCP connections: clients send messages of equal size, servers send them back. Both ends are in this process, over loopback, or
// only the clients. They stay open from round to round.
class EchoConnections {
 public:
  // Throws std::runtime_error when they cannot be opened. `field`: of their number on the command line, for that message.
  // `server`: another process that serves them; none: this one does.
  EchoConnections(std::string_view field, std::uint32_t count, std::uint32_t bytes,
                  const std::optional<fibers::SocketAddress>& server = std::nullopt);

  std::size_t Count() const noexcept {
    return connections_.size();
  }

  // Sends back the next `messages` messages of connection `number`. By one fiber at a time. Requires: both ends are here.
  void Serve(std::size_t number, std::uint64_t messages) noexcept;

  // Sends a message that depends on `tag` over connection `number`, and waits for the answer. Returns whether it came and is the
  // same. By one fiber or thread at a time, besides the one that serves. The connection ends if the answer is late.
  bool Exchange(std::size_t number, std::uint64_t tag,
                fibers::Deadline until = fibers::Deadline::Never()) noexcept;

  // Returns "" or what has gone wrong first. Thread-safe.
  std::string Failure() const;

  // Whether an answer came that differs from its message. Thread-safe.
  bool HasWrongAnswer() const;

 private:
  struct alignas(kCacheLine) Connection {
    Connection(fibers::TcpStream client, std::optional<fibers::TcpStream> server, std::size_t bytes)
        : client(std::move(client)),
          server(std::move(server)),
          message(bytes),
          answer(bytes),
          buffer(this->server ? bytes : 0) {
    }

    fibers::TcpStream client;
    std::optional<fibers::TcpStream> server;  // none: in another process
    // The first two of the client, the last of the server.
    std::vector<std::byte> message;
    std::vector<std::byte> answer;
    std::vector<std::byte> buffer;
  };

  void OpenBoth(std::string_view field, std::uint32_t count, std::uint32_t bytes);
  void OpenClients(std::string_view field, std::uint32_t count, std::uint32_t bytes,
                   const fibers::SocketAddress& server);

  // Keeps the first failure, and closes `stream`, so that its peer does not wait forever.
  void Fail(fibers::TcpStream& stream, std::string_view what) noexcept;

  std::vector<std::unique_ptr<Connection>> connections_;
  mutable platform::Mutex mutex_;
  std::string failure_;        // guarded by mutex_
  bool wrong_answer_ = false;  // likewise
};

}  // namespace schedbench::workloads
