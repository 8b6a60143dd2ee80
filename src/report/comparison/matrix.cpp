#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::Verdict;

// A reader compares the columns of a line at a glance.
constexpr std::size_t kWidest = 100;

// "0.98", "12.4", "<.01": short, because the columns are many.
std::string ShortRatio(double ratio) {
  if (ratio < 0.005) {
    return "<.01";
  }
  return ratio < 9.995 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.3g}", ratio);
}

// The end of a name that is too long, from an underscore on: "…_StealHalf_GetAllFromGlob".
std::string ShortAlternative(const std::string& name, const TerminalStyle& style) {
  constexpr std::size_t kLongest = 37;
  const std::string escaped = config::Escaped(name, 200);
  if (config::CharacterCount(escaped) <= kLongest) {
    return escaped;
  }
  const std::size_t begin = escaped.find('_', escaped.size() - (kLongest - 1));
  return fmt::format(
      "{}{}", style.Sign("…", "~"),
      escaped.substr(begin == std::string::npos ? escaped.size() - (kLongest - 1) : begin));
}

class Matrix {
 public:
  Matrix(const ComparisonResult& result, const TerminalStyle& style)
      : result_(result),
        style_(style),
        metric_(*result.comparison.rows.front().metric) {
  }

  std::string Render() const {
    const std::vector<std::size_t> order = Order();
    std::string text = style_.Bold(fmt::format("{}{} as a ratio to that of {}, the best first",
                                               MetricLabel(metric_),
                                               BetterArrow(metric_.better, style_), Name(0))) +
                       "\n";
    for (std::size_t begin = 0; begin < Workloads();) {
      std::size_t end = Workloads();
      while (end > begin + 1 &&
             WidestLine(Part(order, begin, end)) > std::min(style_.width, kWidest)) {
        --end;
      }
      text += "\n" + Part(order, begin, end);
      begin = end;
    }
    return text + Legend() + Unmeasured();
  }

 private:
  std::size_t Workloads() const {
    return result_.plan.workloads.size();
  }

  std::string Name(std::size_t alternative) const {
    return ShortAlternative(result_.plan.alternatives[alternative].name, style_);
  }

  const ComparedRow* Row(std::size_t workload, std::size_t alternative) const {
    return FindRow(result_.comparison, workload, alternative, metric_);
  }

  // By the geometric mean of the ratios that there are.
  std::vector<std::size_t> Order() const {
    std::vector<std::pair<double, std::size_t>> ranking;
    const double sign = metric_.better == registry::Better::kLower ? 1 : -1;
    for (std::size_t i = 0; i < result_.plan.alternatives.size(); ++i) {
      const auto mean = MeanLogarithm(i);
      ranking.emplace_back(mean ? sign * *mean : HUGE_VAL, i);
    }
    std::ranges::sort(ranking);
    std::vector<std::size_t> order;
    for (const auto& [key, alternative] : ranking) {
      order.push_back(alternative);
    }
    return order;
  }

  std::optional<double> MeanLogarithm(std::size_t alternative) const {
    if (alternative == 0) {
      return 0;
    }
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t workload = 0; workload < Workloads(); ++workload) {
      if (const ComparedRow* const row = Row(workload, alternative); row != nullptr && row->point) {
        sum += std::log(*row->point);
        ++count;
      }
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  }

  std::string Part(const std::vector<std::size_t>& order, std::size_t begin,
                   std::size_t end) const {
    TextTable table;
    table.AddColumn("scheduler", TextTable::Align::kLeft);
    for (std::size_t workload = begin; workload < end; ++workload) {
      table.AddColumn(ShortName(result_.plan, workload), TextTable::Align::kLeft);
    }
    table.AddColumn("conclusion", TextTable::Align::kLeft);
    for (const std::size_t alternative : order) {
      std::vector<std::string> cells{Name(alternative)};
      for (std::size_t workload = begin; workload < end; ++workload) {
        cells.push_back(Cell(workload, alternative));
      }
      cells.push_back(Conclusion(alternative));
      table.AddRow(std::move(cells));
    }
    return table.Render(style_);
  }

  std::string Cell(std::size_t workload, std::size_t alternative) const {
    const ComparedRow* const row = Row(workload, alternative);
    if (row == nullptr) {
      return "";
    }
    if (alternative == 0 && row->spread) {
      return metric_.name == "throughput" ? Scaled(row->spread->median) + "/s"
                                          : MetricText(metric_, row->spread->median, style_);
    }
    if (!row->point) {
      return row->missing == "DNF" ? "DNF" : std::string(style_.Sign("—", "-"));
    }
    const std::string_view sign =
        row->verdict && row->ratio ? VerdictSign(*row->verdict, style_) : "?";
    return fmt::format("{:>4} {}", ShortRatio(*row->point), sign);
  }

  std::string Conclusion(std::size_t alternative) const {
    if (alternative == 0) {
      return "the reference";
    }
    std::size_t better = 0;
    std::size_t worse = 0;
    std::size_t same = 0;
    std::size_t failed = 0;
    std::size_t measured = 0;
    for (std::size_t workload = 0; workload < Workloads(); ++workload) {
      const ComparedRow* const row = Row(workload, alternative);
      measured += row != nullptr && row->spread ? 1U : 0U;
      failed += row != nullptr && row->missing == "DNF" ? 1U : 0U;
      if (row == nullptr || !row->verdict) {
        continue;
      }
      better += *row->verdict == Verdict::kBetter || *row->verdict == Verdict::kSlightlyBetter;
      worse += *row->verdict == Verdict::kWorse || *row->verdict == Verdict::kSlightlyWorse;
      same += *row->verdict == Verdict::kSame;
    }
    std::string text;
    const auto add = [&text](std::string_view word, std::size_t count) {
      if (count > 0) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, count);
      }
    };
    add("DNF", failed);
    add("better", better);
    add("same", same);
    add("worse", worse);
    if (text.empty()) {
      return measured > 0 ? "inconclusive" : "";
    }
    return text.find(',') == std::string::npos ? fmt::format("{} of {}", text, Workloads()) : text;
  }

  std::string Legend() const {
    return style_.Dim(fmt::format(
               "  {} better, {} worse, ({}) and ({}) slightly, = same, ? inconclusive",
               VerdictSign(Verdict::kBetter, style_), VerdictSign(Verdict::kWorse, style_),
               VerdictSign(Verdict::kBetter, style_), VerdictSign(Verdict::kWorse, style_))) +
           "\n";
  }

  // The workloads without a finished block, in a line.
  std::string Unmeasured() const {
    std::string names;
    for (std::size_t workload = 0; workload < Workloads(); ++workload) {
      const auto& series = result_.data.series[workload];
      if (std::ranges::all_of(series, [](const harness::Series& one) {
            return one.blocks.empty() && one.failure.empty();
          })) {
        names += (names.empty() ? "" : ", ") + ShortName(result_.plan, workload);
      }
    }
    return names.empty() ? "" : fmt::format("  no block was finished of {}\n", names);
  }

  const ComparisonResult& result_;
  const TerminalStyle& style_;
  const registry::Metric& metric_;
};

}  // namespace

std::string RenderMatrix(const ComparisonResult& result, const TerminalStyle& style) {
  return Matrix(result, style).Render();
}

}  // namespace schedbench::report
