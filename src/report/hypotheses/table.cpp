#include "config/wrap.hpp"
#include "harness/compare/analysis.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/text_table.hpp"

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

std::string HypothesisRatio(const std::optional<stats::RatioEstimate>& ratio,
                            const TerminalStyle& style) {
  return ratio ? fmt::format("{:.3g} [{:.3g} {} {:.3g}]", ratio->ratio, ratio->low,
                             style.Sign("…", ".."), ratio->high)
               : style.Dash();
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
    const std::string value = HypothesisRatio(ratio, style);
    constexpr std::size_t kValueWidth = 24;
    text += fmt::format("    {}   x {}   {}\n", Padded(name, label), Padded(value, kValueWidth),
                        style.Dim(WayText(way)));
  };
  if (!hypothesis.IsAboutAnswers()) {
    row(hypothesis.mechanism, judged.mechanism, hypothesis.counters_go);
    row("throughput", judged.throughput, hypothesis.throughput_goes);
  }
  for (const std::string& line : config::WrapWords(judged.reason, width)) {
    text += fmt::format("    {}\n", line);
  }
  const std::string schedulers = hypothesis.IsAboutAnswers()
                                     ? "global_fifo 'WorkStealing_*' --workers 1"
                                     : fmt::format("{} {}", hypothesis.before, hypothesis.after);
  // In one line, for copying.
  return text +
         fmt::format("    {}\n\n", style.Dim(fmt::format("schedbench compare {} -w {}", schedulers,
                                                         judged.plan.workloads[0].name)));
}

}  // namespace

std::string RenderTable(const HypothesesResult& result, const TerminalStyle& style) {
  std::string text;
  for (const JudgedHypothesis& judged : result.judged) {
    text += HypothesisText(judged, style);
  }
  std::uint32_t blocks = 0;
  for (const JudgedHypothesis& judged : result.judged) {
    blocks = std::max(blocks, judged.hypothesis->IsAboutAnswers() ? 0 : judged.plan.blocks);
  }
  if (blocks > 0) {
    text += fmt::format(
        "  x: the second scheduler against the first, per operation; medians of {} blocks with "
        "intervals\n  that hold together with {:.0f} %\n\n",
        blocks, 100 * harness::kJointLevel);
  }
  return text + OriginLines(result.machine, result.command, result.seed, style);
}

}  // namespace schedbench::report
