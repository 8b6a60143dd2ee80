#include "cli/command.hpp"
#include "cli/flags/catalogue.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "config/schema.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace schedbench::cli {

namespace {

// The shell itself completes these.
constexpr std::string_view kFiles = ":file";
constexpr std::string_view kFolders = ":folder";

std::string Text(std::string_view text) {
  return std::string(text);
}

// Completes one word; candidates that do not begin with it are dropped.
class Completer {
 public:
  explicit Completer(std::string word)
      : word_(std::move(word)) {
  }

  // `text`: the whole word; ends with '=', ':' or ',' where more follows. `doc`: one line, or "".
  void Add(const std::string& text, std::string_view doc = "") {
    if (text.starts_with(word_)) {
      lines_ += fmt::format("{}\t{}\n", text, doc);
    }
  }

  template <typename Entries>
  void AddEntries(const std::string& before, const Entries& entries) {
    for (const auto& entry : entries) {
      Add(before + Text(EntryOf(entry).name), EntryOf(entry).doc);
    }
  }

  void AddFields(const std::string& before, const config::Schema& schema) {
    for (const config::Leaf& leaf : schema.Leaves()) {
      const std::string field = before + leaf.path + "=";
      if (!word_.starts_with(field)) {
        Add(field, leaf.field->doc);
        continue;
      }
      for (const std::string_view choice : leaf.field->choices) {
        Add(field + Text(choice));
      }
    }
  }

  // Adds "NAME:KEY=VALUE,KEY=...": the fields of the entry that the word names. NAME follows
  // `before`.
  template <typename Entries>
  void AddSettings(const std::string& before, const Entries& entries) {
    if (const auto* const entry = FindByName(entries, NameIn(before))) {
      AddFields(word_.substr(0, word_.find_last_of(":,") + 1), entry->schema());
    }
  }

  // Adds "NAME:preset=": the presets of the workload that the word names.
  void AddPresets(const std::string& before) {
    const auto* const entry = registry::FindWorkload(NameIn(before));
    if (entry == nullptr || entry->presets.empty()) {
      return;
    }
    const std::string key =
        word_.substr(0, word_.find_last_of(":,") + 1) + Text(registry::kPresetKey) + "=";
    if (!word_.starts_with(key)) {
      Add(key, "Parameters by one name; others override them");
    }
    for (const registry::Preset& preset : entry->presets) {
      if (word_.starts_with(key)) {
        Add(key + Text(preset.name), preset.parameters);
      }
    }
  }

  // Adds parts of a list, or a single one where `separator` is 0.
  void AddParts(const std::string& before, std::span<const std::string_view> parts,
                char separator) {
    const std::size_t last = separator == '\0' ? std::string::npos : word_.rfind(separator);
    const std::string fixed =
        last == std::string::npos || last < before.size() ? before : word_.substr(0, last + 1);
    for (const std::string_view part : parts) {
      Add(fixed + Text(part));
    }
  }

  // Adds paths. Call it after Add(): paths are the last candidates.
  void AddPaths(std::string_view kind) {
    lines_ += fmt::format("{}\t\n", kind);
  }

  const std::string& Word() const {
    return word_;
  }

  // Returns a line for each candidate: the word, a tab and its description.
  const std::string& Lines() const {
    return lines_;
  }

 private:
  // Returns "NAME" of a word "NAME:KEY=VALUE,..." after `before`; "" without a colon.
  std::string NameIn(const std::string& before) const {
    const std::size_t colon = word_.find(':', before.size());
    return colon == word_.npos ? "" : word_.substr(before.size(), colon - before.size());
  }

  const std::string word_;
  std::string lines_;
};

// Adds all things of a kind.
void AddKind(Completer& completer, std::string_view kind, const std::string& before) {
  if (const NamedKind* const named = FindByName(NamedKinds(), kind)) {
    completer.AddEntries(before, named->things());
  }
}

void AddRoundMetrics(Completer& completer, const std::string& before) {
  std::vector<NamedThing> metrics = FindByName(NamedKinds(), "metric")->things();
  std::erase_if(metrics, [](const NamedThing& metric) { return metric.one_per != "round"; });
  completer.AddEntries(before, metrics);
}

// Returns the last value of a flag among the words.
std::optional<std::string> ValueAmong(std::span<const std::string> words, const Flag& flag) {
  std::optional<std::string> value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with(Text(flag.name) + "=")) {
      value = words[i].substr(flag.name.size() + 1);
    } else if ((words[i] == flag.name || words[i] == flag.short_name) && i + 1 < words.size()) {
      value = words[i + 1];
    }
  }
  return value;
}

// Returns the scheduler that the words choose.
const registry::SchedulerEntry* SchedulerAmong(std::span<const std::string> words) {
  if (const auto name = ValueAmong(words, kSchedulerFlag)) {
    return registry::FindScheduler(*name);
  }
  if (const auto file = ValueAmong(words, kConfigFlag)) {
    config::Problems problems;
    const auto scheduler = ReadScheduler(*file, problems);
    return scheduler ? scheduler->entry : nullptr;
  }
  return registry::FindScheduler("fast");
}

// Returns whether a word names a workload, with parameters or without.
bool HasWorkload(std::span<const std::string> words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return registry::FindWorkload(word.substr(0, word.find(':'))) != nullptr;
  });
}

// `before`: the part of the word before the name: "--workload=" or "".
void AddNames(Completer& completer, Names names, const std::string& before,
              std::span<const std::string> words) {
  switch (names) {
    case Names::kNone:
      return;
    case Names::kScheduler:
      return AddKind(completer, "scheduler", before);
    case Names::kConfig:
      AddKind(completer, "config", before);
      return completer.AddPaths(kFiles);
    case Names::kField:
      if (const auto* const scheduler = SchedulerAmong(words)) {
        completer.AddFields(before, scheduler->schema());
      }
      return;
    case Names::kSweepKey:
      AddNames(completer, Names::kField, before, words);
      return completer.Add(before + "scheduler=", "several schedulers");
    case Names::kTunedField:
      AddNames(completer, Names::kField, before, words);
      return completer.Add(before + "all", "every field");
    case Names::kWorkloadOrSuite:
      AddKind(completer, "suite", before + "suite:");
      [[fallthrough]];
    case Names::kWorkload:
      completer.AddEntries(before, registry::Workloads());
      completer.AddPresets(before);
      return completer.AddSettings(before, registry::Workloads());
    case Names::kAlternative:
      AddKind(completer, "scheduler", before);
      completer.AddSettings(before, registry::Schedulers());
      AddKind(completer, "config", before);
      return completer.AddPaths(kFiles);
    case Names::kAudited:
      return AddNames(completer, HasWorkload(words) ? Names::kAlternative : Names::kWorkload,
                      before, words);
    case Names::kMetric:
      return AddRoundMetrics(completer, before);
    case Names::kPeer:
      return completer.AddParts(before, kPeerNames, ',');
    case Names::kCommand:
      for (const Command* const command : Commands()) {
        completer.Add(before + Text(command->name), command->summary);
      }
      return;
    case Names::kDescribed:
      return AddKind(completer, words.empty() ? "" : words.back(), before);
    case Names::kFile:
      return completer.AddPaths(kFiles);
  }
}

void AddValue(Completer& completer, const Flag& flag, const std::string& before,
              std::span<const std::string> words) {
  if (flag.rule.complaint != nullptr) {  // otherwise the choices are only the ends of values
    completer.AddParts(before, flag.rule.choices, flag.rule.separator);
  }
  AddNames(completer, flag.names, before, words);
  if (flag.names == Names::kNone && flag.value == "FILE") {
    completer.AddPaths(kFiles);
  } else if (flag.value == "FOLDER" || flag.value == "DIR") {
    completer.AddPaths(kFolders);
  }
}

void AddFlags(Completer& completer, const Command& command) {
  for (const Flag& flag : command.flags) {
    completer.Add(Text(flag.name), flag.doc);
    if (!flag.short_name.empty() && completer.Word().size() == 2) {
      completer.Add(Text(flag.short_name), flag.doc);
    }
  }
  completer.Add("--help", "Print the help of the command");
}

// Returns whether each word is a flag or its value.
bool AreOfFlags(const Command& command, std::span<const std::string> words) {
  bool is_value = false;
  return std::ranges::all_of(words, [&](const std::string& word) {
    const Flag* const flag = is_value ? nullptr : FindFlag(command, word);
    const bool is_of_flag = is_value || word.starts_with('-');
    is_value = flag != nullptr && !flag->value.empty();
    return is_of_flag;
  });
}

void CompleteIn(Completer& completer, const Command& command, std::span<const std::string> words) {
  const std::string& word = completer.Word();
  const Flag* const last = words.empty() ? nullptr : FindFlag(command, words.back());
  if (last != nullptr && !last->value.empty()) {
    return AddValue(completer, *last, "", words);
  }
  if (word.starts_with('-')) {
    const std::size_t equal = word.find('=');
    const Flag* const flag =
        equal == std::string::npos ? nullptr : FindFlag(command, word.substr(0, equal));
    return flag != nullptr ? AddValue(completer, *flag, word.substr(0, equal + 1), words)
                           : AddFlags(completer, command);
  }
  if (command.words.first.complaint != nullptr && AreOfFlags(command, words)) {
    for (const std::string_view choice : command.words.first.choices) {
      completer.Add(Text(choice));
    }
    return;
  }
  // In "name=fast" the user's name precedes the '='. A setting has a ':' before it.
  const std::size_t equal = word.find('=');
  const bool is_named = command.words.are == Names::kAlternative && equal < word.find(':');
  AddNames(completer, command.words.are, is_named ? word.substr(0, equal + 1) : "", words);
}

// Returns the candidates for the last word, which may be empty. The words after the first are those
// of a command line, without the name of the program.
std::string Candidates(const Arguments& arguments) {
  const auto words = std::span(arguments.words).subspan(1);
  Completer completer(words.empty() ? "" : words.back());
  if (words.size() < 2) {
    AddNames(completer, Names::kCommand, "", {});
    completer.Add("--help", "Print the help");
    completer.Add("--version", "Print what this program was built from");
  } else if (words.front() == "help") {
    AddNames(completer, Names::kCommand, "", {});
  } else if (const Command* const command = FindByName(Commands(), words.front())) {
    CompleteIn(completer, *command, words.subspan(1, words.size() - 2));
  }
  return completer.Lines();
}

// Each script asks the program itself (candidates), because a user's program has its own schedulers
// and workloads.
//
// bash splits words at '=' and ':', and replaces only the text after the last of them. So the line
// is split here, and the script removes that part from the candidates.
constexpr std::string_view kBash =
    R"script(# bash completion of schedbench. A program of yours that links schedbench::main: complete -F _schedbench NAME
_schedbench() {
  local line=${COMP_LINE:0:COMP_POINT} words word cut text doc
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  cut=${word%"${word##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r text doc; do
    case $text in
      :file) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${word#"$cut"}"); compopt -o filenames ;;
      :folder) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${word#"$cut"}"); compopt -o filenames ;;
      *) COMPREPLY+=("${text#"$cut"}") ;;
    esac
  done < <("${1/#\~/$HOME}" completion candidates -- "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *[=:] ]]; then compopt -o nospace; fi
} 2>/dev/null
complete -F _schedbench schedbench
)script";

constexpr std::string_view kZsh =
    R"script(#compdef schedbench
# zsh completion of schedbench. A program of yours that links schedbench::main: compdef _schedbench NAME
_schedbench() {
  local line text doc
  local -a texts docs open_texts open_docs
  for line in ${(f)"$(${(Q)words[1]/#\~/$HOME} completion candidates -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
    text=${line%%$'\t'*}
    doc=$text
    [[ $line == *$'\t'?* ]] && doc+="  -- ${line#*$'\t'}"
    case $text in
      (:file) _files ;;
      (:folder) _files -/ ;;
      (*=|*:) open_texts+=("$text"); open_docs+=("$doc") ;;
      (*) texts+=("$text"); docs+=("$doc") ;;
    esac
  done
  (( $#texts )) && compadd -l -d docs -a texts
  (( $#open_texts )) && compadd -l -S '' -d open_docs -a open_texts
  return 0
}
if [[ $funcstack[1] == _schedbench ]]; then _schedbench "$@"; else compdef _schedbench schedbench; fi
)script";

constexpr std::string_view kFish =
    R"script(# fish completion of schedbench. A program of yours that links schedbench::main: complete -c NAME -w schedbench
function __schedbench_candidates
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in ($words[1] completion candidates -- $words[2..-1] "$word" 2>/dev/null)
    switch $line
      case ':file*'
        __fish_complete_path $word
      case ':folder*'
        __fish_complete_directories $word
      case '*'
        echo $line
    end
  end
end
complete -c schedbench -f -a '(__schedbench_candidates)'
)script";

struct Answer {
  std::string_view name;
  std::string (*text)(const Arguments& arguments);
};

template <const std::string_view& Source>
std::string Script(const Arguments& /*arguments*/) {
  return std::string(Source);
}

constexpr std::array kAnswers{Answer{"bash", &Script<kBash>}, Answer{"zsh", &Script<kZsh>},
                              Answer{"fish", &Script<kFish>}, Answer{"candidates", &Candidates}};

constexpr auto kAnswerNames = NamesOf(kAnswers);

ExitCode Complete(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  if (words.size() > 1 && words.front() != "candidates") {
    RefuseInput("completion {}: unexpected argument {}    {}", words.front(),
                config::Quoted(words[1]), arguments.usage);
  }
  Print(FindByName(kAnswers, arguments.words.front())->text(arguments));
  return ExitCode::kDone;
}

const CommandRegistration kCompletion{{
    .place = 250,
    .name = "completion",
    .summary = "print the script with which bash, zsh or fish completes command lines",
    .words = {"[-- WORD...]", 1, 100'000, Names::kNone, nullptr, OneOf(kAnswerNames)},
    .details =
        R"(make install and the Debian package install these scripts. They complete commands, flags and values,
with the names of schedulers, workloads, their fields, configs and metrics.

The scripts run candidates: it prints each completion of the last WORD of a command line, a tab, and
a description. ":file" and ":folder" mean that paths are completed too.
)",
    .examples =
        R"(  schedbench completion bash > ~/.local/share/bash-completion/completions/schedbench
  schedbench completion candidates -- run --workload ping
)",
    .run = &Complete,
}};

}  // namespace

}  // namespace schedbench::cli
