#include "cli/command.hpp"
#include "cli/flags/names.hpp"
#include "config/suggest.hpp"
#include "registry/build_info.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace schedbench::cli {

namespace {

// Escapes a text so that roff shows it unchanged.
std::string Escaped(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 7> kEscapes{{{'\\', "\\e"},
                                                                       {'-', "\\-"},
                                                                       {'\'', "\\(aq"},
                                                                       {'`', "\\(ga"},
                                                                       {'^', "\\(ha"},
                                                                       {'~', "\\(ti"},
                                                                       {'"', "\\(dq"}}};
  std::string escaped;
  for (const char c : text) {
    const auto* const known =
        std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
    escaped += known == kEscapes.end() ? std::string(1, c) : std::string(known->second);
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string Head(std::string_view name, std::string_view summary, std::string_view usage) {
  constexpr std::string_view kUsage = "usage: ";
  return fmt::format(
      ".TH {} 1 \"\" \"schedbench {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B "
      "{}\n.SH DESCRIPTION\n",
      Escaped(name), registry::ThisBuild().version, Escaped(name), Escaped(summary),
      Escaped(usage.substr(kUsage.size())));
}

// Formats paragraphs of a help. Indented lines are shown as they are.
std::string Paragraphs(std::string_view text) {
  std::string page;
  std::istringstream lines{std::string(text)};
  bool as_is = false;
  const auto show_as_is = [&](bool now) {
    if (now != as_is) {
      page += now ? ".PP\n.EX\n" : ".EE\n";
      as_is = now;
    }
  };
  bool begins = true;  // whether a paragraph begins
  for (std::string line; std::getline(lines, line);) {
    show_as_is(line.starts_with(' '));
    if (!line.empty()) {
      page += begins && !as_is ? ".PP\n" : "";
      page += Escaped(line) + "\n";
    }
    begins = line.empty();
  }
  show_as_is(false);
  return page;
}

std::string Options(const Command& command) {
  std::string page = ".SH OPTIONS\n";
  for (const Flag& flag : command.flags) {
    page += fmt::format(".TP\n.B {}{}{}{}\n{}\n",
                        flag.short_name.empty() ? "" : Escaped(flag.short_name) + ", ",
                        Escaped(flag.name), flag.value.empty() ? "" : " ", Escaped(flag.value),
                        Escaped(DocOf(flag)));
  }
  return page + ".TP\n.B \\-h, \\-\\-help\nPrint the help\n";
}

std::string ExitStatus() {
  std::string page = ".SH EXIT STATUS\n";
  for (const ExitCodeMeaning& entry : kExitCodes) {
    page += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(entry.code), Escaped(entry.meaning));
  }
  return page;
}

std::string NameOfPage(const Command& command) {
  return fmt::format("schedbench-{}", command.name);
}

// Returns the man page of a command, in roff.
std::string ManPageOf(const Command& command) {
  return Head(NameOfPage(command), command.summary, UsageOf(command)) +
         Paragraphs(DetailsOf(command)) + Options(command) + ".SH EXAMPLES\n" +
         Paragraphs(ExamplesOf(command)) + ".SH SEE ALSO\n.BR schedbench (1)\n";
}

// Returns the man page of the tool.
std::string ManPageOfTool() {
  std::string page =
      Head("schedbench", kToolSummary, "usage: schedbench <command> [flags]") +
      "stdout is the result and nothing else; progress and messages go to stderr.\n.SH COMMANDS\n";
  for (const Command* const command : Commands()) {
    page += fmt::format(".TP\n.BR {} (1)\n{}\n", Escaped(NameOfPage(*command)),
                        Escaped(command->summary));
  }
  return page + ExitStatus() +
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nSwitches colours off.\n.TP\n.B SCHEDBENCH_PEERS\nThe "
         "folder of the foreign runtimes of compare \\-\\-with.\n";
}

ExitCode PrintPage(const Arguments& arguments) {
  if (arguments.words.empty()) {
    Print(ManPageOfTool());
    return ExitCode::kDone;
  }
  const std::string& name = arguments.words.front();
  const Command* const command = FindByName(Commands(), name);
  if (command == nullptr) {
    RefuseInput("unknown command {}{}    schedbench --help", config::Quoted(name),
                config::DidYouMean(name, NamesOf(Commands())));
  }
  Print(ManPageOf(*command));
  return ExitCode::kDone;
}

const CommandRegistration kMan{{
    .place = 260,
    .name = "man",
    .summary = "print the man page of schedbench, or of a command",
    .words = {"[COMMAND]", 0, 1, Names::kCommand},
    .details = R"(make install and the Debian package install these pages: man schedbench-run.
)",
    .examples =
        R"(  schedbench man run > schedbench-run.1
)",
    .run = &PrintPage,
}};

}  // namespace

}  // namespace schedbench::cli
