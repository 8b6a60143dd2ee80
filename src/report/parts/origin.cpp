#include "report/parts/origin.hpp"

#include "config/quote.hpp"
#include "registry/build_info.hpp"
#include "report/parts/replay.hpp"

#include <fmt/core.h>

namespace schedbench::report {

std::string Joined(const std::vector<std::string>& parts, std::size_t indent,
                   const TerminalStyle& look) {
  const std::string separator = look.unicode ? "  ·  " : "  |  ";
  std::string text;
  std::size_t column = indent;
  for (const std::string& part : parts) {
    const std::size_t width = config::CharacterCount(part);
    if (text.empty()) {
      column += width;
    } else if (column + 5 + width > kLineWidth) {
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

std::string Machine(const platform::MachineInfo& machine, const TerminalStyle& look) {
  return Joined({machine.cpu_model,
                 fmt::format("{} of {} CPUs{}", machine.cpus_allowed, machine.cpus_online,
                             machine.virtualised ? ", virtual" : ""),
                 "governor " + machine.governor, machine.kernel},
                10, look);
}

std::string Build(const TerminalStyle& look) {
  const registry::BuildInfo& build = registry::ThisBuild();
  return Joined({fmt::format("schedbench {} {}{}", build.version, build.revision.substr(0, 12),
                             build.modified ? " (modified)" : ""),
                 fmt::format("{} {}", build.compiler, build.build_type),
                 fmt::format("{} malloc", build.allocator)},
                10, look);
}

}  // namespace

std::string LabelledLine(std::string_view label, std::string_view text, const TerminalStyle& look) {
  return fmt::format("{}{}\n", look.Dim(fmt::format("  {:<8}", label)), text);
}

std::string OriginLines(const platform::MachineInfo& machine,
                        const std::vector<std::string>& command, std::uint64_t seed,
                        const TerminalStyle& look) {
  std::string text = LabelledLine("machine", Machine(machine, look), look) +
                     LabelledLine("build", Build(look), look) +
                     LabelledLine("seed", fmt::format("{}", seed), look);
  if (!command.empty()) {
    text += LabelledLine("again", ReplayCommand(command, seed), look);
  }
  return text;
}

}  // namespace schedbench::report
