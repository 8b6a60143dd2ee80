// Comments of the product are sentences in plain words.
#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

struct Phrase {
  std::string_view avoid;
  std::string_view write;
};

constexpr std::array kPhrases{
    Phrase{"likewise", "also"},
    Phrase{"so many", "this many"},
    Phrase{"meanwhile", "in the meantime"},
    Phrase{"beside", "next to, alongside"},
    Phrase{"the begin", "the start"},
    Phrase{"its begin", "its start"},
    Phrase{"has none", "does not have one"},
    Phrase{"have none", "do not have one"},
    Phrase{"or else", "otherwise"},
    Phrase{"document 000", "a name of docs/SOURCES.md"},
    Phrase{"document 002", "a name of docs/SOURCES.md"},
    Phrase{"document 003", "a name of docs/SOURCES.md"},
    Phrase{"document 004", "a name of docs/SOURCES.md"},
};

// A comment that begins with one of these has no subject.
constexpr std::array<std::string_view, 5> kFragments{"Of ", "of ", "by ", "that ", "likewise "};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool HasWords(std::string_view text, std::string_view phrase) {
  for (auto at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !IsLetter(text[at - 1])) && (end == text.size() || !IsLetter(text[end]))) {
      return true;
    }
  }
  return false;
}

// "is no NOUN": an obscure way to say "is not a NOUN" or "does not have a NOUN".
bool HasObscureNo(std::string_view comment) {
  const std::size_t at = comment.find(" is no ");
  if (at == std::string_view::npos || comment.substr(at).starts_with(" is no longer")) {
    return false;
  }
  const std::string_view before = comment.substr(0, at);
  return !before.ends_with("there") && !before.ends_with("There");
}

}  // namespace

Findings CheckComments(const SourceFile& file) {
  Findings findings;
  if (!IsProductCode(file.path)) {
    return findings;
  }
  const auto report = [&](std::size_t i, std::string message) {
    findings.push_back({file.path, i + 1, std::move(message)});
  };
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view comment = file.comments[i];
    if (IsBlank(comment)) {
      continue;
    }
    const bool begins = i == 0 || IsBlank(file.comments[i - 1]) || !IsBlank(file.code[i]);
    for (const std::string_view fragment : kFragments) {
      if (begins && TrimLeft(comment).starts_with(fragment)) {
        report(i, fmt::format("a comment without a subject: \"{}...\"", fragment));
      }
    }
    for (const Phrase& phrase : kPhrases) {
      if (HasWords(comment, phrase.avoid)) {
        report(i, fmt::format("\"{}\": write {}", phrase.avoid, phrase.write));
      }
    }
    if (HasObscureNo(comment)) {
      report(i, "\"is no ...\": write \"is not a ...\" or \"does not have a ...\"");
    }
  }
  return findings;
}

}  // namespace schedbench::lint
