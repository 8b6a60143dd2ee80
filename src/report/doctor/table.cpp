#include "config/quote.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace schedbench::report {

namespace {

using harness::Finding;
using harness::Severity;

constexpr std::size_t kWordWidth = 6;

// Breaks lines between words.
std::string WrappedLines(std::string_view text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t width = config::CharacterCount(word);
    if (column > indent && column + 1 + width > kLineWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += " ";
      ++column;
    }
    lines += word;
    column += width;
  }
  return lines;
}

std::string FindingLine(const Finding& finding, std::size_t topic_width,
                        const TerminalStyle& style) {
  const std::string word =
      Padded(harness::ToText(finding.severity), kWordWidth, TextTable::Align::kLeft);
  const std::size_t indent = 2 + kWordWidth + topic_width + 2;
  std::string text = fmt::format(
      "  {}{}  {}\n", finding.severity == Severity::kOk ? style.Dim(word) : style.Bold(word),
      Padded(finding.topic, topic_width, TextTable::Align::kLeft),
      WrappedLines(finding.text, indent));
  if (!finding.remedy.empty()) {
    // In one line, for copying.
    text += fmt::format("{}{}\n", std::string(indent + 2, ' '), finding.remedy);
  }
  return text;
}

std::string DoctorVerdict(const DoctorResult& result, const TerminalStyle& style) {
  std::string topics;
  for (const Finding& finding : result.findings) {
    if (finding.too_noisy) {
      topics += (topics.empty() ? "" : ", ") + finding.topic;
    }
  }
  const std::string text = topics.empty() ? "good enough for comparisons"
                                          : fmt::format("too noisy for comparisons: {}", topics);
  return fmt::format("\n  {}\n", style.Bold(result.complete ? text : text + " (interrupted)"));
}

}  // namespace

std::string RenderDoctorTable(const DoctorResult& result, const TerminalStyle& style) {
  std::size_t width = 0;
  for (const Finding& finding : result.findings) {
    width = std::max(width, config::CharacterCount(finding.topic));
  }
  std::string text;
  for (const Finding& finding : result.findings) {
    text += FindingLine(finding, width, style);
  }
  return text + DoctorVerdict(result, style);
}

}  // namespace schedbench::report
