#pragma once

#include "harness/agent/message.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::harness {

// How an agent hears its requests and is heard. Called from one thread at a time.
struct AgentLines {
  std::function<std::optional<std::string>()> receive;  // the next line; none at the end
  std::function<void(std::string_view)> send;           // a line, without the line break
  // Whether receive() would not wait: a line has begun, or there is none any more.
  std::function<bool()> is_next_there;
  // What hello reports of the machine. Null: nothing.
  std::function<AgentMachine()> machine = nullptr;
};

enum class ServeEnd {
  kDone,         // stdin has ended
  kFailed,       // a wrong answer or a hang: what was measured may still be running
  kInterrupted,  // SIGINT or SIGTERM in the middle of a session: likewise
};

// Answers requests (docs/agent-protocol.md) with the schedulers and workloads of this program. To be called by the main thread.
// After any end but kDone the process ends without unwinding (std::_Exit).
ServeEnd ServeAsAgent(const AgentLines& lines);

}  // namespace schedbench::harness
