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

// TCP connections: clients send messages of equal size, servers send them back. Both ends are in
// this process, over loopback, or only the clients. The connections stay open from round to round.
class EchoConnections {
 public:
  // Throws std::runtime_error when they cannot be opened. `field`: the name of their number on the
  // command line, for that message. `server`: another serving process; none: this one.
  EchoConnections(std::string_view field, std::uint32_t count, std::uint32_t bytes,
                  const std::optional<fibers::SocketAddress>& server = std::nullopt);

  std::size_t Count() const noexcept {
    return connections_.size();
  }

  // Sends back `messages` messages of connection `number`. For one fiber. Requires: both ends are
  // here.
  void Serve(std::size_t number, std::uint64_t messages) noexcept;

  // Sends a message that depends on `tag` over connection `number`, and waits for the answer.
  // Returns whether an equal answer came. One fiber or thread at a time calls it, next to the one
  // that serves. The connection ends if the answer is late.
  bool Exchange(std::size_t number, std::uint64_t tag,
                fibers::Deadline until = fibers::Deadline::Never()) noexcept;

  // Returns "" or the first failure. Thread-safe.
  std::string Failure() const;

  // Returns whether an answer came that differs from its message. Thread-safe.
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
    // The client uses the first two, the server the last one.
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
  bool wrong_answer_ = false;  // guarded by mutex_
};

}  // namespace schedbench::workloads
