#pragma once

#include "registry/metric.hpp"
#include "report/comparison/comparison.hpp"
#include "stats/ratio.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Parts of the text of a comparison.

namespace schedbench::report {

// Returns the better direction of a metric: " ↑" if high is better, "" for none.
std::string BetterArrow(registry::Better better, const TerminalStyle& style);

// Returns three significant digits; ratios near 1 get enough to distinguish them from 1.
std::string RatioText(double ratio);

// Returns "0.115 … 0.140".
std::string RatioInterval(const stats::RatioEstimate& ratio, const TerminalStyle& style);

// Return "+10.0 ns" and "+9.00 ns .. +12.0 ns". Require: the row has a difference.
std::string DifferenceText(const harness::ComparedRow& row, const TerminalStyle& style);
std::string DifferenceInterval(const harness::ComparedRow& row, const TerminalStyle& style);

// The verdicts in the order of summaries, the best first.
inline constexpr std::array kVerdictOrder{
    harness::Verdict::kBetter,        harness::Verdict::kSlightlyBetter, harness::Verdict::kSame,
    harness::Verdict::kSlightlyWorse, harness::Verdict::kWorse,          harness::Verdict::kDiffers,
    harness::Verdict::kInconclusive};

// Returns the symbol of a verdict in a cell: "+", "(-)", "?".
std::string_view VerdictSign(harness::Verdict verdict, const TerminalStyle& style);

// Returns the meaning of the symbols, without a line break.
std::string VerdictLegend(const TerminalStyle& style);

// Returns the name of a workload, without parameters if that is unique: the command has them.
std::string ShortName(const harness::ComparisonPlan& plan, std::size_t workload);

// Returns ": a larger --budget" if the budget was too small for a block; "" after an interruption.
std::string_view RemedyOfNoBlock(const ComparisonResult& result);

// Returns the row of the metric; null if the alternative does not have one under the workload.
const harness::ComparedRow* FindRow(const harness::Comparison& comparison, std::size_t workload,
                                    std::size_t alternative, const registry::Metric& metric);

// Returns a row for each compared row; declares every column.
Table RowsTable(const ComparisonResult& result, const std::vector<harness::ComparedRow>& rows,
                const TerminalStyle& style);

// Returns whether people see the row: not for a metric that no alternative has.
bool IsShown(const ComparisonResult& result, const harness::ComparedRow& row);

// A row of the JSON result.
struct ShownRow : PartOf<ComparisonResult, harness::ComparedRow> {};
record::Of<ShownRow> RecordOf(const ShownRow* /*type*/);

// Agreement of all audited alternatives in a count.
struct WorkAgreement {
  std::string_view count;  // name of the count in the protocol
  bool must_agree;         // whether only the workload determines it
  bool same;
};

// Returns the counts that an audit reported.
std::vector<WorkAgreement> AgreementsOf(const ComparisonResult& result, std::size_t workload);

// Returns a workload's audited counts with the common or all values; none without foreign runtimes.
std::vector<Sentence> WorkOf(const ComparisonResult& result, std::size_t workload);

// Returns the ratios of the blocks in their order, which shows drift, jumps and outliers.
Section RatiosOfBlocks(const ComparisonResult& result, std::size_t workload,
                       const TerminalStyle& style);

// Returns the command and config of each agent, and each disturbed block.
std::vector<Note> AgentNotes(const ComparisonResult& result);

// Returns the warning of a comparison with a saved result, with its remedy; none for others.
std::vector<Note> NotesOnBaseline(const harness::ComparisonPlan& plan, const TerminalStyle& style);

// Returns each gate: the condition, the outcome, the number of ratios, and for the worst ratio the
// alternative, the interval and the workload.
Section GatesSection(const ComparisonResult& result, const TerminalStyle& style);

// Returns a sentence for each alternative, then the confidence. `media`: of the section; a terminal
// omits the sentences of many alternatives.
Section ConclusionSection(const ComparisonResult& result, Media media);

// Returns the ratios of the ranking metric, with a row for each workload.
Section OverviewSection(const ComparisonResult& result, const TerminalStyle& style);

// Adds all metrics of a workload, and what explains their differences.
void AddWorkloadSections(const ComparisonResult& result, std::size_t workload,
                         const TerminalStyle& style, std::vector<Section>& sections);

}  // namespace schedbench::report
