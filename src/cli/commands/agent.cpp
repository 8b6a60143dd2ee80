#include "cli/command.hpp"
#include "cli/output/output.hpp"
#include "harness/agent/serve.hpp"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

namespace schedbench::cli {

namespace {

constexpr std::string_view kAgentDetails =
    R"(An agent reads requests from stdin and answers on stdout, a JSON object in a line each: what it is, then to open
a scheduler with a workload, to do a round of it and to tell what it measured, and to close both. `compare` measures
every alternative through such a process, and foreign runtimes come with agents of their own. The protocol is told in
src/harness/agent/README.md; `schedbench agent-check -- COMMAND` tries an agent.

It ends when its input does. A wrong answer or a hang is answered with an error and ends it with exit code 4.

Examples:
  schedbench agent < requests.jsonl
  echo '{"request":"hello","protocol":1}' | schedbench agent
)";

std::optional<std::string> NextLine() {
  std::string line;
  if (!std::getline(std::cin, line)) {
    return std::nullopt;
  }
  return line;
}

ExitCode Serve(const Arguments& /*arguments*/) {
  const harness::AgentLines lines{.receive = &NextLine, .send = [](std::string_view line) {
                                    Print(std::string(line) + "\n");
                                  }};
  switch (harness::ServeAsAgent(lines)) {
    case harness::ServeEnd::kDone:
      return ExitCode::kDone;
    case harness::ServeEnd::kFailed:
      std::_Exit(static_cast<int>(ExitCode::kWrongAnswer));
    case harness::ServeEnd::kInterrupted:
      std::_Exit(static_cast<int>(ExitCode::kInterrupted));
  }
  return ExitCode::kBug;
}

}  // namespace

const Command kAgentCommand{
    .name = "agent",
    .summary = "measure on request, for another program",
    .details = kAgentDetails,
    .run = &Serve,
};

}  // namespace schedbench::cli
