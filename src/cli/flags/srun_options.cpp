#include "cli/flags/srun_options.hpp"

#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace schedbench::cli {

namespace {

struct RefusedOption {
  std::string_view name;    // "--exclude"
  std::string_view letter;  // "x"; "": it has no short form
  std::string_view reason;
};

constexpr std::string_view kOwnNodes = "each agent runs on a node of its own    --nodelist";
constexpr std::string_view kOwnTasks = "an agent is one task on one node";
constexpr std::string_view kChangesOutput = "the output of srun is read by this program";

// What contradicts the options that each agent gets.
constexpr std::array kRefusedOptions{
    RefusedOption{"--nodefile", "F", kOwnNodes},
    RefusedOption{"--relative", "r", kOwnNodes},
    RefusedOption{"--exclude", "x", kOwnNodes},
    RefusedOption{"--nodes", "N", kOwnTasks},
    RefusedOption{"--ntasks", "n", kOwnTasks},
    RefusedOption{"--ntasks-per-node", "", kOwnTasks},
    RefusedOption{"--multi-prog", "", kOwnTasks},
    RefusedOption{"--exclusive", "",
                  "agents that are compared run at the same time    salloc --exclusive"},
    RefusedOption{"--label", "l", kChangesOutput},
    RefusedOption{"--verbose", "v", kChangesOutput},
    RefusedOption{"--pty", "", kChangesOutput},
    RefusedOption{"--input", "i", kChangesOutput},
    RefusedOption{"--output", "o", kChangesOutput},
    RefusedOption{"--error", "e", kChangesOutput}};

constexpr std::string_view kNodeList = "--nodelist";
constexpr std::string_view kWholeName = "write the whole name    --nodelist";

// Options whose value may be the next word (srun(1), Slurm 22.05). The value of any other one
// follows in the same word.
constexpr std::array<std::string_view, 15> kTakeNextWord{
    "--account", "--chdir",     "--constraint", "--cpu-bind",    "--cpus-per-task",
    "--gpus",    "--gres",      "--hint",       "--job-name",    "--mem",
    kNodeList,   "--partition", "--qos",        "--reservation", "--time"};
constexpr std::string_view kLettersWithValue = "ABCDGJLMSTWbcdmpqtw";

// Why a long option cannot be used; "" if it can. srun accepts the first letters of a name.
std::string_view ReasonAgainstLong(std::string_view name) {
  if (name == kNodeList) {
    return "";
  }
  for (const RefusedOption& refused : kRefusedOptions) {
    if (refused.name.starts_with(name)) {
      return refused.name == name || !kNodeList.starts_with(name) ? refused.reason : kWholeName;
    }
  }
  return kNodeList.starts_with(name) ? kWholeName : "";
}

// Why a word such as "-c2" cannot be used; "" if it can.
std::string_view ReasonAgainstShort(std::string_view word) {
  const std::string_view letter = word.substr(1, 1);
  const auto* const refused = std::ranges::find(kRefusedOptions, letter, &RefusedOption::letter);
  if (refused != kRefusedOptions.end()) {
    return refused->reason;
  }
  // The value of -I and of -K is optional.
  const bool may_have_value = kLettersWithValue.find(letter) != std::string_view::npos ||
                              ((letter == "I" || letter == "K") &&
                               word.find_first_not_of("0123456789", 2) == std::string_view::npos);
  return word.size() == 2 || may_have_value ? "" : "write one short option in each word";
}

}  // namespace

std::string CheckSrunOptions(const std::vector<std::string>& words, const std::string& where,
                             config::Problems& problems) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_long = word.starts_with("--") && word.size() > 2;
    const bool is_short = !word.starts_with("--") && word.starts_with('-') && word.size() > 1;
    const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    std::string value = word.substr(std::min(name.size() + (is_long ? 1 : 0), word.size()));
    const std::string_view reason =
        is_long    ? ReasonAgainstLong(name)
        : is_short ? ReasonAgainstShort(word)
                   : "srun would run it as the program; if it is a value    --NAME=VALUE";
    if (!reason.empty()) {
      problems.Add(where, "", fmt::format("{} cannot be used: {}", config::Quoted(word), reason));
      continue;
    }
    const bool takes_next =
        is_long ? std::ranges::find(kTakeNextWord, word) != kTakeNextWord.end()
                : word.size() == 2 && kLettersWithValue.find(word[1]) != std::string_view::npos;
    if (takes_next && i + 1 < words.size()) {
      value = words[++i];
    }
    list = name == kNodeList || name == "-w" ? value : list;
  }
  return list;
}

}  // namespace schedbench::cli
