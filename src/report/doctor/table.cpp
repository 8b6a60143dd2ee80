#include "config/quote.hpp"
#include "config/wrap.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::Finding;
using harness::Severity;

constexpr std::size_t kWordWidth = 6;

std::string FindingLine(const Finding& finding, std::size_t topic_width,
                        const TerminalStyle& style) {
  const std::string word = Padded(harness::ToText(finding.severity), kWordWidth);
  const std::size_t indent = 2 + kWordWidth + topic_width + 2;
  std::string text = fmt::format(
      "  {}{}  {}\n", finding.severity == Severity::kOk ? style.Dim(word) : style.Bold(word),
      Padded(finding.topic, topic_width),
      fmt::join(config::WrapWords(finding.text, kLineWidth - indent),
                "\n" + std::string(indent, ' ')));
  if (!finding.remedy.empty()) {
    // In one line, for copying.
    text += fmt::format("{}{}\n", std::string(indent + 2, ' '), finding.remedy);
  }
  return text;
}

std::string DoctorVerdict(const DoctorResult& result, const TerminalStyle& style) {
  std::vector<std::string> topics;
  for (const Finding& finding : result.findings) {
    if (finding.too_noisy) {
      topics.push_back(finding.topic);
    }
  }
  const std::string text =
      topics.empty() ? "good enough for comparisons"
                     : fmt::format("too noisy for comparisons: {}", fmt::join(topics, ", "));
  return fmt::format("\n  {}\n", style.Bold(result.complete ? text : text + " (interrupted)"));
}

}  // namespace

std::string RenderTable(const DoctorResult& result, const TerminalStyle& style) {
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
