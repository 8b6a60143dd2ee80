#pragma once

#include "config/quote.hpp"
#include "registry/figure.hpp"
#include "report/comparison/comparison.hpp"
#include "report/parts/terminal_style.hpp"
#include "stats/ratio.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The pieces of the text of a comparison.

namespace schedbench::report {

// Which way of a figure is better: " ↑" of one that is to be high, "" of neither.
std::string BetterArrow(registry::Better better, const TerminalStyle& look);

// Three significant digits; of ratios near 1 as many as tell them from it.
std::string RatioText(double ratio);

// "0.115 … 0.140"
std::string RatioInterval(const stats::RatioEstimate& ratio, const TerminalStyle& look);

// One figure of all workloads and alternatives, a line for each workload.
std::string RenderOverview(const ComparisonResult& result, const registry::Figure& figure,
                           const TerminalStyle& look);

// Whether those who were asked agree on what the work of a workload was made of.
struct WorkAgreement {
  std::string_view count;  // as the protocol calls it
  bool must_agree;         // it follows from the workload alone
  bool same;
};

// Of each count that somebody has told.
std::vector<WorkAgreement> AgreementsOf(const ComparisonResult& result, std::size_t workload);

// What the work of a workload was made of, where somebody was asked to count it: a line on what is the same for all, and one
// on what is not. "" where nobody foreign takes part.
std::string RenderWork(const ComparisonResult& result, std::size_t workload,
                       const TerminalStyle& look);

// What the ratios of the blocks were, in their order: one that drifts, jumps or has a lone outlier is seen. "" where no ratio
// is made of pairs.
std::string RenderBlocks(const ComparisonResult& result, std::size_t workload,
                         const TerminalStyle& look);

// How each agent was started, and with what config; and each block in which something else went on.
std::string RenderAgents(const ComparisonResult& result, const TerminalStyle& look);

// What to keep in mind of a comparison with a saved one, and what to do. "" of any other.
std::string BaselineBanner(const harness::ComparisonPlan& plan, const TerminalStyle& look);

// A line for each gate: what it wants, whether it holds, of how many ratios, and the one that tells most. "" without gates.
std::string RenderGates(const ComparisonResult& result, const TerminalStyle& look);

}  // namespace schedbench::report
