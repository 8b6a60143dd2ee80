#pragma once

#include "harness/agent/message.hpp"
#include "platform/process/child_process.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::harness {

// The agent has ended, gives no answer or one that is none. Its process is gone.
class AgentLost : public std::runtime_error {
 public:
  explicit AgentLost(const std::string& what, platform::ProcessEnd end = {})
      : std::runtime_error(what),
        end_(end) {
  }

  // How its process ended; exit code 0 where it has not been started.
  const platform::ProcessEnd& End() const {
    return end_;
  }

 private:
  platform::ProcessEnd end_;
};

// Its program cannot be started.
class AgentNotStarted : public AgentLost {
  using AgentLost::AgentLost;
};

// The machine cannot start another process: no files or processes are left (ulimit -n, ulimit -u).
class AgentLimit : public AgentNotStarted {
  using AgentNotStarted::AgentNotStarted;
};

// The agent has answered with an error. Of kind kFailed it ends; else it may be asked further.
class AgentRefused : public std::runtime_error {
 public:
  explicit AgentRefused(ErrorReply reply);

  const ErrorReply& Reply() const {
    return reply_;
  }

 private:
  ErrorReply reply_;
};

// The caller has had enough: `cancelled` of the client returned true while it waited.
class AgentCancelled : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An agent that this process has started. Used by one thread.
class AgentClient {
 public:
  // `cancelled`: asked some times a second while a reply is waited for. Throws AgentNotStarted or AgentLimit.
  // Nothing is asked yet.
  explicit AgentClient(
      const std::vector<std::string>& command, std::function<bool()> cancelled = [] {
        return false;
      });

  // Sends a request and waits for its reply, at most so long. Throws AgentLost, AgentRefused, AgentCancelled.
  template <typename Reply>
  Reply Ask(const AgentRequest& request, std::chrono::nanoseconds limit) {
    AgentReply reply = Exchange(ToLine(request), limit);
    if (Reply* const wanted = std::get_if<Reply>(&reply)) {
      return std::move(*wanted);
    }
    Misunderstood(reply);
  }

  // Sends a line, whatever it is, and returns the reply to it. Throws AgentLost, AgentCancelled.
  AgentReply Exchange(const std::string& line, std::chrono::nanoseconds limit);

  std::int64_t ProcessNumber() const {
    return process_.Number();
  }

  // Ends its input and waits for its end, `patience` long, before it is killed. Once.
  platform::ProcessEnd Finish(std::chrono::nanoseconds patience) {
    return process_.Finish(patience);
  }

 private:
  platform::ChildProcess::Read ReadLine(std::string& line, std::chrono::nanoseconds limit);
  [[noreturn]] void Misunderstood(const AgentReply& reply);
  // Whether this end of the process follows from a cancellation.
  bool IsCancelled(const platform::ProcessEnd& end) const;
  // Ends the process, and reports the reason with its last output. Throws AgentLost, AgentCancelled.
  [[noreturn]] void Lose(const std::string& why);

  platform::ChildProcess process_;
  const std::function<bool()> cancelled_;
};

}  // namespace schedbench::harness
