#pragma once

#include "harness/agent/message.hpp"
#include "platform/process/child_process.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::harness {

// The agent has ended, gives no answer or one that is none. Its process is gone.
class AgentLost : public std::runtime_error {
 public:
  explicit AgentLost(const std::string& what, bool is_reported = true)
      : std::runtime_error(what),
        is_reported_(is_reported) {
  }

  // False: it has ended, and no guard (platform/process/guard.hpp) has reported how.
  bool IsReported() const {
    return is_reported_;
  }

 private:
  bool is_reported_;
};

// Its program cannot be started.
class AgentNotStarted : public AgentLost {
  using AgentLost::AgentLost;
};

// The machine cannot start another process: no files or processes are left (ulimit -n, ulimit -u).
class AgentLimit : public AgentNotStarted {
  using AgentNotStarted::AgentNotStarted;
};

// The caller has had enough: `cancelled` of the client returned true while it waited.
class AgentCancelled : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the guard of an agent writes to stderr when the agent has ended, followed by ProcessEnd::Text().
inline constexpr std::string_view kGuardReport = "schedbench guard: the agent ended with ";

// How long an agent with a guard may take to end after its input, until the guard kills it: that of docs/agent-protocol.md.
inline constexpr std::chrono::seconds kGuardPatience{10};

// An agent that this process has started. Used by one thread.
class AgentClient {
 public:
  // An agent that has sent an error, or has closed its stdout, may still have something to write. The time is arbitrary.
  static constexpr std::chrono::seconds kPatienceWithLost{1};

  // `cancelled`: asked some times a second while a reply is waited for. Throws AgentNotStarted or
  // AgentLimit. Nothing is asked yet. `patience`: how long an agent that is lost may take to end.
  // `reach`: what is killed with the agent.
  explicit AgentClient(
      const std::vector<std::string>& command,
      std::function<bool()> cancelled = [] { return false; },
      std::chrono::nanoseconds patience = kPatienceWithLost,
      platform::Reach reach = platform::Reach::kDescendants);

  // Sends a request and waits for its reply, at most so long. Throws AgentLost, AgentRefused, AgentCancelled.
  template <typename Reply>
  Reply Ask(const AgentRequest& request, std::chrono::nanoseconds limit) {
    return Wanted<Reply>(Exchange(ToLine(request), limit));
  }

  // The two halves of Ask(), for a request that is sent before the reply to the one before has come. If the agent has ended, the next
  // Receive() reports it.
  void Send(const AgentRequest& request);
  template <typename Reply>
  Reply Receive(std::chrono::nanoseconds limit) {
    return Wanted<Reply>(Next(limit));
  }

  // Waits at most so long. Returns whether Receive() would not wait: there is a reply, or the agent has ended.
  bool AwaitReply(std::chrono::nanoseconds limit);

  // Sends a line, whatever it is, and returns the reply to it. Throws AgentLost, AgentCancelled.
  AgentReply Exchange(const std::string& line, std::chrono::nanoseconds limit);

  std::int64_t ProcessNumber() const {
    return process_.Number();
  }

  // Ends its input and waits for its end, `patience` long, before it is killed. Returns how it ended, of an agent with a guard what the
  // guard reports. Once.
  platform::ProcessEnd Finish(std::chrono::nanoseconds patience);

  // The same. Throws AgentLost if it did not end with exit code 0.
  void End(std::chrono::nanoseconds patience);

 private:
  template <typename Reply>
  Reply Wanted(AgentReply reply) {
    if (Reply* const wanted = std::get_if<Reply>(&reply)) {
      return std::move(*wanted);
    }
    Misunderstood(reply);
  }
  // Waits for a reply. Throws AgentLost, AgentCancelled.
  AgentReply Next(std::chrono::nanoseconds limit);
  platform::ChildProcess::Read ReadLine(std::string& line, std::chrono::nanoseconds limit);
  [[noreturn]] void Misunderstood(const AgentReply& reply);
  // Ends the process, and reports the reason with its last output. Throws AgentLost, AgentCancelled.
  [[noreturn]] void Lose(const std::string& why);

  platform::ChildProcess process_;
  // What AwaitReply() has read.
  struct Line {
    platform::ChildProcess::Read read;
    std::string text;
  };
  std::optional<Line> awaited_;
  bool is_reported_ = false;  // by its guard, how it ended
  const std::function<bool()> cancelled_;
  const std::chrono::nanoseconds patience_;
  const std::int64_t memory_kills_;  // what ReadMemoryKills() returned before the agent started
};

}  // namespace schedbench::harness
