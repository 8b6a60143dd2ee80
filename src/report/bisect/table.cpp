#include "config/quote.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace schedbench::report {

namespace {

std::string BisectRatio(const std::optional<stats::RatioEstimate>& ratio) {
  return ratio ? "x " + EstimateText(*ratio) : "";
}

std::string FoundFields(const BisectResult& result, const TerminalStyle& style) {
  std::string text =
      fmt::format("  {}\n", style.Bold(fmt::format("cause: {}", fmt::join(result.cause, ", "))));
  if (result.effect) {
    text += fmt::format("  GOOD with it is {} of GOOD", BisectRatio(result.effect));
    text +=
        result.remainder ? fmt::format(", and {} of BAD\n", BisectRatio(result.remainder)) : "\n";
  }
  const auto undecided = std::ranges::count_if(result.tested, [](const BisectResult::Tested& one) {
    return one.step.nearer == history::Nearer::kUnresolved;
  });
  if (undecided > 0) {
    text += fmt::format(
        "  {} inconclusive: a smaller set may be enough    --blocks N\n",
        undecided == 1 ? "a candidate was" : fmt::format("{} candidates were", undecided));
  }
  return text;
}

std::string FoundRevisions(const BisectResult& result, const TerminalStyle& style) {
  if (result.cause.size() == 1) {
    return fmt::format("  {}  {}\n", style.Bold("first bad revision: " + result.cause.front()),
                       result.subject);
  }
  return fmt::format("  {}\n  {} between them cannot be decided: {}\n",
                     style.Bold(fmt::format("the first bad revision is one of {} to {}",
                                            RevisionLabel(result.cause.front()),
                                            RevisionLabel(result.cause.back()))),
                     Plural(result.skipped.size(), "revision"), fmt::join(result.skipped, ", "));
}

std::string Conclusion(const BisectResult& result, const TerminalStyle& style) {
  switch (result.outcome) {
    case BisectResult::Outcome::kFound:
      return result.kind == BisectResult::Kind::kFields ? FoundFields(result, style)
                                                        : FoundRevisions(result, style);
    case BisectResult::Outcome::kSame:
      return fmt::format("  {}\n", style.Bold(fmt::format(
                                       "no difference: GOOD and BAD are the same within {:.3g} %",
                                       100 * result.min_effect)));
    case BisectResult::Outcome::kInconclusive:
      return fmt::format("  {}\n  more --blocks, or a larger effect, may decide it\n",
                         style.Bold("inconclusive: it is not proven that GOOD and BAD differ"));
    case BisectResult::Outcome::kFailed:
      return fmt::format("  {}\n", style.Bold("cannot be measured: " + result.failure));
    case BisectResult::Outcome::kInterrupted:
      return fmt::format("  {}\n", style.Bold("interrupted"));
  }
  return "";
}

}  // namespace

std::string RenderTable(const BisectResult& result, const TerminalStyle& style) {
  const bool is_fields = result.kind == BisectResult::Kind::kFields;
  std::string text = fmt::format("  GOOD {}, BAD {}: {} of {}, {}\n", result.good, result.bad,
                                 result.metric, result.workload,
                                 is_fields ? Plural(result.candidates, "field") + " that differ"
                                           : Plural(result.candidates, "revision") + " after GOOD");
  if (result.difference) {
    text += fmt::format("  BAD is {} of GOOD\n", BisectRatio(result.difference));
  }
  text += "\n";
  if (!result.tested.empty()) {
    TextTable table{{is_fields ? "GOOD with" : "revision"},
                    {"is"},
                    {"blocks", kRight, false, 2},
                    {"of GOOD"},
                    {"of BAD", kLeft, false, 1}};
    for (const BisectResult::Tested& one : result.tested) {
      table.AddRow({one.name, std::string(history::ToText(one.step.nearer)),
                    fmt::format("{}", one.step.blocks), BisectRatio(one.step.to_good),
                    BisectRatio(one.step.to_bad)});
    }
    text += table.Render(style);
    for (const BisectResult::Tested& one : result.tested) {
      if (!one.step.failure.empty()) {
        text += fmt::format("  {}: {}\n", one.name, config::Escaped(one.step.failure, 1000));
      }
    }
    text += "\n";
  }
  return text + Conclusion(result, style) + "\n" +
         OriginLines(result.machine, result.command, result.seed, style);
}

}  // namespace schedbench::report
