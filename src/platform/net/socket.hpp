#pragma once

#include "platform/net/socket_address.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// System calls on sockets and pipes. Each returns a number that is not negative, or an errno as a negative number. A call that a
// signal interrupts is repeated. Descriptors are close-on-exec and non-blocking: where a call would have to wait, the result is
// -EAGAIN. Any thread; nothing here keeps state.

namespace schedbench::platform {

enum class SocketType : std::uint8_t { kStream, kDatagram };

// Returns a new socket for addresses of the family of `address`.
int OpenSocket(const SocketAddress& address, SocketType type) noexcept;

// Gives the socket an address of its own. TCP: a port whose connections have ended can be bound at once (SO_REUSEADDR).
int BindSocket(int fd, const SocketAddress& address) noexcept;

// Lets a bound stream socket accept up to `backlog` connections that have not been accepted yet.
int ListenSocket(int fd, int backlog) noexcept;

// Begins to connect. -EINPROGRESS: the connection is made when the socket is writable; ConnectResult() has the outcome.
int StartConnect(int fd, const SocketAddress& peer) noexcept;

// Returns the outcome of StartConnect(): 0, -EAGAIN while it is not known, or the error.
int ConnectResult(int fd) noexcept;

// Returns a connection that has arrived, and its peer.
int AcceptSocket(int fd, SocketAddress& peer) noexcept;

// Two stream sockets that are connected with each other.
int OpenSocketPair(std::array<int, 2>& fds) noexcept;

// A pipe: [0] is read from, [1] is written to. A write to a pipe without a reader sends SIGPIPE, so the first call ignores that
// signal for the process unless it is handled. (Sockets use MSG_NOSIGNAL.)
int OpenPipe(std::array<int, 2>& fds) noexcept;

// Read or write what is possible at once. 0 bytes read: the end of the stream. `Socket` for sockets, `Pipe` for pipes.
std::int64_t ReadSocket(int fd, std::span<std::byte> into) noexcept;
std::int64_t WriteSocket(int fd, std::span<const std::byte> bytes) noexcept;
std::int64_t ReadPipe(int fd, std::span<std::byte> into) noexcept;
std::int64_t WritePipe(int fd, std::span<const std::byte> bytes) noexcept;

// A datagram. Received: its full length, which is larger than `into` where it was cut.
std::int64_t ReceiveDatagram(int fd, std::span<std::byte> into, SocketAddress& sender) noexcept;
std::int64_t SendDatagram(int fd, std::span<const std::byte> bytes,
                          const SocketAddress& receiver) noexcept;

enum class ShutdownSide : std::uint8_t { kRead, kWrite, kBoth };
int ShutdownSocket(int fd, ShutdownSide side) noexcept;

// Sends small segments at once (TCP_NODELAY).
int SetNoDelay(int fd, bool on) noexcept;

// Makes CloseDescriptor() reset the connection, as a peer does that vanishes: what was not sent is lost (SO_LINGER, 0 s).
int SetResetOnClose(int fd) noexcept;

// Asks for this many bytes of the kernel's buffers. 0: leaves them.
int SetBufferBytes(int fd, int send_bytes, int receive_bytes) noexcept;

SocketAddress LocalAddress(int fd) noexcept;
SocketAddress PeerAddress(int fd) noexcept;

// Frees the number, also when it returns an error.
int CloseDescriptor(int fd) noexcept;

// Removes the file of a unix socket, if there is one.
void RemoveSocketFile(const SocketAddress& address) noexcept;

// Returns the text of an errno: "Connection refused".
std::string ErrorText(int error);

}  // namespace schedbench::platform
