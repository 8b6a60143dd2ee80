#pragma once

#include "harness/agent/message.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::harness {

// The input and output of an agent. One thread at a time calls it.
struct AgentLines {
  std::function<std::optional<std::string>()> receive;  // returns the next line; none at the end
  std::function<void(std::string_view)> send;           // sends a line, without the line break
  // Returns whether receive() would not wait: a line has begun, or the input has ended.
  std::function<bool()> is_next_there;
  // Returns what hello reports of the machine. Null: nothing.
  std::function<AgentMachine()> machine = nullptr;
};

enum class ServeEnd {
  kDone,    // stdin has ended
  kFailed,  // a wrong answer or a hang: what was measured may still be running
  // SIGINT or SIGTERM in the middle of a session: what was measured may still be running.
  kInterrupted,
};

// Answers requests (docs/agent-protocol.md) with the schedulers and workloads of this program. The
// main thread calls it. After any end but kDone the process ends without unwinding (std::_Exit).
ServeEnd ServeAsAgent(const AgentLines& lines);

}  // namespace schedbench::harness
