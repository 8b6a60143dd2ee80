#include "cli/command.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/output/output.hpp"
#include "harness/agent/serve.hpp"
#include "harness/doctor/findings.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

namespace schedbench::cli {

namespace {

constexpr std::array kAgentFlags{kPinFlag, kStallFlag};

constexpr std::string_view kAgentDetails =
    R"(An agent reads requests from stdin and answers on stdout. Each request and each answer is one line
with a JSON object. The requests are: report what you are, open a scheduler with a workload, run a
round and report what was measured, close. `compare` measures every alternative through such a
process; foreign runtimes have agents of their own. docs/agent-protocol.md has the protocol;
`schedbench agent-check -- COMMAND` checks an agent.

The agent ends when its input ends. After a wrong answer or a hang it replies with an error and ends
with exit code 4.

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

// Observes the machine for a moment, once.
harness::AgentMachine ObserveMachine() {
  constexpr std::uint64_t kWindowNs =
      100'000'000;  // ten ticks of the kernel, by which it counts CPU time
  const platform::MachineInfo info = platform::ThisMachine();
  harness::AgentMachine machine{.host = platform::HostName(),
                                .cpu_model = info.cpu_model,
                                .cpus = info.cpus_allowed,
                                .kernel = info.kernel};
  const platform::MachineFiles files("");
  const harness::ActivityReading before = harness::ReadActivity(files);
  platform::SleepUntilNs(platform::NowNs() + kWindowNs);
  const harness::MachineFacts facts = harness::ReadFacts(files, before);
  for (const harness::Finding& finding : harness::Judge(facts, registry::ThisBuild())) {
    if (finding.severity != harness::Severity::kOk) {
      machine.findings.push_back(
          fmt::format("{} {}: {}", ToText(finding.severity), finding.topic, finding.text));
    }
  }
  return machine;
}

harness::AgentMachine DescribeMachine() {
  static const harness::AgentMachine machine = ObserveMachine();
  return machine;
}

ExitCode Serve(const Arguments& arguments) {
  const Perturbations perturbations(arguments);
  const harness::AgentLines lines{.receive = &NextLine,
                                  .send =
                                      [](std::string_view line) {
                                        Print(std::string(line) + "\n");
                                      },
                                  .machine = &DescribeMachine};
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
    .summary = "run rounds on request, over stdin and stdout",
    .flags = kAgentFlags,
    .details = kAgentDetails,
    .run = &Serve,
};

}  // namespace schedbench::cli
