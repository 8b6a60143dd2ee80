#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/replay.hpp"
#include "stats/suspicion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

// The additions of --verbose to the text of a comparison.

namespace schedbench::report {

namespace {

constexpr std::size_t kMaxBars = 60;

// Returns "3, 17", counted from 1; "" for none.
std::string OutliersText(const std::vector<double>& ratios) {
  const auto places =
      VectorOf(stats::Outliers(ratios), [](std::size_t place) { return place + 1; });
  return fmt::format("{}", fmt::join(places, ", "));
}

// Returns the ratios as text where bars cannot be shown.
std::string RatiosText(const std::vector<double>& ratios) {
  return fmt::format("{}", fmt::join(VectorOf(ratios, &RatioText), " "));
}

// Replaces /proc/self/exe by a path that works in a shell.
std::string ProgramText(const std::string& program) {
  std::error_code ignored;  // on an error the path stays unchanged
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

Section RatiosOfBlocks(const ComparisonResult& result, std::size_t workload,
                       const TerminalStyle& style) {
  std::vector<harness::ComparedRow> rows;
  std::ranges::copy_if(result.comparison.rows, std::back_inserter(rows), [&](const auto& row) {
    return row.workload == workload && !row.block_ratios.empty();
  });
  using Row = harness::ComparedRow;
  TableOf<Row> table;
  table.Add({"metric"}, [](const Row& row) { return row.metric->name; });
  table.Add({"alternative"},
            [&](const Row& row) { return result.plan.alternatives[row.alternative].name; });
  table.Add({"least", kRight},
            [](const Row& row) { return RatioText(std::ranges::min(row.block_ratios)); });
  table.Add({"greatest", kRight},
            [](const Row& row) { return RatioText(std::ranges::max(row.block_ratios)); });
  table.Add({"outliers"}, [](const Row& row) { return OutliersText(row.block_ratios); });
  table.Add({"in their order"}, [&style](const Row& row) {
    return style.unicode ? Sparkline(row.block_ratios, kMaxBars) : RatiosText(row.block_ratios);
  });
  return {.title = "Ratio of each block of " + ShortName(result.plan, workload),
          .table = std::move(table).Rows(rows),
          .media = rows.empty() ? 0 : kInTerminal};
}

std::vector<Note> AgentNotes(const ComparisonResult& result) {
  std::vector<Note> notes;
  for (const harness::Alternative& alternative : result.plan.alternatives) {
    notes.push_back({fmt::format("{}: {}", alternative.name, AgentText(alternative)), "", "agent"});
  }
  for (const harness::DisturbedBlock& block : result.data.disturbed) {
    notes.push_back({fmt::format("block {} of {}{}: {}", block.block + 1,
                                 config::Escaped(result.plan.workloads[block.group].name, 200),
                                 block.replaced.empty() ? "" : ", measured again",
                                 config::Escaped(harness::ToText(block.by), 200)),
                     "", "noise"});
  }
  return notes;
}

}  // namespace schedbench::report
