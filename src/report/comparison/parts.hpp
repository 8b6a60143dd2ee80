#pragma once

#include "registry/metric.hpp"
#include "report/comparison/comparison.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Parts of the text of a comparison.

namespace schedbench::report {

// The better direction of a metric: " ↑" if high is better, "" for none.
std::string BetterArrow(registry::Better better, const TerminalStyle& style);

// Three significant digits; ratios near 1 have as many as distinguish them from 1.
std::string RatioText(double ratio);

// "0.115 … 0.140"
std::string RatioInterval(const stats::RatioEstimate& ratio, const TerminalStyle& style);

// Return "+10.0 ns" and "+9.00 ns .. +12.0 ns". Require: the row has a difference.
std::string DifferenceText(const harness::ComparedRow& row, const TerminalStyle& style);
std::string DifferenceInterval(const harness::ComparedRow& row, const TerminalStyle& style);

// The verdicts as summaries count them, the best first.
inline constexpr std::array kVerdictOrder{
    harness::Verdict::kBetter,        harness::Verdict::kSlightlyBetter, harness::Verdict::kSame,
    harness::Verdict::kSlightlyWorse, harness::Verdict::kWorse,          harness::Verdict::kDiffers,
    harness::Verdict::kInconclusive};

// The sign of a verdict in a cell: "+", "(-)", "?".
std::string_view VerdictSign(harness::Verdict verdict, const TerminalStyle& style);

// The meaning of the signs, without a line break.
std::string VerdictLegend(const TerminalStyle& style);

// The name of a workload, without parameters if that is unique: they are in the command.
std::string ShortName(const harness::ComparisonPlan& plan, std::size_t workload);

// ": a larger --budget", if the budget was too small for a block; "" if the comparison was interrupted.
std::string_view RemedyOfNoBlock(const ComparisonResult& result);

// Returns null if the alternative has no row for the metric under the workload.
const harness::ComparedRow* FindRow(const harness::Comparison& comparison, std::size_t workload,
                                    std::size_t alternative, const registry::Metric& metric);

// One metric of all workloads and alternatives, with a line for each workload.
std::string RenderOverview(const ComparisonResult& result, const registry::Metric& metric,
                           const TerminalStyle& style);

// Whether all audited alternatives have the same count.
struct WorkAgreement {
  std::string_view count;  // its name in the protocol
  bool must_agree;         // the workload alone determines it
  bool same;
};

// Returns the counts that an audit reported.
std::vector<WorkAgreement> AgreementsOf(const ComparisonResult& result, std::size_t workload);

// The audited counts of a workload, a line for each: the common value, or the values of all. "" without foreign runtimes.
std::string RenderWork(const ComparisonResult& result, std::size_t workload,
                       const TerminalStyle& style);

// The ratios of the blocks in their order, which shows drift, jumps and outliers. "" if no ratio is made of pairs.
std::string RenderBlocks(const ComparisonResult& result, std::size_t workload,
                         const TerminalStyle& style);

// The command and config of each agent, and each disturbed block.
std::string RenderAgents(const ComparisonResult& result, const TerminalStyle& style);

// The warning of a comparison with a saved result, with its remedy. "" for other comparisons.
std::string BaselineBanner(const harness::ComparisonPlan& plan, const TerminalStyle& style);

// Parts of the text of the comparison, a line or more each, which a page has too.
// For each alternative a count of its verdicts; then the confidence.
std::string ConclusionLines(const ComparisonResult& result, const TerminalStyle& style);
// What failed under a workload, what explains a difference, and whether all did the same work.
std::string RemarksOn(const ComparisonResult& result, std::size_t workload,
                      const TerminalStyle& style);
// How it ended early, what disturbed it, and the warning of a baseline.
std::string EndingLines(const ComparisonResult& result, const TerminalStyle& style);
// Metric, alternative, median, spread, ratio, interval, verdict.
std::vector<std::string> RowCells(const ComparisonResult& result, const harness::ComparedRow& row,
                                  const TerminalStyle& style);
// Whether the row has a place in the table: a metric that no alternative has, has none.
bool IsShown(const ComparisonResult& result, const harness::ComparedRow& row);
std::vector<Note> NotesOn(const ComparisonResult& result);

// The condition, the outcome, the number of ratios, and of the worst ratio the alternative, the interval and the workload.
std::vector<std::string> GateCells(const ComparisonResult& result, const harness::GateResult& gate,
                                   const TerminalStyle& style);

// A line for each gate: the condition, the outcome, the number of ratios, and the worst ratio. "" without gates.
std::string RenderGates(const ComparisonResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
