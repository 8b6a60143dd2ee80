#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "fibers/net/tcp.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// The server's half of the echo workloads. The calling thread accepts connections, a fiber for each sends every message back. A
// connection counts from its first whole message on: others on the network connect and send nothing. A round ends as EndWhen() says, or
// at the time that SetTimes() says.
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

  void EndWhen(std::function<bool()> is_due) override {
    is_due_ = std::move(is_due);
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
    std::uint64_t cpu_begin_ns = 0;  // of the process, when the connection was accepted
    // Written by its fiber, read when that has ended.
    std::uint64_t cpu_end_ns = 0;
    std::uint64_t messages = 0;  // that came whole
  };

  // Sends back messages until the peer has gone. By a fiber.
  void Serve(Connection& connection) noexcept;
  // Whether the round is over. `due_since`: when its end became due; 0 before.
  bool IsOver(std::uint64_t& due_since) const;
  // Adds up what the connections have done. Returns the messages. Requires: all have ended.
  std::uint64_t Count() noexcept;

  fibers::TcpListener listener_;
  const std::string address_;
  const std::uint32_t bytes_;
  std::uint64_t end_ns_ = 0;
  std::function<bool()> is_due_;
  std::uint64_t cpu_ns_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;  // of this round
  Atomic<std::uint64_t> open_{0};  // connections that count and have not ended
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
