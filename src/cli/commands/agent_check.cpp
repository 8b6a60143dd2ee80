#include "cli/command.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "config/settings_json.hpp"
#include "harness/agent/check.hpp"
#include "harness/agent/client.hpp"
#include "platform/process/interrupt.hpp"
#include "registry/workload.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace schedbench::cli {

namespace {

constexpr auto kAgentCheckFlags =
    FlagsOf(kWorkloadsFlag.Taking("NAME:KEY=VALUE,...")
                .Described("Parameters of this workload; the others keep their defaults"),
            kRoundLimitFlag);

constexpr std::string_view kAgentCheckDetails =
    R"(Checks that a program follows the agent protocol (docs/agent-protocol.md): what it reports
about itself, what it refuses, and how it ends. Each of its workloads and schedulers runs with the
requests that compare sends, and must count the operations that schedbench counts. It also opens
each workload with one parameter changed, unless --workload chose its parameters. The exit code is 4
if the agent breaks a rule.
)";

// Returns the workload's parameters with the first possible one halved; none if none allows it.
std::optional<std::string> Changed(const WorkloadChoice& workload) {
  std::optional<std::string> changed;
  config::ForEachLeaf(
      workload.parameters, [&](const std::string& path, const config::Value& value) {
        const auto* const number = std::get_if<std::uint64_t>(&value);
        if (changed || number == nullptr || *number < 2) {
          return;
        }
        config::Problems problems;
        const auto halved = ChooseWorkload(
            fmt::format("{}:{}={}", workload.entry->name, path, *number / 2), problems);
        if (problems.empty()) {
          changed = config::ToJson(halved->parameters).dump();
        }
      });
  return changed;
}

// Adds all parameters of all workloads, as `compare` sends them.
void AddParameters(const Arguments& arguments, harness::AgentCheckOptions& options,
                   config::Problems& problems) {
  const auto set = [&options](const WorkloadChoice& workload) {
    options.parameters[std::string(workload.entry->name)] =
        config::ToJson(workload.parameters).dump();
  };
  for (const registry::WorkloadEntry* const entry : registry::Workloads()) {
    const WorkloadChoice workload = *ChooseWorkload(std::string(entry->name), problems);
    set(workload);
    if (auto changed = Changed(workload)) {
      options.changed[std::string(entry->name)] = *std::move(changed);
    }
  }
  for (const std::string& text : arguments[kWorkloadsFlag]) {
    if (const auto workload = ChooseWorkload(text, problems)) {
      set(*workload);
      options.chosen.emplace(workload->entry->name);
    }
  }
}

ExitCode CheckAgent(const Arguments& arguments) {
  config::Problems problems;
  harness::AgentCheckOptions options{.parameters = {},
                                     .chosen = {},
                                     .reference = {"/proc/self/exe", "agent"},
                                     .reference_scheduler = "fast",
                                     .limit = arguments[kRoundLimitFlag]};
  AddParameters(arguments, options, problems);
  problems.ThrowIfAny();
  platform::InterruptibleEvent interrupt;
  harness::AgentChecks checks;
  try {
    checks =
        harness::CheckAgent(arguments.words, options,
                            std::bind_front(&platform::InterruptibleEvent::HasCome, &interrupt));
  } catch (const harness::AgentCancelled&) {
    return ExitCode::kInterrupted;
  } catch (const harness::AgentNotStarted& error) {
    throw config::InputError(error.what());
  }
  for (const harness::AgentCheck& check : checks.checks) {
    const bool is_skipped = !check.skipped.empty();
    const std::string& why = is_skipped ? check.skipped : check.wrong;
    Print(fmt::format("  {:<5} {}\n",
                      is_skipped    ? "skip"
                      : why.empty() ? "ok"
                                    : "FAIL",
                      config::Escaped(check.rule, 200)));
    if (!why.empty()) {
      Print(fmt::format("        {}\n", config::Escaped(why, 1000)));
    }
  }
  const auto broken = std::ranges::count_if(
      checks.checks, [](const harness::AgentCheck& check) { return !check.wrong.empty(); });
  const auto skipped = std::ranges::count_if(
      checks.checks, [](const harness::AgentCheck& check) { return !check.skipped.empty(); });
  const auto rules = static_cast<std::ptrdiff_t>(checks.checks.size());
  const std::string agent = checks.agent.empty() ? "the agent" : config::Escaped(checks.agent, 200);
  if (broken == 0) {
    Print(skipped == 0
              ? fmt::format("{} keeps all {} rules\n", agent, rules)
              : fmt::format("{} keeps {} rules, {} skipped\n", agent, rules - skipped, skipped));
    return ExitCode::kDone;
  }
  Print(fmt::format(
      "{} breaks {} of {} rules    see agent-protocol.md in docs/ or share/doc/schedbench/docs/\n",
      agent, broken, rules));
  return ExitCode::kWrongAnswer;
}

const CommandRegistration kAgentCheck{{
    .place = 240,
    .name = "agent-check",
    .summary = "check that a program follows the agent protocol",
    .words = {"-- COMMAND...", 1, 100'000, Names::kFile},
    .flags = kAgentCheckFlags,
    .details = kAgentCheckDetails,
    .examples =
        R"(  schedbench agent-check -- schedbench agent
  schedbench agent-check --timeout 5m --workload million:fibers=1000 -- ./my_agent --threads 2
)",
    .run = &CheckAgent,
}};

}  // namespace

}  // namespace schedbench::cli
