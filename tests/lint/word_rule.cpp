// Words that the style of DESIGN does not have: personification, archaic constructions and names of the past.
#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

struct Word {
  std::string_view avoid;
  std::string_view write;
};

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
};

bool IsPartOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsPhraseAt(std::string_view text, std::string_view phrase, std::size_t at) {
  if ((at > 0 && IsPartOfWord(text[at - 1])) ||
      (at + phrase.size() < text.size() && IsPartOfWord(text[at + phrase.size()]))) {
    return false;
  }
  return std::ranges::equal(text.substr(at, phrase.size()), phrase, [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

bool HasPhrase(std::string_view text, std::string_view phrase) {
  for (std::size_t at = 0; at + phrase.size() <= text.size(); ++at) {
    if (IsPhraseAt(text, phrase, at)) {
      return true;
    }
  }
  return false;
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
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const Word& word : kWords) {
      if (HasPhrase(file.lines[i], word.avoid)) {
        findings.push_back(
            {file.path, i + 1, fmt::format("\"{}\": write {}", word.avoid, word.write)});
      }
    }
  }
  return findings;
}

}  // namespace schedbench::lint
