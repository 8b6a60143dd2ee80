#include "report/parts/origin.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"
#include "report/tune/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::TuneRatio;

std::string AnswerLines(const TuneResult& result, const TerminalStyle& style) {
  std::string text = "\n" + style.Bold(AnswerText(result)) + "\n";
  for (const std::string& line : AnswerDetails(result)) {
    text += "  " + line + "\n";
  }
  return text;
}

// What the finalists are.
std::string FinalistTable(const TuneResult& result, const TerminalStyle& style) {
  const std::vector<std::size_t> finalists = harness::FinalistsOf(result.data);
  TextTable table{{"on fresh data"}, {"settings"}};
  for (std::size_t i = 1; i < finalists.size(); ++i) {
    table.AddRow({TuneRoleName(result, i), TuneCandidateName(result.plan, finalists[i])});
  }
  return table.Render(style);
}

std::string ComparisonTable(const TuneResult& result, const TerminalStyle& style) {
  if (result.decision.ratios.empty()) {
    return "";
  }
  TextTable table{{"ratio of"}, {"to"}, {"workload"}, {"objective"}, {"ratio"}, {""}};
  for (const TuneRatio& ratio : result.decision.ratios) {
    table.AddRow({TuneRoleName(result, ratio.finalist), TuneRoleName(result, ratio.against),
                  ScopeText(result.plan, ratio),
                  std::string(harness::ToText(result.plan.objectives[ratio.objective])),
                  TuneRatioText(ratio),
                  ratio.verdict ? std::string(harness::ToText(*ratio.verdict)) : ""});
  }
  return "\n" + FinalistTable(result, style) + "\n" + table.Render(style);
}

std::string RungTable(const TuneResult& result, const TerminalStyle& style) {
  TextTable table{{"search", kRight},  {"candidates", kRight}, {"blocks", kRight},
                  {"dropped", kRight}, {"kept", kRight},       {"best so far"}};
  for (std::size_t i = 0; i < result.data.rungs.size(); ++i) {
    const harness::TuneRung& rung = result.data.rungs[i];
    table.AddRow({fmt::format("{}", i + 1), fmt::format("{}", rung.candidates.size()),
                  fmt::format("{}", rung.blocks), fmt::format("{}", rung.dropped.size()),
                  fmt::format("{}", rung.kept.size()),
                  rung.kept.empty() ? "" : ShortCandidateName(result.plan, rung.kept.front())});
  }
  return "\n" + table.Render(style);
}

using ShareRow = std::pair<double, std::vector<std::string>>;  // the largest share, and the cells

// Replaces fields that explain next to nothing by a line, if they are many. `rows`: the largest first.
void CollapseSmall(std::vector<ShareRow>& rows) {
  constexpr std::size_t kMostFields = 8;
  constexpr double kSmall = 0.01;
  const auto first = std::ranges::find_if(rows, [](const ShareRow& row) {
    return row.first < kSmall;
  });
  const auto count = static_cast<std::size_t>(rows.end() - first);
  if (rows.size() <= kMostFields || count < 2) {
    return;
  }
  std::vector<std::string> cells{fmt::format("each of {} other fields", count)};
  cells.resize(first->second.size(), "<1 %");
  rows.erase(first, rows.end());
  rows.emplace_back(0, std::move(cells));
}

std::string TuneImportanceTable(const TuneResult& result, const TerminalStyle& style) {
  std::vector<ShareRow> rows;
  TextTable table{{"what explains the differences"}};
  std::vector<const harness::FieldImportance*> known;
  for (const harness::FieldImportance& one : result.importance) {
    if (HasShares(one)) {
      known.push_back(&one);
      table.AddColumn(std::string(harness::ToText(result.plan.objectives[one.objective])), kRight);
    }
  }
  const std::string lines = TuneReliabilityLines(result);
  if (known.empty()) {
    return lines.empty() ? "" : "\n" + lines;
  }
  const auto add = [&](const std::string& name, const auto& share_of) {
    std::vector<std::string> cells{name};
    double most = 0;
    for (const harness::FieldImportance* const one : known) {
      cells.push_back(Percent(share_of(*one)));
      most = std::max(most, share_of(*one));
    }
    rows.emplace_back(most, std::move(cells));
  };
  for (std::size_t field = 0; field < result.plan.fields.size(); ++field) {
    add(result.plan.fields[field].path, [field](const harness::FieldImportance& one) {
      return one.shares[field];
    });
  }
  // Of equal ones by the name.
  std::ranges::sort(rows, {}, [](const ShareRow& row) {
    return std::pair(-row.first, row.second.front());
  });
  CollapseSmall(rows);
  if (result.plan.fields.size() > 1) {
    add("fields together, beyond each alone", [](const harness::FieldImportance& one) {
      return one.rest;
    });
  }
  for (auto& [share, cells] : rows) {
    table.AddRow(std::move(cells));
  }
  return "\n" + table.Render(style) + lines;
}

}  // namespace

std::string RenderTable(const TuneResult& result, const TerminalStyle& style) {
  std::string text =
      style.Bold(Joined(TuneHeadline(result), 0, style)) + "\n" + TuneEndingLines(result, style);
  text += AnswerLines(result, style) + ComparisonTable(result, style) + RungTable(result, style) +
          TuneImportanceTable(result, style);
  const std::string failures = TuneFailureLines(result, style);
  return text + (failures.empty() ? "" : "\n") + failures + "\n" +
         NoteLines(NotesOn(result), style) +
         OriginLines(result.machine, result.command, result.plan.seed, style);
}

}  // namespace schedbench::report
