#include "report/comparison/parts.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;

constexpr std::size_t kMaxColumns = 4;  // of alternatives side by side: the width of a screen

class Overview {
 public:
  Overview(const ComparisonResult& result, const registry::Metric& metric,
           const TerminalStyle& style)
      : result_(result),
        metric_(metric),
        style_(style) {
  }

  std::string Render() const {
    const auto& alternatives = result_.plan.alternatives;
    std::string text = "  " + Title() + "\n";
    const TerminalStyle plain{.unicode = style_.unicode};  // colours are no characters
    for (std::size_t begin = std::max<std::size_t>(result_.plan.saved.count, 1);
         begin < alternatives.size();) {
      std::size_t end = std::min(begin + kMaxColumns, alternatives.size());
      while (end > begin + 1 && WidestLine(Part(begin, end, plain)) > style_.width) {
        --end;
      }
      text += "\n" + Part(begin, end, style_);
      begin = end;
    }
    return text + "\n  " + VerdictLegend(style_) + "\n";
  }

 private:
  std::string Title() const {
    return fmt::format(
        "{}{}, as a ratio to that of {}", MetricLabel(metric_), BetterArrow(metric_.better, style_),
        result_.plan.saved.count > 1 ? "the saved one" : result_.plan.alternatives.front().name);
  }

  std::string Part(std::size_t begin, std::size_t end, const TerminalStyle& style) const {
    TextTable table{{"workload"}, {result_.plan.alternatives.front().name, kRight}};
    for (std::size_t i = begin; i < end; ++i) {
      table.AddColumns({{result_.plan.alternatives[i].name, kRight, true}, {"interval"}, {""}});
    }
    for (std::size_t workload = 0; workload < result_.plan.workloads.size(); ++workload) {
      std::vector<std::string> cells{ShortName(result_.plan, workload), FirstCell(workload)};
      for (std::size_t i = begin; i < end; ++i) {
        std::ranges::move(Cells(workload, i), std::back_inserter(cells));
      }
      table.AddRow(std::move(cells));
    }
    return table.Render(style);
  }

  std::string FirstCell(std::size_t workload) const {
    const ComparedRow* const row = FindRow(result_.comparison, workload, 0, metric_);
    if (row == nullptr) {
      return "";
    }
    return row->spread ? MetricText(*row->metric, row->spread->median, style_) : row->missing;
  }

  std::vector<std::string> Cells(std::size_t workload, std::size_t alternative) const {
    const ComparedRow* const row = FindRow(result_.comparison, workload, alternative, metric_);
    if (row == nullptr || !row->ratio) {
      // The reason is in the table of the workload.
      const bool short_enough = row != nullptr && row->spread == std::nullopt;
      return {"", short_enough ? row->missing : style_.Dash(), ""};
    }
    return {RatioText(row->ratio->ratio), RatioInterval(*row->ratio, style_),
            row->verdict ? std::string(VerdictSign(*row->verdict, style_)) : ""};
  }

  const ComparisonResult& result_;
  const registry::Metric& metric_;
  const TerminalStyle& style_;
};

}  // namespace

std::string RenderOverview(const ComparisonResult& result, const registry::Metric& metric,
                           const TerminalStyle& style) {
  return Overview(result, metric, style).Render();
}

}  // namespace schedbench::report
