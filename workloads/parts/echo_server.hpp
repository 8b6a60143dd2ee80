#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "fibers/net/tcp.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::workloads {

// The server's half of the echo workloads. The calling thread accepts connections, a fiber for each sends every message back. A
// round ends when clients have come and all connections have been closed, or at the time that SetTimes() says.
class EchoServer final : public registry::IWorkload, public registry::IHalf {
 public:
  // Listens at `address`, "127.0.0.1:0". `field`: that names the workload, for messages. Throws std::runtime_error.
  EchoServer(const std::string& field, const std::string& address, std::uint32_t bytes);

  std::uint64_t Run(registry::IScheduler& scheduler) override;

  std::string Verify() override;

  IHalf* AsHalf() noexcept override {
    return this;
  }

  std::string Address() const override {
    return address_;
  }

  void SetTimes(std::uint64_t /*start_ns*/, std::uint64_t end_ns) override {
    end_ns_ = end_ns;
  }

  registry::HalfTimes Times() const override {
    registry::HalfTimes times;
    times.cpu_ns = cpu_ns_;
    return times;
  }

 private:
  struct alignas(kCacheLine) Connection {
    Connection(fibers::TcpStream stream, std::size_t bytes)
        : stream(std::move(stream)),
          buffer(bytes) {
    }

    fibers::TcpStream stream;
    std::vector<std::byte> buffer;
    std::uint64_t messages = 0;  // sent back; read when its fiber has ended
  };

  // Sends back messages until the peer has gone. By a fiber.
  static void Serve(Connection& connection) noexcept;
  // Whether the round is over: `quiet_since` is when the last connection ended, 0 if some are open.
  bool IsOver(std::uint64_t quiet_since) const noexcept;

  fibers::TcpListener listener_;
  const std::string address_;
  const std::uint32_t bytes_;
  std::uint64_t end_ns_ = 0;
  std::uint64_t cpu_ns_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;  // of this round
  Atomic<std::uint64_t> open_{0};
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
