#include "cli/command.hpp"
#include "cli/flags/config_file.hpp"
#include "platform/files/input_file.hpp"

namespace schedbench::cli {

namespace {

struct Count {
  std::size_t problems = 0;
  bool is_least = false;  // there may be more
};

// Prints "ok" or the problems, and adds their number to `count`.
void Validate(const std::string& name, Count& count) {
  config::Problems problems;
  auto scheduler = ReadScheduler(name, problems);
  if (problems.empty()) {
    Finish(scheduler->settings, problems);
  }
  try {
    problems.ThrowIfAny();
  } catch (const config::InputError& error) {
    Print(fmt::format("{}\n", error.what()));
    count.problems += error.Problems().size();
    count.is_least = count.is_least || error.MayBeCut();
    return;
  }
  Print(fmt::format("{}: ok\n",
                    name == platform::kStdinName ? "stdin" : config::Escaped(name, 4096)));
}

ExitCode ValidateAll(const Arguments& arguments) {
  Count count;
  for (const std::string& name : arguments.words) {
    Validate(name, count);
  }
  if (count.problems == 0) {
    return ExitCode::kDone;
  }
  Say(fmt::format("{}{} problem{}    schedbench describe scheduler NAME lists the fields\n",
                  count.is_least ? "at least " : "", count.problems,
                  count.problems == 1 ? "" : "s"));
  return ExitCode::kInput;
}

const CommandRegistration kValidate{{
    .place = 210,
    .name = "validate",
    .summary = "check config files, and list all problems",
    .words = {"FILE...", 1, 100'000, Names::kConfig, &AllWords},
    .details =
        R"(FILE is a file, - for stdin, or a name of schedbench list configs. The exit code is 2 if one of them
has a problem.
)",
    .examples =
        R"(  schedbench validate fast.json global_fifo.json
)",
    .run = &ValidateAll,
}};

}  // namespace

}  // namespace schedbench::cli
