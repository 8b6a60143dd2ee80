#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace schedbench::registry {

// A workload can be divided between two processes: one is the server, the other ones send it requests.
enum class Half : std::uint8_t { kServer, kClients };

// What a half has measured in a round.
struct HalfTimes {
  // Of clients. Nanoseconds, ascending. Of requests with an answer: from when they were due until the answer.
  std::vector<std::uint64_t> latency_ns;
  // Likewise, of all requests: from when they were due until they began to be sent, or were given up because their connection had
  // ended or was not free in time. It is part of the latency.
  std::vector<std::uint64_t> delay_ns;
  std::uint64_t unanswered = 0;  // requests whose connection was lost, or whose answer was too late
  std::uint64_t span_ns = 0;     // from the start until the last answer
  std::string trouble;           // what has gone wrong first; "" for nothing
  // Of a server: CPU time of the process since it accepted the last connection, until the last one has ended. Only connections with a
  // whole message count.
  std::uint64_t cpu_ns = 0;
};

// What a half offers besides IWorkload. Used by the thread that runs the rounds.
class IHalf {
 public:
  virtual ~IHalf() = default;

  // Returns where the server listens, "127.0.0.1:41713"; "" of clients.
  virtual std::string Address() const = 0;

  // When the next round starts and when it ends at the latest, in nanoseconds of platform::NowNs(); 0: at once, never. Clients
  // obey the start, the server obeys the end.
  virtual void SetTimes(std::uint64_t start_ns, std::uint64_t end_ns) = 0;

  // A round ends when this returns true: the server's when the connections of its clients have ended, or soon after; clients submit no
  // more requests, and wait for the answers. Called some times a second on the thread of Run().
  virtual void EndWhen(std::function<bool()> is_due) = 0;

  // Returns what it has measured in the last round.
  virtual HalfTimes Times() const = 0;
};

}  // namespace schedbench::registry
