#include "cli/command.hpp"
#include "cli/flags/perturbations.hpp"
#include "harness/agent/client.hpp"
#include "harness/agent/serve.hpp"
#include "harness/doctor/findings.hpp"
#include "platform/files/file_checksum.hpp"
#include "platform/files/stdin_lines.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/process/guard.hpp"
#include "platform/time/clock.hpp"

#include <cstdlib>
#include <system_error>

namespace schedbench::cli {

namespace {

constexpr auto kGuardFlag = SwitchFlag{
    "--guard", "", "",
    "Run COMMAND, kill it when the input has ended and it does not, and report its end on stderr"};

constexpr auto kAgentFlags = FlagsOf(kGuardFlag, kPinFlag, kStallFlag);

constexpr std::string_view kAgentDetails =
    R"(An agent reads requests from stdin and answers on stdout. Each request and each answer is one line
with a JSON object. The requests are: report what you are, open a scheduler with a workload, run a
round and report what was measured, close. `compare` measures every alternative through such a
process; foreign runtimes have agents of their own. docs/agent-protocol.md has the protocol;
`schedbench agent-check -- COMMAND` checks an agent.

The agent ends when its input ends. After a wrong answer or a hang it replies with an error and ends
with exit code 4.

--guard is for agents on other machines: --host and --slurm of compare, scale and sweep use it.
COMMAND is any agent. 10 s after the end of the input it is killed with all processes that it has
started. The last line on stderr is how it ended, and the exit code is that of COMMAND, or 128 and
the number of the signal.
)";

// Observes the machine once for a moment.
harness::AgentMachine ObserveMachine() {
  constexpr std::uint64_t kWindowNs = 100'000'000;  // ten kernel ticks, which count CPU time
  const platform::MachineInfo info = platform::ThisMachine();
  harness::AgentMachine machine{.host = platform::HostName(),
                                .cpu_model = info.cpu_model,
                                .cpus = info.cpus_allowed,
                                .kernel = info.kernel};
  // The kernel chooses this number when it starts.
  machine.id = platform::FileChecksum("/proc/sys/kernel/random/boot_id");
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

ExitCode Guard(const std::vector<std::string>& command) {
  platform::ProcessEnd end;
  try {
    end = platform::RunGuarded(command, harness::kGuardPatience);
  } catch (const std::system_error& error) {
    constexpr int kNotStarted = 127;  // code of a shell
    Say(fmt::format("cannot start the agent: {}\n", error.what()));
    end.code = kNotStarted;
  }
  Say(fmt::format("{}{}\n", harness::kGuardReport, end.Text()));
  constexpr int kOfSignals = 128;  // code of a shell
  return static_cast<ExitCode>(end.signal != 0 ? kOfSignals + end.signal : end.code);
}

ExitCode Serve(const Arguments& arguments) {
  if (arguments[kGuardFlag]) {
    if (arguments.words.empty()) {
      throw config::InputError("--guard needs a command    schedbench agent --guard -- COMMAND");
    }
    return Guard(arguments.words);
  }
  if (!arguments.words.empty()) {
    RefuseInput("{}: agent takes a command only after {}    schedbench agent {} -- COMMAND",
                config::Quoted(arguments.words.front()), kGuardFlag.name, kGuardFlag.name);
  }
  const Perturbations perturbations(arguments);
  platform::StdinLines requests;
  const harness::AgentLines lines{
      .receive = [&requests] { return requests.Next(); },
      .send = [](std::string_view line) { Print(std::string(line) + "\n"); },
      .is_next_there = [&requests] { return requests.IsReady(); },
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

const CommandRegistration kAgent{{
    .place = 230,
    .name = "agent",
    .summary = "run rounds on request, over stdin and stdout",
    .words = {"[-- COMMAND...]", 0, 100'000, Names::kFile},
    .flags = kAgentFlags,
    .details = kAgentDetails,
    .examples =
        R"(  schedbench agent < requests.jsonl
  echo '{"request":"hello","protocol":1}' | schedbench agent
)",
    .run = &Serve,
}};

}  // namespace

}  // namespace schedbench::cli
