#include "config/quote.hpp"
#include "report/document/document.hpp"
#include "report/parts/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace schedbench::report {

namespace {

constexpr std::size_t kIndent = 2;

std::string Emphasised(std::string_view text, Emphasis emphasis, const TerminalStyle& style) {
  return emphasis == Emphasis::kStrong ? style.Bold(text)
         : emphasis == Emphasis::kWeak ? style.Dim(text)
                                       : std::string(text);
}

// Puts a remedy next to the text, or on its own line.
std::string SentenceLines(const Sentence& sentence, const TerminalStyle& style) {
  const std::size_t indent = kIndent + sentence.indent;
  const std::size_t width = std::max(style.width, 2 * indent) - indent;
  const std::vector<std::string> lines = config::WrapWords(sentence.text, width);
  std::string text;
  for (const std::string& line : lines) {
    text += fmt::format("{}{}{:{}}{}", text.empty() ? "" : "\n", "", "", indent,
                        Emphasised(line, sentence.emphasis, style));
  }
  if (!sentence.remedy.empty()) {
    const bool fits = lines.size() == 1 && config::CharacterCount(sentence.text) +
                                                   config::CharacterCount(sentence.remedy) + 4 <=
                                               std::min(width, kLineWidth);
    text += fmt::format("{}{}", fits ? "    " : "\n    ", sentence.remedy);
  }
  return text + "\n";
}

std::string SectionLines(const Section& section, const TerminalStyle& style) {
  std::string text = (section.title.empty() ? "" : style.Bold(section.title) + "\n") + section.text;
  for (const Sentence& sentence : section.lead) {
    text += SentenceLines(sentence, style);
  }
  text += TableText(section.table, style, section.most_rows);
  for (const Sentence& sentence : section.details) {
    text += SentenceLines(sentence, style);
  }
  return text;
}

}  // namespace

std::string TerminalText(const Document& document, const TerminalStyle& style) {
  std::string text;
  const auto add = [&text](const std::string& block) {
    text += text.empty() || block.empty() ? block : "\n" + block;
  };
  if (!document.headline.empty()) {
    text = style.Bold(Joined(document.headline, 0, style)) + "\n";
  }
  if (!document.conditions.empty()) {
    text += Joined(document.conditions, 0, style) + "\n";
  }
  text += NoteLines(document.endings, style);
  for (const Section& section : document.sections) {
    if ((section.media & kInTerminal) != 0) {
      add(SectionLines(section, style));
    }
  }
  std::string end = NoteLines(document.notes, style);
  if (document.origin && (document.origin->media & kInTerminal) != 0) {
    end += OriginLines(document.origin->machine, document.origin->command, document.origin->seed,
                       style);
  }
  add(end);
  return text;
}

}  // namespace schedbench::report
