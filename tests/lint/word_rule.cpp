// Words that the style of DESIGN does not have: personification, archaic constructions and names of
// the past. They count in identifiers and in names of files too.
#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

struct Word {
  std::string_view avoid;
  std::string_view write;
};

// Everywhere.
constexpr std::array kWords{
    Word{"who", "the thread, the worker, the caller"},
    Word{"whom", "the thread, the worker, the caller"},
    Word{"whoever", "the thread, the worker, the caller"},
    Word{"he", "it, or the thread, the worker, the caller"},
    Word{"him", "it"},
    Word{"his", "its"},
    Word{"she", "it"},
    Word{"somebody", "a thread, a worker, a caller"},
    Word{"anybody", "any thread, any worker"},
    Word{"nobody", "no thread, no worker"},
    Word{"everybody", "all"},
    Word{"told", "given, reported, notified"},
    Word{"mend", "fix"},
    Word{"mends", "fixes"},
    Word{"mended", "fixed"},
    Word{"gives way", "yields"},
    Word{"give way", "yield"},
    Word{"gave way", "yielded"},
    Word{"spoiled", "noisy"},
    Word{"spoils", "disturbs"},
    Word{"hence", "so, therefore"},
    Word{"tell", "report, show, say, distinguish"},
    Word{"tells", "reports, shows, says, distinguishes"},
    Word{"telling", "reporting, showing, saying, distinguishing"},
    Word{"for ever", "forever"},
    Word{"go on", "continue"},
    Word{"goes on", "continues"},
    Word{"went on", "continued"},
    Word{"gone on", "continued"},
};

// In what the tool prints (golden files), where no code and no comment needs them.
constexpr std::array kPrintedWords{
    Word{"and yet", "but"},
    Word{"in vain", "without success"},
    Word{"for want of", "without"},
    Word{"contrary", "opposite"},
    Word{"knows", "has, documents, tracks"},
    Word{"says", "reports, shows"},
    Word{"again and again", "repeatedly"},
    Word{"now and then", "sometimes"},
    Word{"whatever", "any"},
    Word{"needs more words", "needs at least N arguments"},
    Word{"excludes all", "cannot be combined with"},
    Word{"the same ,", "the whole description: it is also shown alone"},
};

bool IsLower(char c) {
  return c >= 'a' && c <= 'z';
}

bool IsUpper(char c) {
  return c >= 'A' && c <= 'Z';
}

// The words of a text in lower case with a space before and after each, also those that form an
// identifier: "kGoOn, END_IDs" becomes " k go on , end i ds ". All other characters remain, so that
// phrases end there.
std::string SplitWords(std::string_view text) {
  std::string words = " ";
  const auto separate = [&words] {
    if (words.back() != ' ') {
      words += ' ';
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i > 0 ? text[i - 1] : ' ';
    const bool begins_part =
        IsUpper(c) && (IsLower(before) || (i + 1 < text.size() && IsLower(text[i + 1])));
    const bool is_letter = IsLower(c) || IsUpper(c);
    if (!is_letter || begins_part) {
      separate();
    }
    if (c != '_' && c != ' ' && c != '\t') {
      words += IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (!is_letter) {
      separate();
    }
  }
  separate();
  return words;
}

bool HasPhrase(std::string_view words, std::string_view phrase) {
  for (auto at = words.find(phrase); at != std::string_view::npos;
       at = words.find(phrase, at + 1)) {
    if (words[at - 1] == ' ' && words[at + phrase.size()] == ' ') {
      return true;
    }
  }
  return false;
}

void Check(std::string_view text, std::size_t line, std::string_view path, Findings& findings) {
  const std::string words = SplitWords(text);
  const auto check = [&](std::span<const Word> avoided) {
    for (const Word& word : avoided) {
      if (HasPhrase(words, word.avoid)) {
        findings.push_back(
            {std::string(path), line, fmt::format("\"{}\": write {}", word.avoid, word.write)});
      }
    }
  };
  check(kWords);
  if (path.ends_with(".golden")) {
    check(kPrintedWords);
  }
}

bool IsOtherText(std::string_view path) {
  return path.starts_with("tests/lint/") || path.starts_with("tests/fuzz/corpus/") ||
         path.ends_with("package-lock.json") || path.ends_with(".lock") || path.ends_with("go.sum");
}

}  // namespace

Findings CheckWords(const SourceFile& file) {
  Findings findings;
  if (IsOtherText(file.path)) {
    return findings;
  }
  Check(file.path, 1, file.path, findings);
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    Check(file.lines[i], i + 1, file.path, findings);
  }
  return findings;
}

}  // namespace schedbench::lint
