#include "config/quote.hpp"
#include "metrics/metric_list.hpp"
#include "registry/build_info.hpp"
#include "report/format.hpp"
#include "report/notes.hpp"
#include "report/replay.hpp"
#include "report/summary_lines.hpp"
#include "report/worker_table.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

namespace {

using harness::RunResult;

constexpr std::size_t kColumns = 100;

// Joins the parts by a middle dot and breaks the line before a part that would go beyond the last column.
std::string Joined(const std::vector<std::string>& parts, std::size_t indent, const Look& look) {
  const std::string separator = look.unicode ? "  ·  " : "  |  ";
  std::string text;
  std::size_t column = indent;
  for (const std::string& part : parts) {
    const std::size_t width = config::CharacterCount(part);
    if (text.empty()) {
      column += width;
    } else if (column + 5 + width > kColumns) {
      text += "\n" + std::string(indent, ' ');
      column = indent + width;
    } else {
      text += separator;
      column += 5 + width;
    }
    text += part;
  }
  return text;
}

// "name(key=value, key=value)"
std::string Call(std::string_view name, const std::vector<std::string>& arguments) {
  std::string text(name);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + arguments[i];
  }
  return arguments.empty() ? text : text + ")";
}

// What differs from the defaults; the workers stand beside it anyway.
std::string Scheduler(const harness::RunPlan& plan) {
  const config::Settings defaults(plan.config.GetSchema());
  std::vector<std::string> changes;
  config::ForEachLeaf(plan.config, [&](const std::string& path, const config::Value& value) {
    if (path != "workers" && value != defaults.Get(path)) {
      changes.push_back(path + "=" + config::ToText(value));
    }
  });
  return Call(plan.scheduler->name, changes);
}

std::string Workload(const harness::RunPlan& plan) {
  std::vector<std::string> parameters;
  config::ForEachLeaf(plan.parameters, [&](const std::string& path, const config::Value& value) {
    parameters.push_back(path + "=" + config::ToText(value));
  });
  return Call(plan.workload->name, parameters);
}

std::string Plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string Headline(const RunResult& result, const Look& look) {
  const harness::RunPlan& plan = result.plan;
  std::vector<std::string> parts{Scheduler(plan), Workload(plan)};
  if (!result.workers.empty()) {
    const std::string threads = result.HasRowPerThread()
                                    ? Plural(result.workers.size(), "worker")
                                    : "up to " + Plural(result.Threads(), "thread");
    parts.push_back(fmt::format("{} on CPU {}", threads, result.machine.cpu_list));
  }
  parts.push_back(result.complete ? Plural(plan.rounds, "round")
                                  : fmt::format("{} of {}", result.rounds.size(),
                                                Plural(plan.rounds, "round")));
  if (plan.warmup > 0) {
    parts.push_back(fmt::format("{} warm-up", plan.warmup));
  }
  return look.Bold(Joined(parts, 0, look)) + "\n";
}

std::string Machine(const RunResult& result, const Look& look) {
  const platform::MachineInfo& machine = result.machine;
  return Joined({machine.cpu_model,
                 fmt::format("{} of {} CPUs{}", machine.cpus_allowed, machine.cpus_online,
                             machine.virtualised ? ", virtual" : ""),
                 "governor " + machine.governor, machine.kernel},
                10, look);
}

std::string Build(const Look& look) {
  const registry::BuildInfo& build = registry::ThisBuild();
  return Joined({fmt::format("schedbench {} {}{}", build.version, build.revision.substr(0, 12),
                             build.modified ? " (modified)" : ""),
                 fmt::format("{} {}", build.compiler, build.build_type),
                 fmt::format("{} malloc", build.allocator)},
                10, look);
}

std::string Label(std::string_view label, std::string_view text, const Look& look) {
  return fmt::format("{}{}\n", look.Dim(fmt::format("  {:<8}", label)), text);
}

std::string Footer(const RunResult& result, const Look& look) {
  std::string text;
  for (const Note& note : NotesOn(result)) {
    const bool fits =
        config::CharacterCount(note.text) + config::CharacterCount(note.remedy) + 14 <= kColumns;
    const std::string gap = fits ? "    " : "\n" + std::string(10, ' ');
    text += Label("note", note.text + gap + note.remedy, look);
  }
  text += Label("machine", Machine(result, look), look);
  text += Label("build", Build(look), look);
  text += Label("seed", fmt::format("{}", result.plan.seed), look);
  if (!result.command.empty()) {
    text += Label("again", ReplayCommand(result.command, result.plan.seed), look);
  }
  return text;
}

}  // namespace

std::string RenderTable(const RunResult& result, const Look& look) {
  std::string text = Headline(result, look);
  if (!result.complete) {
    text += Label("partial", config::Escaped(result.failure, 1000), look);
  }
  if (!result.rounds.empty()) {
    text += "\n" + SummaryLines(result, look) + "\n" + WorkerTable(result, look);
  }
  return text + "\n" + Footer(result, look);
}

}  // namespace schedbench::report
