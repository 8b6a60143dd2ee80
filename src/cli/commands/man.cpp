#include "cli/command.hpp"
#include "cli/flags/names.hpp"
#include "cli/output/output.hpp"
#include "cli/shell/man_page.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

namespace schedbench::cli {

namespace {

ExitCode PrintPage(const Arguments& arguments) {
  if (arguments.words.empty()) {
    Print(ManPageOfTool());
    return ExitCode::kDone;
  }
  const std::string& name = arguments.words.front();
  const Command* const command = FindByName(Commands(), name);
  if (command == nullptr) {
    throw config::InputError(fmt::format("unknown command {}{}    schedbench --help",
                                         config::Quoted(name),
                                         config::DidYouMean(name, NamesOf(Commands()))));
  }
  Print(ManPageOf(*command));
  return ExitCode::kDone;
}

}  // namespace

const Command kManCommand{
    .name = "man",
    .summary = "print the man page of schedbench, or of a command",
    .words = "[COMMAND]",
    .max_words = 1,
    .words_are = Names::kCommand,
    .details = R"(make install and the Debian package install these pages: man schedbench-run.

Examples:
  schedbench man run > schedbench-run.1
)",
    .run = &PrintPage,
};

}  // namespace schedbench::cli
