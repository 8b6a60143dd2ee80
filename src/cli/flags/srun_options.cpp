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
  std::string_view name;  // "--exclude", "-x"
  std::string_view reason;
};

constexpr std::string_view kOwnNodes = "each agent runs on a node of its own    --nodelist";
constexpr std::string_view kOwnTasks = "an agent is one task on one node";
constexpr std::string_view kChangesOutput = "the output of srun is read by this program";

// What contradicts the options that each agent gets.
constexpr std::array kRefusedOptions{
    RefusedOption{"--nodefile", kOwnNodes},
    RefusedOption{"-F", kOwnNodes},
    RefusedOption{"--relative", kOwnNodes},
    RefusedOption{"-r", kOwnNodes},
    RefusedOption{"--exclude", kOwnNodes},
    RefusedOption{"-x", kOwnNodes},
    RefusedOption{"--nodes", kOwnTasks},
    RefusedOption{"-N", kOwnTasks},
    RefusedOption{"--ntasks", kOwnTasks},
    RefusedOption{"-n", kOwnTasks},
    RefusedOption{"--ntasks-per-node", kOwnTasks},
    RefusedOption{"--multi-prog", kOwnTasks},
    RefusedOption{"--exclusive",
                  "agents that are compared run at the same time    "
                  "salloc --exclusive"},
    RefusedOption{"--label", kChangesOutput},
    RefusedOption{"-l", kChangesOutput},
    RefusedOption{"--verbose", kChangesOutput},
    RefusedOption{"-v", kChangesOutput},
    RefusedOption{"--pty", kChangesOutput},
    RefusedOption{"--input", kChangesOutput},
    RefusedOption{"-i", kChangesOutput},
    RefusedOption{"--output", kChangesOutput},
    RefusedOption{"-o", kChangesOutput},
    RefusedOption{"--error", kChangesOutput},
    RefusedOption{"-e", kChangesOutput}};

constexpr std::string_view kNodeList = "--nodelist";
constexpr std::string_view kWholeName = "write the whole name    --nodelist";

// The short options of srun that take no value, so that others may follow in the same word (srun(1), Slurm 22.05).
constexpr std::string_view kWithoutValue = "EHOQXZhjklsuvV";
// The long ones, and those whose value is optional and follows "=".
constexpr std::array<std::string_view, 24> kLongWithoutValue{
    "--contiguous", "--disable-status", "--exact",        "--help",
    "--hold",       "--immediate",      "--interactive",  "--kill-on-bad-exit",
    "--nice",       "--no-allocate",    "--no-kill",      "--overcommit",
    "--overlap",    "--oversubscribe",  "--preserve-env", "--propagate",
    "--quiet",      "--reboot",         "--resv-ports",   "--send-libs",
    "--spread-job", "--test-only",      "--unbuffered",   "--use-min-nodes"};

// Whether the value of the long option is the next word.
bool TakesNextWord(std::string_view option) {
  return option.find('=') == std::string_view::npos &&
         std::ranges::none_of(kLongWithoutValue, [option](std::string_view name) {
           return name.starts_with(option);
         });
}

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

struct ShortOptions {
  std::string_view reason = "";  // why one of them cannot be used; "": they can
  char last = '\0';              // takes a value
  std::string_view value = "";   // of `last`; "": it is the next word
};

ShortOptions ParseShort(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string name{'-', word[i]};
    if (const auto* const refused = std::ranges::find(kRefusedOptions, name, &RefusedOption::name);
        refused != kRefusedOptions.end()) {
      return {.reason = refused->reason};
    }
    if (kWithoutValue.find(word[i]) == std::string_view::npos) {
      return {.last = word[i], .value = word.substr(i + 1)};
    }
  }
  return {};
}

}  // namespace

std::string CheckSrunOptions(const std::vector<std::string>& words, const std::string& where,
                             config::Problems& problems) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    const bool has_next = i + 1 < words.size();
    std::string_view reason;
    if (word.starts_with("--") && word.size() > 2) {
      const std::string name = word.substr(0, word.find('='));
      std::string value = word.substr(std::min(name.size() + 1, word.size()));
      reason = ReasonAgainstLong(name);
      if (has_next && TakesNextWord(word)) {
        value = words[++i];
      }
      list = name == kNodeList ? value : list;
    } else if (word.starts_with('-') && word.size() > 1 && word != "--") {
      const ShortOptions options = ParseShort(word);
      reason = options.reason;
      std::string value(options.value);
      // The values of -I and -K are optional, and never the next word.
      if (options.last != '\0' && options.last != 'I' && options.last != 'K' && value.empty() &&
          has_next) {
        value = words[++i];
      }
      list = options.last == 'w' ? value : list;
    } else {
      reason = "srun would run it as the program";
    }
    if (!reason.empty()) {
      problems.Add(where, "", fmt::format("{} cannot be used: {}", config::Quoted(word), reason));
    }
  }
  return list;
}

}  // namespace schedbench::cli
