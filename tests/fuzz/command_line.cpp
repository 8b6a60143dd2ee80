// Command lines: the input's lines are the words behind `schedbench`. They are taken apart and
// become a plan, which is not run. A plan is complete and inside all limits; a refusal says what is
// wrong.

#include "cli/command_line.hpp"

#include "cli/flags/plan_from_flags.hpp"
#include "config/input_error.hpp"
#include "tests/fuzz/oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

using namespace schedbench;

namespace {

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '\n') {
      words.emplace_back();
    } else if (c != '\0') {  // no argument of a process has one
      words.back() += c;
    }
  }
  return words;
}

// Files of this machine are none of the fuzzer's business: in a folder of its own it finds none.
bool NamesNoFile(const cli::Arguments& arguments) {
  return std::ranges::none_of(arguments.Values(cli::kConfigFlag), [](const std::string& name) {
    return name.find('/') != std::string::npos || name.starts_with('.');
  });
}

void CheckValues(const cli::Command& command, const cli::Arguments& arguments) {
  for (const cli::Flag& flag : command.flags) {
    for (const std::string& value : arguments.Values(flag)) {
      fuzz::Check(flag.rule.complaint == nullptr || flag.rule.complaint(flag.rule, value).empty(),
                  "a value, or a default, obeys its rule");
    }
  }
}

void CheckPlan(const harness::RunPlan& plan) {
  fuzz::Check(plan.scheduler != nullptr && plan.workload != nullptr, "a plan is complete");
  fuzz::Check(plan.rounds >= 1 && plan.rounds <= 1000000 && plan.warmup <= 1000000,
              "rounds are inside their limits");
  fuzz::Check(plan.config.Get("workers") != config::Value{std::uint64_t{0}}, "a plan has a worker");
  for (const config::Settings* settings : {&plan.config, &plan.parameters}) {
    fuzz::CheckInsideLimits(*settings);
    fuzz::CheckSurvivesRoundTrip(*settings);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  char folder[] = "/tmp/schedbench-fuzz-XXXXXX";
  if (mkdtemp(folder) == nullptr || chdir(folder) != 0) {
    std::abort();
  }
  rmdir(folder);  // nothing can be made in it, and nothing is left of it
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::vector<std::string> words =
      WordsOf(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const cli::CommandLine line = cli::ParseCommandLine(words);
    if (line.command == nullptr) {
      fuzz::Check(!line.text.empty(), "without a command there is a text");
      return 0;
    }
    fuzz::Check(line.arguments.words.size() >= line.command->words.min &&
                    line.arguments.words.size() <= line.command->words.max,
                "as many words as the command takes");
    CheckValues(*line.command, line.arguments);
    if (line.command->name == "run" && NamesNoFile(line.arguments)) {
      CheckPlan(cli::PlanFromFlags(line.arguments));
    }
  } catch (const config::InputError& error) {
    fuzz::Check(!std::string(error.what()).empty(), "a refusal has a message");
    for (const config::Problem& problem : error.Problems()) {
      fuzz::Check(!problem.message.empty(), "a problem has a message");
    }
  }
  return 0;
}
