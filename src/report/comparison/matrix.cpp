#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/document/table.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::Verdict;

// A reader compares the columns of a line at a glance.
constexpr std::size_t kWidest = 100;

// Returns "0.98", "12.4", "<.01": short, because there are many columns.
std::string ShortRatio(double ratio) {
  if (ratio < 0.005) {
    return "<.01";
  }
  return ratio < 9.995 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.3g}", ratio);
}

// Returns the end of a long name, from an underscore on: "_StealHalf_GetAllFromGlob".
std::string_view EndOf(std::string_view name, std::size_t longest) {
  if (config::CharacterCount(name) <= longest) {
    return name;
  }
  const std::string_view end = config::LastCharacters(name, longest - 1);
  const std::size_t begin = end.find('_');
  return begin == std::string_view::npos ? end : end.substr(begin);
}

// Returns short names of all alternatives, longer than `longest` where two ends are equal.
std::vector<std::string> ShortNames(const harness::ComparisonPlan& plan, std::size_t longest,
                                    const TerminalStyle& style) {
  const auto names = VectorOf(plan.alternatives, [](const harness::Alternative& alternative) {
    return config::Escaped(alternative.name, alternative.name.size());
  });
  const auto is_unique = [&names](std::string_view end) {
    return std::ranges::count_if(
               names, [end](const std::string& name) { return name.ends_with(end); }) == 1;
  };
  std::vector<std::string> ends;
  for (const std::string& name : names) {
    std::size_t length = longest;
    std::string_view end = EndOf(name, length);
    while (end.size() < name.size() && !is_unique(end)) {
      end = EndOf(name, ++length);
    }
    ends.push_back((end.size() < name.size() ? std::string(style.Sign("…", "~")) : "") +
                   std::string(end));
  }
  return ends;
}

class Matrix {
 public:
  Matrix(const ComparisonResult& result, const TerminalStyle& style)
      : result_(result),
        style_(style),
        metric_(*result.comparison.rows.front().metric) {
    SetLayout();
  }

  std::string Render() const {
    const std::vector<std::size_t> order = Order();
    std::string text = style_.Bold(fmt::format("{}{} as a ratio to that of {}, the best first",
                                               MetricLabel(metric_),
                                               BetterArrow(metric_.better, style_), Name(0))) +
                       "\n";
    for (std::size_t begin = 0; begin < Workloads();) {
      std::size_t end = Workloads();
      while (end > begin + 1 && !Fits(order, begin, end)) {
        --end;
      }
      text += "\n" + Part(order, begin, end, style_);
      begin = end;
    }
    return text + "  " + VerdictLegend(style_) + "\n" + Unmeasured();
  }

 private:
  // Puts all workloads into one table, if possible: with shorter names, or without the conclusion.
  void SetLayout() {
    constexpr std::size_t kLongestName = 37;
    constexpr std::size_t kShortestName = 20;  // arbitrary: shorter ones are hard to recognise
    const std::vector<std::size_t> order = Order();
    for (const bool concludes : {true, false}) {
      concludes_ = concludes;
      for (std::size_t longest = kLongestName; longest >= kShortestName; --longest) {
        names_ = ShortNames(result_.plan, longest, style_);
        if (Fits(order, 0, Workloads())) {
          return;
        }
      }
    }
  }

  bool Fits(const std::vector<std::size_t>& order, std::size_t begin, std::size_t end) const {
    // Without colours, which are not characters.
    const TerminalStyle plain{.unicode = style_.unicode};
    const std::string part = Part(order, begin, end, plain);
    return std::ranges::all_of(LinesOf(part), [this](std::string_view line) {
      return config::CharacterCount(line) <= Width();
    });
  }

  std::size_t Width() const {
    return std::min(style_.width, kWidest);
  }

  std::size_t Workloads() const {
    return result_.plan.workloads.size();
  }

  const std::string& Name(std::size_t alternative) const {
    return names_[alternative];
  }

  const ComparedRow* Row(std::size_t workload, std::size_t alternative) const {
    return FindRow(result_.comparison, workload, alternative, metric_);
  }

  // Sorts by the geometric mean of the existing ratios.
  std::vector<std::size_t> Order() const {
    std::vector<std::pair<double, std::size_t>> ranking;
    const double sign = metric_.better == registry::Better::kLower ? 1 : -1;
    for (std::size_t i = 0; i < result_.plan.alternatives.size(); ++i) {
      const auto mean = MeanLogarithm(i);
      ranking.emplace_back(mean ? sign * *mean : HUGE_VAL, i);
    }
    std::ranges::sort(ranking);
    return VectorOf(ranking, [](const auto& one) { return one.second; });
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

  std::string Part(const std::vector<std::size_t>& order, std::size_t begin, std::size_t end,
                   const TerminalStyle& style) const {
    TableOf<std::size_t> table;
    table.Add({"scheduler"}, [this](std::size_t alternative) { return Name(alternative); });
    for (std::size_t workload = begin; workload < end; ++workload) {
      table.Add({ShortName(result_.plan, workload)}, [this, workload](std::size_t alternative) {
        return VerdictCell(workload, alternative);
      });
    }
    table.Add({.name = "conclusion", .media = concludes_ ? kInTerminal : 0},
              [this](std::size_t alternative) { return Conclusion(alternative); });
    return TableText(std::move(table).Rows(order), style);
  }

  std::string VerdictCell(std::size_t workload, std::size_t alternative) const {
    const ComparedRow* const row = Row(workload, alternative);
    if (row == nullptr) {
      return "";
    }
    if (alternative == 0 && row->spread) {
      return metric_.name == "throughput" ? Scaled(row->spread->median) + "/s"
                                          : MetricText(metric_, row->spread->median, style_);
    }
    if (!row->point) {
      return row->missing == "DNF" ? "DNF" : style_.Dash();
    }
    const std::string_view sign = row->verdict ? VerdictSign(*row->verdict, style_) : "?";
    return fmt::format("{:>4} {}", ShortRatio(*row->point), sign);
  }

  std::string Conclusion(std::size_t alternative) const {
    if (alternative == 0) {
      return "the reference";
    }
    std::size_t failed = 0;
    std::array<std::size_t, kVerdictOrder.size()> counts{};
    for (std::size_t workload = 0; workload < Workloads(); ++workload) {
      const ComparedRow* const row = Row(workload, alternative);
      if (row != nullptr && row->missing == "DNF") {
        ++failed;
      } else if (row != nullptr && row->point) {
        const Verdict verdict = row->verdict ? *row->verdict : Verdict::kInconclusive;
        ++counts[static_cast<std::size_t>(std::ranges::find(kVerdictOrder, verdict) -
                                          kVerdictOrder.begin())];
      }
    }
    std::vector<std::pair<std::size_t, std::string_view>> parts;
    std::string_view word = "DNF";
    if (failed > 0) {
      parts.emplace_back(failed, "DNF");
    }
    for (std::size_t i = 0; i < kVerdictOrder.size(); ++i) {
      if (counts[i] > 0) {
        parts.emplace_back(counts[i], VerdictSign(kVerdictOrder[i], style_));
        word = harness::ToText(kVerdictOrder[i]);
      }
    }
    return parts.size() == 1 ? OfAll(word, parts.front().first) : CountsText(parts);
  }

  // Returns "better" for equal verdicts, or "better 3 of 4".
  std::string OfAll(std::string_view word, std::size_t count) const {
    return count == Workloads() ? std::string(word)
                                : fmt::format("{} {} of {}", word, count, Workloads());
  }

  // Returns "1 DNF, 2 +, 1 ?".
  static std::string CountsText(
      const std::vector<std::pair<std::size_t, std::string_view>>& parts) {
    const auto texts = VectorOf(
        parts, [](const auto& part) { return fmt::format("{} {}", part.first, part.second); });
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  // Returns a line with the workloads without a finished block.
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
    if (names.empty()) {
      return "";
    }
    return fmt::format("  {}\n",
                       fmt::join(config::WrapWords("no block was finished of " + names +
                                                       std::string(RemedyOfNoBlock(result_)),
                                                   Width() - 2),
                                 "\n  "));
  }

  const ComparisonResult& result_;
  const TerminalStyle& style_;
  const registry::Metric& metric_;
  std::vector<std::string> names_;  // names by alternative
  bool concludes_ = true;           // whether there is a column for the conclusions
};

}  // namespace

std::string RenderMatrix(const ComparisonResult& result, const TerminalStyle& style) {
  return Matrix(result, style).Render();
}

}  // namespace schedbench::report
