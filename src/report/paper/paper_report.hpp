#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/document/document.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

// A measured row of the toucan report. All times are those of a round, one for each repetition.
struct PaperRowResult {
  std::string name;  // "BM_SlowThread<algo::GlobalFIFO>/4/1000/10/100"
  std::vector<double> wall_ns = {};
  std::vector<double> caller_cpu_ns = {};
  std::vector<double> all_cpu_ns = {};
  std::optional<double> published_ns = std::nullopt;
  std::string failure = "";  // "" for none
};

struct PaperResult {
  std::vector<PaperRowResult> rows;
  platform::MachineInfo machine;
  std::vector<std::string> command;  // the command line
};

// Returns a page's chart for each benchmark: all schedulers' times, and the toucan report's. Pure.
Document DocumentOf(const PaperResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
