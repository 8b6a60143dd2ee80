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

// The server's half of the echo workloads. The calling thread accepts connections; each has a fiber
// that sends every message back. A connection counts from its first whole message on: others on the
// network connect and send nothing. EndWhen() or the time of SetTimes() ends a round.
class EchoServer final : public registry::IWorkload, public registry::IHalf {
 public:
  // Listens at `address`, "127.0.0.1:0". `field`: for messages. Throws std::runtime_error.
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
    std::uint64_t cpu_begin_ns = 0;  // CPU time of the process at the accept
    // Its fiber writes these; they are read when it has ended.
    std::uint64_t cpu_end_ns = 0;
    std::uint64_t messages = 0;  // number of whole messages
  };

  // Sends back messages until the peer has gone. Runs in a fiber.
  void Serve(Connection& connection) noexcept;
  // Returns whether the round is over. `due_since`: when its end became due; 0 before.
  bool IsOver(std::uint64_t& due_since) const;
  // Adds up the connections' results. Returns the messages. Requires: all have ended.
  std::uint64_t Count() noexcept;

  fibers::TcpListener listener_;
  const std::string address_;
  const std::uint32_t bytes_;
  std::uint64_t end_ns_ = 0;
  std::function<bool()> is_due_;
  std::uint64_t cpu_ns_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;  // connections of this round
  Atomic<std::uint64_t> open_{0};  // connections that count and have not ended; relaxed: a number
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
