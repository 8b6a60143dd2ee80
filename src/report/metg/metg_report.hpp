#pragma once

#include "harness/metg/metg.hpp"
#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

// The result of schedbench metg. Pure; thread-safe.

namespace schedbench::report {

struct MetgResult {
  harness::MetgPlan plan;
  harness::MetgData data;
  std::vector<harness::MetgCurve> curves;  // AnalyseMetg()
  std::string perturbed;                   // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;           // at the start
  std::vector<std::string> command;        // the command line
};

// For people: a table of results and a table of efficiencies by grain for each workload, notes, failures.
std::string RenderMetgTable(const MetgResult& result, const TerminalStyle& style);

// For programs: the same, and every round.
std::string RenderMetgJson(const MetgResult& result, const TerminalStyle& style);

// A page with charts: the results, and the efficiency by grain. Requires: HasChartPage().
std::string RenderMetgHtml(const MetgResult& result, const TerminalStyle& style);

// A row for each result and for each point of its curve.
std::string RenderMetgCsv(const MetgResult& result, const TerminalStyle& style);
std::string RenderMetgMarkdown(const MetgResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
