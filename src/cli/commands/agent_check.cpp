#include "cli/command.hpp"
#include "cli/output/output.hpp"
#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "harness/agent/check.hpp"
#include "harness/agent/client.hpp"
#include "platform/process/interrupt.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace schedbench::cli {

namespace {

constexpr Flag kAnswerLimitFlag =
    Flag{"--timeout", "", "TIME", "Time limit of a round: 500ms, 10s, 2m; 0: none"}
        .Checked(kTimeOrZero)
        .Default("60s");

constexpr Flag kParametersFlag = Flag{"--workload", "-w", "NAME:KEY=VALUE,...",
                                      "Run that workload with these parameters, to save time"}
                                     .Repeatable();

constexpr std::array kAgentCheckFlags{kParametersFlag, kAnswerLimitFlag};

constexpr std::string_view kAgentCheckDetails =
    R"(Checks a program that is meant to be an agent (src/harness/agent/README.md): what it reports of itself, what it refuses and
how, whether each of its workloads and each of its schedulers runs its rounds, and how it ends. Exits with code 4 if the agent
breaks a rule.

Examples:
  schedbench agent-check -- schedbench agent
  schedbench agent-check --timeout 5m --workload million:fibers=1000 -- ./my_agent --threads 2
)";

// The agent alone knows the types of its parameters: a JSON scalar stays one, all else is a text.
nlohmann::ordered_json ValueOf(const std::string& text) {
  auto value = nlohmann::ordered_json::parse(text, nullptr, false);
  return value.is_primitive() && !value.is_discarded() ? value : nlohmann::ordered_json(text);
}

harness::AgentParameters ParametersOf(const Arguments& arguments, config::Problems& problems) {
  harness::AgentParameters parameters;
  for (const std::string& text : arguments.Values(kParametersFlag)) {
    if (const auto spec = config::ParseSpec(text, kParametersFlag.name, problems)) {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (const auto& [key, value] : spec->parameters) {
        object[key] = ValueOf(value);
      }
      parameters[spec->name] = object.dump();
    }
  }
  return parameters;
}

ExitCode CheckAgent(const Arguments& arguments) {
  config::Problems problems;
  const harness::AgentParameters parameters = ParametersOf(arguments, problems);
  problems.ThrowIfAny();
  platform::InterruptibleEvent interrupt;
  harness::AgentChecks checks;
  try {
    checks = harness::CheckAgent(
        arguments.words, parameters, arguments.Time(kAnswerLimitFlag), [&interrupt] {
          return interrupt.WaitFor(std::chrono::nanoseconds::zero()).has_value();
        });
  } catch (const harness::AgentCancelled&) {
    return ExitCode::kInterrupted;
  }
  for (const harness::AgentCheck& check : checks.checks) {
    if (check.wrong.empty()) {
      Print(fmt::format("  ok    {}\n", config::Escaped(check.rule, 200)));
    } else {
      Print(fmt::format("  FAIL  {}\n        {}\n", config::Escaped(check.rule, 200),
                        config::Escaped(check.wrong, 1000)));
    }
  }
  const auto broken = std::ranges::count_if(checks.checks, [](const harness::AgentCheck& check) {
    return !check.wrong.empty();
  });
  const std::string agent = checks.agent.empty() ? "the agent" : config::Escaped(checks.agent, 200);
  if (broken == 0) {
    Print(fmt::format("{} keeps all {} rules\n", agent, checks.checks.size()));
    return ExitCode::kDone;
  }
  Print(fmt::format("{} breaks {} of {} rules    see src/harness/agent/README.md\n", agent, broken,
                    checks.checks.size()));
  return ExitCode::kWrongAnswer;
}

}  // namespace

const Command kAgentCheckCommand{
    .name = "agent-check",
    .summary = "check that a program is an agent that schedbench can measure with",
    .words = "-- COMMAND...",
    .min_words = 1,
    .max_words = 100'000,
    .flags = kAgentCheckFlags,
    .details = kAgentCheckDetails,
    .run = &CheckAgent,
};

}  // namespace schedbench::cli
