#include "cli/flags/help.hpp"

#include "cli/exit_code.hpp"
#include "registry/build_info.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::cli {

namespace {

std::string ExitCodes() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeMeaning& entry : kExitCodes) {
    text += fmt::format("  {:<3}  {}\n", static_cast<int>(entry.code), entry.meaning);
  }
  return text;
}

std::string FlagNames(const Flag& flag) {
  const std::string short_name =
      flag.short_name.empty() ? "    " : fmt::format("{}, ", flag.short_name);
  return short_name + std::string(flag.name) +
         (flag.value.empty() ? "" : fmt::format(" {}", flag.value));
}

}  // namespace

std::string HelpOfTool() {
  std::string text =
      "schedbench measures user-space fiber schedulers: how fast, and why.\n\n"
      "usage: schedbench <command> [flags]\n\nCommands:\n";
  std::size_t width = 0;
  for (const Command* command : Commands()) {
    width = std::max(width, command->name.size());
  }
  for (const Command* command : Commands()) {
    text += fmt::format("  {:<{}}  {}\n", command->name, width, command->summary);
  }
  text += R"(
  schedbench <command> --help    flags and examples of a command
  schedbench --version           what this program was built from

Examples:
  schedbench run --config fast.json --workload pingpong
  schedbench run --scheduler global_fifo --workload spawn_join:tasks=10000 --format json
  schedbench describe scheduler fast

stdout is the result and nothing else; progress and messages go to stderr. There is no colour and no
progress line off a terminal; NO_COLOR is obeyed.

)";
  return text + ExitCodes();
}

std::string UsageOf(const Command& command) {
  return fmt::format("usage: schedbench {}{}{}{}", command.name,
                     command.flags.empty() ? "" : " [flags]", command.words.empty() ? "" : " ",
                     command.words);
}

std::string HelpOf(const Command& command) {
  std::string text =
      fmt::format("schedbench {}: {}\n\n{}\n", command.name, command.summary, UsageOf(command));
  text += "\nFlags:\n";
  std::size_t width = FlagNames({"--help", "-h", "", ""}).size();
  for (const Flag& flag : command.flags) {
    width = std::max(width, FlagNames(flag).size());
  }
  for (const Flag& flag : command.flags) {
    text += fmt::format("  {:<{}}  {}\n", FlagNames(flag), width, flag.doc);
  }
  text += fmt::format("  {:<{}}  {}\n", "-h, --help", width, "Print this text");
  return text + fmt::format("\n{}", command.details);
}

std::string VersionText() {
  const registry::BuildInfo& build = registry::ThisBuild();
  return fmt::format(
      "schedbench {}\nrevision   {}{}\ncompiler   {}, {}\nsanitizer  {}\nallocator  {}\nlibraries  "
      "Boost {}, fmt {}\n",
      build.version, build.revision, build.modified ? " (modified)" : "", build.compiler,
      build.build_type, build.sanitizer, build.allocator, build.boost_version, build.fmt_version);
}

}  // namespace schedbench::cli
