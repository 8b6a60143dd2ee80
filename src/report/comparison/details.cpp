#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/replay.hpp"
#include "report/parts/sparkline.hpp"
#include "report/parts/text_table.hpp"
#include "stats/suspicion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

// What --verbose adds to the text of a comparison.

namespace schedbench::report {

namespace {

constexpr std::size_t kMaxBars = 60;

// "3, 17": counted from 1. "" for none.
std::string OutliersText(const std::vector<double>& ratios) {
  std::vector<std::size_t> places = stats::Outliers(ratios);
  for (std::size_t& place : places) {
    ++place;
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

// Replaces bars where they cannot be shown.
std::string RatiosText(const std::vector<double>& ratios) {
  std::string text;
  for (const double ratio : ratios) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", RatioText(ratio));
  }
  return text;
}

// Replaces /proc/self/exe by a path that works in a shell.
std::string ProgramText(const std::string& program) {
  std::error_code ignored;  // then the path stays as it is
  const std::filesystem::path path = program.starts_with("/proc/self/")
                                         ? std::filesystem::read_symlink(program, ignored)
                                         : std::filesystem::path(program);
  return path.empty() ? program : path.string();
}

std::string AgentText(const harness::Alternative& alternative) {
  std::string text;
  for (const std::string& word : alternative.command) {
    text += text.empty() ? ShellWord(ProgramText(word)) : " " + ShellWord(word);
  }
  return fmt::format("{}    {} {}", text, alternative.scheduler, alternative.config);
}

}  // namespace

std::string RenderBlocks(const ComparisonResult& result, std::size_t workload,
                         const TerminalStyle& style) {
  TextTable table{{"ratio of each block"}, {""},         {"least", kRight},
                  {"greatest", kRight},    {"outliers"}, {""}};
  bool has_rows = false;
  for (const harness::ComparedRow& row : result.comparison.rows) {
    if (row.workload != workload || row.block_ratios.empty()) {
      continue;
    }
    const auto [least, greatest] = std::ranges::minmax(row.block_ratios);
    table.AddRow(
        {std::string(row.metric->name), result.plan.alternatives[row.alternative].name,
         RatioText(least), RatioText(greatest), OutliersText(row.block_ratios),
         style.unicode ? Sparkline(row.block_ratios, kMaxBars) : RatiosText(row.block_ratios)});
    has_rows = true;
  }
  return has_rows ? "\n" + table.Render(style) : "";
}

std::string RenderAgents(const ComparisonResult& result, const TerminalStyle& style) {
  std::string text;
  for (const harness::Alternative& alternative : result.plan.alternatives) {
    text += LabelledLine("agent", fmt::format("{}: {}", alternative.name, AgentText(alternative)),
                         style);
  }
  for (const harness::DisturbedBlock& block : result.data.disturbed) {
    text +=
        LabelledLine("noise",
                     fmt::format("block {} of {}{}: {}", block.block + 1,
                                 config::Escaped(result.plan.workloads[block.workload].name, 200),
                                 block.replaced.empty() ? "" : ", measured again",
                                 config::Escaped(harness::ToText(block.by), 200)),
                     style);
  }
  return text;
}

}  // namespace schedbench::report
