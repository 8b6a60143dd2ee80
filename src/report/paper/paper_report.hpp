#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/document/document.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

// A row of document 000 as it was measured. All times are of a round, one for each repetition.
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

// A chart for each benchmark, for a page: the times of all schedulers, with those of the document.
// Pure.
Document DocumentOf(const PaperResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
