#include "config/quote.hpp"
#include "config/wrap.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::report {

namespace {

using harness::JudgedHypothesis;
using harness::Way;

constexpr std::size_t kIndent = 4;

std::string RatioText(const std::optional<stats::RatioEstimate>& ratio,
                      const TerminalStyle& style) {
  return ratio ? fmt::format("{:.3g} [{:.3g} {} {:.3g}]", ratio->ratio, ratio->low,
                             style.Sign("…", ".."), ratio->high)
               : std::string(style.Sign("—", "-"));
}

std::string WayText(Way way) {
  return way == Way::kRises ? "claimed to rise" : "claimed to fall";
}

std::string HypothesisText(const JudgedHypothesis& judged, const TerminalStyle& style) {
  const harness::Hypothesis& hypothesis = *judged.hypothesis;
  const std::size_t width = std::min(style.width, kLineWidth) - kIndent;
  std::string text =
      fmt::format("  {}  {}  {}\n", style.Bold(hypothesis.name),
                  style.Bold(harness::ToText(judged.judgement)), style.Dim(hypothesis.source));
  for (const std::string& line : config::WrapWords(std::string(hypothesis.statement), width)) {
    text += fmt::format("    {}\n", line);
  }
  const std::size_t label = std::max<std::size_t>(hypothesis.mechanism.size(), 10);
  const auto row = [&](std::string_view name, const std::optional<stats::RatioEstimate>& ratio,
                       Way way) {
    const std::string value = RatioText(ratio, style);
    constexpr std::size_t kValueWidth = 24;
    text +=
        fmt::format("    {}   x {}   {}\n", Padded(name, label, TextTable::Align::kLeft),
                    Padded(value, kValueWidth, TextTable::Align::kLeft), style.Dim(WayText(way)));
  };
  row(hypothesis.mechanism, judged.mechanism, hypothesis.counters_go);
  row("throughput", judged.throughput, hypothesis.throughput_goes);
  for (const std::string& line : config::WrapWords(judged.reason, width)) {
    text += fmt::format("    {}\n", line);
  }
  // In one line, for copying.
  return text + fmt::format("    {}\n\n",
                            style.Dim(fmt::format(
                                "schedbench compare {} {} -w {}", judged.plan.alternatives[0].name,
                                judged.plan.alternatives[1].name, judged.plan.workloads[0].name)));
}

}  // namespace

std::string RenderHypothesesTable(const HypothesesResult& result, const TerminalStyle& style) {
  std::string text;
  for (const JudgedHypothesis& judged : result.judged) {
    text += HypothesisText(judged, style);
  }
  if (!result.judged.empty()) {
    text += fmt::format(
        "  x: the second scheduler against the first, per operation; medians of {} blocks with "
        "intervals\n  that hold together with {:.0f} %\n\n",
        result.judged.front().plan.blocks, 100 * harness::kJointLevel);
  }
  return text + OriginLines(result.machine, result.command, result.seed, style);
}

}  // namespace schedbench::report
