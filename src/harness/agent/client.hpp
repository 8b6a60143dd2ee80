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

// The agent has ended, or its reply is missing or invalid. Its process has ended.
class AgentLost : public std::runtime_error {
 public:
  explicit AgentLost(const std::string& what, bool is_reported = true)
      : std::runtime_error(what),
        is_reported_(is_reported) {
  }

  // Returns false if it has ended and no guard (platform/process/guard.hpp) has reported how.
  bool IsReported() const {
    return is_reported_;
  }

 private:
  bool is_reported_;
};

// The program of the agent cannot be started.
class AgentNotStarted : public AgentLost {
  using AgentLost::AgentLost;
};

// The machine cannot start another process: no files or processes are left (ulimit -n, ulimit -u).
class AgentLimit : public AgentNotStarted {
  using AgentNotStarted::AgentNotStarted;
};

// `cancelled` of the client returned true during a wait.
class AgentCancelled : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An agent's guard writes this and ProcessEnd::Text() to stderr when the agent has ended.
inline constexpr std::string_view kGuardReport = "schedbench guard: the agent ended with ";

// Time after the end of input until a guard kills its agent (docs/agent-protocol.md).
inline constexpr std::chrono::seconds kGuardPatience{10};

// An agent that this process has started. One thread uses it.
class AgentClient {
 public:
  // The wait for an agent that has sent an error or has closed its stdout: it may still write
  // something. The time is arbitrary.
  static constexpr std::chrono::seconds kPatienceWithLost{1};

  // Starts the agent and asks nothing yet. `cancelled` is asked some times a second during a wait
  // for a reply. `patience`: how long an agent that is lost may take to end. `reach`: what is
  // killed with the agent. Throws AgentNotStarted or AgentLimit.
  explicit AgentClient(
      const std::vector<std::string>& command,
      std::function<bool()> cancelled = [] { return false; },
      std::chrono::nanoseconds patience = kPatienceWithLost,
      platform::Reach reach = platform::Reach::kDescendants);

  // Sends a request; waits at most `limit` for its reply. Throws AgentLost, AgentRefused,
  // AgentCancelled.
  template <typename Reply>
  Reply Ask(const AgentRequest& request, std::chrono::nanoseconds limit) {
    return Wanted<Reply>(Exchange(ToLine(request), limit));
  }

  // The two halves of Ask(), for a request that is sent before the reply to the previous one has
  // come. If the agent has ended, the next Receive() reports it.
  void Send(const AgentRequest& request);
  template <typename Reply>
  Reply Receive(std::chrono::nanoseconds limit) {
    return Wanted<Reply>(Next(limit));
  }

  // Waits at most `limit`. Returns whether there is a reply or the agent has ended.
  bool AwaitReply(std::chrono::nanoseconds limit);

  // Sends any line and returns the reply to it. Throws AgentLost, AgentCancelled.
  AgentReply Exchange(const std::string& line, std::chrono::nanoseconds limit);

  std::int64_t ProcessNumber() const {
    return process_.Number();
  }

  // Ends the agent's input and waits `patience` for its end before it is killed. Returns how it
  // ended; with a guard, as the guard reports it. Call it once.
  platform::ProcessEnd Finish(std::chrono::nanoseconds patience);

  // Does what Finish() does. Throws AgentLost if the exit code is not 0.
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
  // Ends the process; reports the reason with its last output. Throws AgentLost, AgentCancelled.
  [[noreturn]] void Lose(const std::string& why);

  platform::ChildProcess process_;
  // The line that AwaitReply() has read.
  struct Line {
    platform::ChildProcess::Read read;
    std::string text;
  };
  std::optional<Line> awaited_;
  bool is_reported_ = false;  // whether its guard reported how it ended
  const std::function<bool()> cancelled_;
  const std::chrono::nanoseconds patience_;
  const std::int64_t memory_kills_;  // what ReadMemoryKills() returned before the agent started
};

}  // namespace schedbench::harness
