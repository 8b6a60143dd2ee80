#include "report/parts/origin.hpp"

#include "config/quote.hpp"
#include "registry/build_info.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedbench::report {

std::string Joined(const std::vector<std::string>& parts, std::size_t indent,
                   const TerminalStyle& style) {
  const std::string separator = style.unicode ? "  ·  " : "  |  ";
  std::string text;
  std::size_t column = indent;
  for (const std::string& part : parts) {
    const std::size_t width = config::CharacterCount(part);
    if (text.empty()) {
      column += width;
    } else if (column + 5 + width > std::min(kLineWidth, style.width)) {
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

namespace {

std::vector<std::string> MachineParts(const platform::MachineInfo& machine) {
  return {machine.cpu_model,
          fmt::format("{} of {} CPUs{}", machine.cpus_allowed, machine.cpus_online,
                      machine.virtualised ? ", virtual" : ""),
          "governor " + machine.governor, machine.kernel};
}

std::vector<std::string> BuildParts() {
  const registry::BuildInfo& build = registry::ThisBuild();
  return {fmt::format("schedbench {} {}{}", build.version, build.revision.substr(0, 12),
                      build.modified ? " (modified)" : ""),
          fmt::format("{} {}", build.compiler, build.build_type),
          fmt::format("{} malloc", build.allocator)};
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// `join`: makes a text of parts.
template <typename Join>
Facts FactsOf(const platform::MachineInfo& machine, const std::vector<std::string>& command,
              std::optional<std::uint64_t> seed, const Join& join) {
  Facts facts{{"machine", join(MachineParts(machine))}, {"build", join(BuildParts())}};
  if (seed) {
    facts.emplace_back("seed", std::to_string(*seed));
  }
  if (!command.empty()) {
    facts.emplace_back("again", seed ? ReplayCommand(command, *seed) : ShellCommand(command));
  }
  return facts;
}

}  // namespace

std::string LabelledLine(std::string_view label, std::string_view text,
                         const TerminalStyle& style) {
  return fmt::format("{}{}\n", style.Dim(fmt::format("  {:<8}", label)), text);
}

std::string OriginLines(const platform::MachineInfo& machine,
                        const std::vector<std::string>& command, std::optional<std::uint64_t> seed,
                        const TerminalStyle& style) {
  std::string text = NoteLines(NotesOn(machine), style);
  const auto join = [&style](const auto& parts) { return Joined(parts, 10, style); };
  for (const auto& [label, fact] : FactsOf(machine, command, seed, join)) {
    text += LabelledLine(label, fact, style);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> OriginFacts(
    const platform::MachineInfo& machine, const std::vector<std::string>& command,
    std::optional<std::uint64_t> seed) {
  return FactsOf(machine, command, seed,
                 [](const auto& parts) { return fmt::format("{}", fmt::join(parts, " · ")); });
}

}  // namespace schedbench::report
