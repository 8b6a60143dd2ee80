#include "cli/flags/alternatives.hpp"

#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/peers.hpp"
#include "config/assignment.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "harness/agent/place.hpp"
#include "history/leaves.hpp"
#include "platform/files/input_file.hpp"
#include "registry/scheduler.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace schedbench::cli {

namespace {

// The running program, independent of PATH.
const std::vector<std::string> kOwnAgent{harness::kOwnProgram, "agent"};

struct Word {
  std::optional<std::string> name;
  std::string what;
};

// A name ends at '='. Settings of a scheduler and paths have a ':' or a '/' before it.
Word Split(const std::string& word) {
  const std::size_t end = word.find_first_of("=:/");
  if (end == std::string::npos || word[end] != '=') {
    return {.name = std::nullopt, .what = word};
  }
  return {.name = word.substr(0, end), .what = word.substr(end + 1)};
}

std::optional<ConfiguredScheduler> FromSpec(const std::string& text, config::Problems& problems) {
  if (std::ranges::find(kPeerNames, text) != kPeerNames.end()) {
    Reject(problems, config::Escaped(text),
           "{} is a foreign runtime; compare, sweep, scale and metg measure it    --with {}", text,
           text);
    return std::nullopt;
  }
  const auto spec = config::ParseSpec(text, "", problems);
  const registry::SchedulerEntry* const entry =
      spec ? FindScheduler(spec->name, {spec->where, ""}, problems) : nullptr;
  if (entry == nullptr) {
    return std::nullopt;
  }
  ConfiguredScheduler choice{.entry = entry, .settings = config::Settings(entry->schema())};
  config::ApplySpec(*spec, choice.settings, problems, "field");
  return choice;
}

bool IsFile(const std::string& what) {
  return what == platform::kStdinName || what.ends_with(".json") ||
         what.find('/') != std::string::npos;
}

// Returns whether a text fits a pattern, in which '*' stands for any text.
bool Fits(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return text == pattern;
  }
  if (!text.starts_with(pattern.substr(0, star))) {
    return false;
  }
  for (std::size_t rest = star; rest <= text.size(); ++rest) {
    if (Fits(text.substr(rest), pattern.substr(star + 1))) {
      return true;
    }
  }
  return false;
}

// Replaces "Work*:notify=one" by a word for each scheduler that fits.
std::vector<std::string> WithoutPatterns(const std::vector<std::string>& words,
                                         config::Problems& problems) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    const std::string_view pattern = std::string_view(word).substr(0, word.find(':'));
    if (pattern.find('*') == std::string_view::npos || IsFile(word)) {
      all.push_back(word);
      continue;
    }
    const std::size_t before = all.size();
    for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
      if (Fits(entry->name, pattern)) {
        all.push_back(std::string(entry->name) + word.substr(pattern.size()));
      }
    }
    if (all.size() == before) {
      Reject(problems, config::Escaped(word),
             "no scheduler fits this pattern    schedbench list schedulers");
    }
  }
  return all;
}

// Returns a JSON object with the settings that the user gave.
std::string GivenSettings(const config::Settings& settings) {
  history::Leaves leaves = history::LeavesOf(config::ToJson(settings).dump());
  std::erase_if(leaves, [&settings](const auto& leaf) {
    return settings.OriginOf(leaf.first) == config::Origin{};
  });
  return history::NestedJson(leaves);
}

}  // namespace

std::vector<harness::Alternative> AlternativesOf(const std::vector<std::string>& given_words,
                                                 const std::optional<std::string>& workers,
                                                 config::Problems& problems, ConfigForm form) {
  const std::vector<std::string> words = WithoutPatterns(given_words, problems);
  std::vector<harness::Alternative> alternatives;
  std::set<std::string> given;  // names before '='
  for (const std::string& word : words) {
    const Word parts = Split(word);
    if (parts.name && parts.what.empty()) {
      Reject(problems, config::Escaped(word),
             "nothing follows '='    NAME=WHAT sets the name of WHAT: x=fast");
      continue;
    }
    auto choice =
        IsFile(parts.what) ? ReadScheduler(parts.what, problems) : FromSpec(parts.what, problems);
    if (!choice) {
      continue;
    }
    if (workers && choice->entry->schema().FindLeaf("workers") != nullptr) {
      config::Assign(
          choice->settings, "workers", *workers == "auto" ? "0" : *workers,
          {fmt::format("{}: --workers {}", config::Escaped(word), config::Escaped(*workers)), ""},
          problems);
    }
    if (!problems.empty()) {
      continue;
    }
    Finish(choice->settings, problems);
    const std::string name = parts.name                           ? *parts.name
                             : parts.what == platform::kStdinName ? "stdin"
                                                                  : parts.what;
    if (!CheckName(name, config::Escaped(word), problems)) {
      continue;
    }
    if (FindByName(alternatives, name) != nullptr && (parts.name || given.contains(name))) {
      Reject(problems, config::Escaped(word),
             "the name '{}' is given twice; give each WHAT its own name", name);
      continue;
    }
    if (parts.name) {
      given.insert(name);
    }
    alternatives.push_back({.name = UniqueName(name, alternatives),
                            .command = kOwnAgent,
                            .scheduler = std::string(choice->entry->name),
                            .config = form == ConfigForm::kGiven
                                          ? GivenSettings(choice->settings)
                                          : config::ToJson(choice->settings).dump()});
  }
  return alternatives;
}

harness::ComparedWorkload Compared(const WorkloadChoice& workload, const std::string& name,
                                   ConfigForm form) {
  return {.entry = workload.entry,
          .name = name,
          .parameters = form == ConfigForm::kGiven ? GivenSettings(workload.parameters)
                                                   : config::ToJson(workload.parameters).dump()};
}

void AddWorkload(const std::string& text, const Flag& flag,
                 std::vector<harness::ComparedWorkload>& workloads, config::Problems& problems) {
  const auto workload = ChooseWorkload(text, problems, flag.name);
  if (!workload) {
    return;
  }
  harness::ComparedWorkload one = Compared(*workload, text);
  const auto same = std::ranges::find_if(workloads, [&](const auto& other) {
    return other.entry == one.entry && other.parameters == one.parameters;
  });
  if (same == workloads.end()) {
    workloads.push_back(std::move(one));
  } else {
    Reject(problems, PlaceOf(flag, text), "this is the same workload as {}",
           config::Quoted(same->name));
  }
}

bool CheckName(const std::string& name, const std::string& where, config::Problems& problems) {
  if (name.empty() || !config::IsPrintable(name)) {
    problems.Add(
        where, "",
        name.empty()
            ? "the name before '=' is empty"
            : "the name has control characters or is not UTF-8    NAME=WHAT sets another name");
    return false;
  }
  return true;
}

bool WordSets(const std::string& word, std::string_view field) {
  const std::string what = Split(word).what;
  return !IsFile(what) && SpecSets(what, field);
}

std::vector<std::string> ConfigsOf(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    if (std::string what = Split(word).what; IsFile(what)) {
      files.push_back(std::move(what));
    }
  }
  return files;
}

std::string UniqueName(const std::string& name, const std::vector<harness::Alternative>& others) {
  std::string unique = name;
  for (int number = 2; FindByName(others, unique) != nullptr; ++number) {
    unique = fmt::format("{} ({})", name, number);
  }
  return unique;
}

}  // namespace schedbench::cli
