#include "cli/command.hpp"
#include "cli/flags/names.hpp"
#include "cli/output/output.hpp"
#include "cli/shell/candidates.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

namespace {

// Each script asks the program itself (candidates): the program of a user has schedulers and workloads of its own.
//
// bash splits words at '=' and ':', and replaces only what follows the last of them. For this reason the line is split here, and the
// script removes that part from the candidates.
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

std::string Candidates(const Arguments& arguments) {
  const Completion completion = CompletionOf({arguments.words.begin() + 1, arguments.words.end()});
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    text += fmt::format("{}\t{}\n", candidate.text, candidate.doc);
  }
  switch (completion.paths) {
    case PathKind::kNone:
      break;
    case PathKind::kFile:
      text += ":file\t\n";
      break;
    case PathKind::kFolder:
      text += ":folder\t\n";
      break;
  }
  return text;
}

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
    throw config::InputError(fmt::format("completion {}: unexpected argument {}    {}",
                                         words.front(), config::Quoted(words[1]),
                                         UsageOf(kCompletionCommand)));
  }
  Print(FindByName(kAnswers, arguments.words.front())->text(arguments));
  return ExitCode::kDone;
}

}  // namespace

const Command kCompletionCommand{
    .name = "completion",
    .summary = "print the script with which bash, zsh or fish completes command lines",
    .words = "bash|zsh|fish|candidates [-- WORD...]",
    .min_words = 1,
    .max_words = 100'000,
    .first_word = OneOf(kAnswerNames),
    .details =
        R"(make install and the Debian package install these scripts. They complete commands, flags and values,
with the names of schedulers, workloads, their fields, configs and metrics.

The scripts run candidates: it prints each completion of the last WORD of a command line, a tab, and
a description. ":file" and ":folder" mean that paths are completed too.

Examples:
  schedbench completion bash > ~/.local/share/bash-completion/completions/schedbench
  schedbench completion candidates -- run --workload ping
)",
    .run = &Complete,
};

}  // namespace schedbench::cli
