#pragma once

#include "platform/net/socket_address.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// System calls on sockets and pipes. Each returns a non-negative number, or a negative errno. Calls
// that a signal interrupts are repeated. Descriptors are close-on-exec and non-blocking: a call
// that would have to wait returns -EAGAIN. Any thread; nothing here keeps state.

namespace schedbench::platform {

enum class SocketType : std::uint8_t { kStream, kDatagram };

// Returns a new socket for addresses of the family of `address`.
int OpenSocket(const SocketAddress& address, SocketType type) noexcept;

// Binds the socket. TCP can reuse a port at once whose connections have ended (SO_REUSEADDR).
int BindSocket(int fd, const SocketAddress& address) noexcept;

// Lets a bound stream socket queue up to `backlog` connections that are not accepted yet.
int ListenSocket(int fd, int backlog) noexcept;

// Starts to connect. -EINPROGRESS: when the socket is writable, ConnectResult() has the outcome.
int StartConnect(int fd, const SocketAddress& peer) noexcept;

// Returns the outcome of StartConnect(): 0, -EAGAIN while it is unknown, or the error.
int ConnectResult(int fd) noexcept;

// Returns a connection that has arrived, and its peer.
int AcceptSocket(int fd, SocketAddress& peer) noexcept;

// Makes two stream sockets that are connected with each other.
int OpenSocketPair(std::array<int, 2>& fds) noexcept;

// Makes a pipe: [0] for reading, [1] for writing. A write to a pipe without a reader sends SIGPIPE,
// so the first call ignores an unhandled SIGPIPE. (Sockets use MSG_NOSIGNAL.)
int OpenPipe(std::array<int, 2>& fds) noexcept;

// Read or write the part that is possible at once. Reading 0 bytes means the end of the stream.
std::int64_t ReadSocket(int fd, std::span<std::byte> into) noexcept;
std::int64_t WriteSocket(int fd, std::span<const std::byte> bytes) noexcept;
std::int64_t ReadPipe(int fd, std::span<std::byte> into) noexcept;
std::int64_t WritePipe(int fd, std::span<const std::byte> bytes) noexcept;

// Transfer a datagram. A received one's full length is larger than `into` if it was cut.
std::int64_t ReceiveDatagram(int fd, std::span<std::byte> into, SocketAddress& sender) noexcept;
std::int64_t SendDatagram(int fd, std::span<const std::byte> bytes,
                          const SocketAddress& receiver) noexcept;

enum class ShutdownSide : std::uint8_t { kRead, kWrite, kBoth };
int ShutdownSocket(int fd, ShutdownSide side) noexcept;

// Sets whether small segments are sent at once (TCP_NODELAY).
int SetNoDelay(int fd, bool on) noexcept;

// Returns 1 if the protocol is TCP, 0 for another one, such as MPTCP in its place.
int IsPlainTcp(int fd) noexcept;

// Makes CloseDescriptor() reset the connection: unsent bytes are lost (SO_LINGER 0).
int SetResetOnClose(int fd) noexcept;

// Requests this many bytes of kernel buffers. 0 leaves them.
int SetBufferBytes(int fd, int send_bytes, int receive_bytes) noexcept;

SocketAddress LocalAddress(int fd) noexcept;
SocketAddress PeerAddress(int fd) noexcept;

// Frees the number, also if it returns an error.
int CloseDescriptor(int fd) noexcept;

// Removes the file of a unix socket, if there is one.
void RemoveSocketFile(const SocketAddress& address) noexcept;

// Returns the text of an errno: "Connection refused".
std::string ErrorText(int error);

}  // namespace schedbench::platform
