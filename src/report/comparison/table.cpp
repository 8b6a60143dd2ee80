#include "config/quote.hpp"
#include "registry/scheduler.hpp"
#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::Verdict;

constexpr TerminalStyle kAnyStyle;  // of what does not depend on one

// "98.75 %", rounded down: for many comparisons it is near 1, but never 1.
std::string LevelText(double level) {
  return fmt::format("{:.4g} %", std::floor(level * 1e4) / 1e2);
}

class ComparisonText {
 public:
  ComparisonText(const ComparisonResult& result, const TerminalStyle& style)
      : result_(result),
        style_(style) {
  }

  std::string Render() {
    text_ = Headline() + Runtimes();
    if (IsBrief()) {
      text_ += "\n" + RenderMatrix(result_, style_) +
               style_.Dim("  --verbose shows all metrics and intervals") + "\n";
      for (std::size_t workload = 0; workload < result_.plan.workloads.size(); ++workload) {
        AddFailures(workload);
      }
    } else {
      for (std::size_t workload = 0; workload < result_.plan.workloads.size(); ++workload) {
        AddWorkload(workload);
      }
      if (result_.plan.workloads.size() > 1) {
        text_ += RenderOverview(result_, *result_.comparison.rows.front().metric, style_);
      }
      AddSums();
    }
    AddLevel();
    AddOrigin();
    text_ += RenderGates(result_, style_);
    return std::move(text_);
  }

  std::string Conclusion() {
    AddSums();
    AddLevel();
    return text_;
  }

  std::string Remarks(std::size_t workload) {
    AddFailures(workload);
    AddMoved(workload);
    return text_ + RenderWork(result_, workload, style_);
  }

  std::string Ending() {
    AddPartial();
    AddDisturbances();
    return text_ + BaselineBanner(result_.plan, style_);
  }

  bool Shows(const ComparedRow& row) const {
    const bool chosen = !result_.plan.metrics.empty();  // then a row without a value has the reason
    return row.missing != harness::kNotReported && (chosen || IsKnown(row));
  }

  std::vector<std::string> Cells(const ComparedRow& row) const {
    std::vector<std::string> cells{
        row.alternative == 0 ? MetricLabel(*row.metric) + BetterArrow(row.metric->better, style_)
                             : "",
        NameOf(row.alternative),
        style_.Dash(),
        "",
        "",
        "",
        ""};
    if (!row.spread) {
      cells[6] = row.missing;
      return cells;
    }
    cells[2] = MetricText(*row.metric, row.spread->median, style_);
    cells[3] = SpreadText(*row.spread, style_);
    if (row.against && row.difference) {
      cells[4] = DifferenceText(row, style_);
      cells[5] = DifferenceInterval(row, style_);
      cells[6] = fmt::format("{} ({})", VerdictText(row), row.missing);
    } else if (row.against && row.ratio) {
      cells[4] = RatioText(row.ratio->ratio);
      cells[5] = RatioInterval(*row.ratio, style_);
      cells[6] = VerdictText(row);
    } else if (row.against) {
      cells[4] = row.point ? RatioText(*row.point) : "";
      cells[6] = row.missing;
    }
    return cells;
  }

  std::vector<Note> Notes() const {
    std::vector<Note> notes;
    NoteOnBuild(notes);
    NoteOnPerturbation(result_.perturbed, notes);
    if (const auto note = NoteOnBlocks(result_.plan, result_.comparison.comparisons)) {
      notes.push_back(*note);
    }
    for (std::size_t i = 0; i < result_.plan.alternatives.size(); ++i) {
      NoteOnSettings(NameOf(i), result_.plan.alternatives[i].config,
                     std::string(harness::ConfigInEffect(result_.data, i)), notes);
      if (const std::string& note = result_.plan.alternatives[i].note; !note.empty()) {
        const std::size_t remedy = note.find("    ");
        notes.push_back({note.substr(0, remedy), note.substr(remedy + 4)});
      }
    }
    std::vector<const registry::SchedulerEntry*> schedulers;
    for (const harness::Alternative& alternative : result_.plan.alternatives) {
      const registry::SchedulerEntry* const entry =
          alternative.runtime.empty() ? registry::FindScheduler(alternative.scheduler) : nullptr;
      if (entry != nullptr && std::ranges::find(schedulers, entry) == schedulers.end()) {
        schedulers.push_back(entry);
        NoteOnOptimization("scheduler", entry->name, entry->is_optimized, notes);
      }
    }
    for (const harness::ComparedWorkload& workload : result_.plan.workloads) {
      NoteOnOptimization("workload", workload.entry->name, workload.entry->is_optimized, notes);
      const auto compared = harness::ComparedMetrics(*workload.entry, result_.plan.metrics);
      if (registry::IsPaced(*workload.entry) && compared.front()->name == "throughput") {
        notes.push_back({fmt::format("the parameters of {} fix its throughput, which ranks nothing",
                                     workload.entry->name),
                         fmt::format("--metric {}", workload.entry->ranked_by)});
      }
    }
    return notes;
  }

 private:
  const std::string& NameOf(std::size_t alternative) const {
    return result_.plan.alternatives[alternative].name;
  }

  // Details of many alternatives would fill screens.
  bool IsBrief() const {
    constexpr std::size_t kMostDetailed = 5;
    return !result_.verbose && result_.plan.saved.count == 0 &&
           result_.plan.alternatives.size() > kMostDetailed;
  }

  std::string Headline() const {
    const harness::ComparisonPlan& plan = result_.plan;
    if (IsBrief()) {
      return Joined(
                 {style_.Bold(fmt::format("{} on {}", Plural(plan.alternatives.size(), "scheduler"),
                                          Plural(plan.workloads.size(), "workload"))),
                  BlocksText(), "fresh processes for each block"},
                 0, style_) +
             "\n";
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
      if (harness::Against(plan, i)) {
        names.push_back(NameOf(i));
      }
    }
    names.back() += " against " + (plan.saved.count == 0 ? NameOf(0) : "a baseline");
    return style_.Bold(Joined(names, 0, style_)) + "\n" +
           Joined({BlocksText(), fmt::format("{} warm-up", plan.warmup),
                   "fresh processes for each block"},
                  0, style_) +
           "\n" + BaselineBanner(plan, style_);
  }

  // "20 blocks of 3 rounds", "14 to 21 blocks of 3 rounds"
  std::string BlocksText() const {
    const std::string rounds = Plural(result_.plan.rounds, "round");
    if (!result_.plan.budget) {
      return fmt::format("{} of {}", Plural(result_.plan.blocks, "block"), rounds);
    }
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
    for (const auto& of_workload : result_.data.series) {
      for (const harness::Series& series : of_workload) {
        if (series.failure.empty()) {
          least = std::min(least, series.blocks.size());
          most = std::max(most, series.blocks.size());
        }
      }
    }
    return least >= most ? fmt::format("{} of {}", Plural(most, "block"), rounds)
                         : fmt::format("{} to {} of {}", least, Plural(most, "block"), rounds);
  }

  // The runtimes behind the foreign names, and their units of work.
  std::string Runtimes() const {
    std::string text;
    for (const harness::Alternative& alternative : result_.plan.alternatives) {
      if (!alternative.runtime.empty()) {
        text += style_.Dim(fmt::format("  {}: {}, {}", alternative.name,
                                       config::Escaped(alternative.runtime, 100),
                                       config::Escaped(alternative.tasks, 100))) +
                "\n";
      }
    }
    return text;
  }

  bool HasBlocks(std::size_t workload) const {
    return std::ranges::any_of(result_.data.series[workload], [](const harness::Series& series) {
      return !series.blocks.empty() || !series.failure.empty();
    });
  }

  void AddWorkload(std::size_t workload) {
    const harness::ComparedWorkload& compared = result_.plan.workloads[workload];
    if (!HasBlocks(workload)) {
      text_ +=
          fmt::format("\n{}: no block was finished{}\n",
                      style_.Bold(config::Escaped(compared.name, 200)), RemedyOfNoBlock(result_));
      return;
    }
    text_ += "\n" +
             Joined({style_.Bold(config::Escaped(compared.name, 200)),
                     fmt::format("an operation is a {}", compared.entry->operation)},
                    0, style_) +
             "\n\n";
    TextTable table{
        {"metric"},
        {""},
        {"median", kRight, false, 1},
        {"", kLeft, false, 2},
        {"ratio", kRight, true},
        {result_.plan.budget ? "interval" : LevelText(result_.comparison.level) + " interval"},
        {""}};
    for (const ComparedRow& row : result_.comparison.rows) {
      if (row.workload == workload && Shows(row)) {
        table.AddRow(Cells(row));
      }
    }
    text_ += table.Render(style_);
    AddFailures(workload);
    if (result_.verbose) {
      text_ += RenderBlocks(result_, workload, style_);
    }
    AddMoved(workload);
    text_ += RenderWork(result_, workload, style_);
  }

  // Whether any alternative has this metric.
  bool IsKnown(const ComparedRow& row) const {
    return std::ranges::any_of(result_.comparison.rows, [&row](const ComparedRow& other) {
      return other.workload == row.workload && other.metric == row.metric && other.spread;
    });
  }

  static std::string VerdictText(const ComparedRow& row) {
    std::string text(harness::ToText(*row.verdict));
    // Of more blocks than a day has time for, the number itself means nothing.
    constexpr std::size_t kMostBlocks = 10'000;
    if (row.pairs_to_resolve > kMostBlocks) {
      text += ": no practical number of blocks would resolve it";
    } else if (row.pairs_to_resolve > 0) {
      text += fmt::format(": about {} blocks would resolve it", row.pairs_to_resolve);
    }
    if (row.ranks) {
      text += fmt::format("  p {:.2g}, effect {}", row.ranks->p,
                          stats::EffectSize(row.ranks->superiority));
    }
    if (row.dependent && row.ratio) {
      text += row.ratio->stops_short
                  ? " (blocks resemble their neighbours: the interval may be too narrow, try more "
                    "--blocks)"
                  : " (blocks resemble their neighbours: the interval is widened)";
    }
    return text;
  }

  void AddFailures(std::size_t workload) {
    const auto& series = result_.data.series[workload];
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!series[i].failure.empty()) {
        text_ += fmt::format("  {}  {}: {}\n", series[i].absent ? "   " : "DNF", NameOf(i),
                             config::Escaped(series[i].failure, 1000));
        for (const std::string& line : series[i].details) {
          text_ += result_.verbose ? fmt::format("       {}\n", config::Escaped(line, 1000)) : "";
        }
        if (!result_.verbose && !series[i].details.empty()) {
          text_ += style_.Dim(
              fmt::format("       {} more: --verbose\n", Plural(series[i].details.size(), "line")));
        }
      }
    }
  }

  void AddMoved(std::size_t workload) {
    for (std::size_t i = 0; i < result_.plan.alternatives.size(); ++i) {
      std::string line;
      for (const harness::MovedCount& count : result_.comparison.moved) {
        if (count.workload == workload && count.alternative == i) {
          line += fmt::format("{}{} {:.3g} {} {:.3g}", line.empty() ? "" : ", ", count.name,
                              count.first, style_.Sign("→", "->"), count.second);
        }
      }
      if (!line.empty()) {
        text_ += style_.Dim(fmt::format("  why  {}, an operation: {}", NameOf(i), line)) + "\n";
      }
    }
  }

  void AddSums() {
    text_ += "\n";
    for (std::size_t i = 0; i < result_.plan.alternatives.size(); ++i) {
      if (const auto against = harness::Against(result_.plan, i)) {
        text_ += Sum(i, *against) + "\n";
      }
    }
  }

  void AddLevel() {
    const auto intervals =
        std::ranges::count_if(result_.comparison.rows, [](const ComparedRow& row) {
          return row.judged.has_value();
        });
    if (intervals > 0) {
      text_ +=
          style_.Dim(fmt::format(
              "95 % confidence in {}; differences below {} do not count{}",
              intervals == 1 ? "the interval" : fmt::format("all {} intervals together", intervals),
              Percent(result_.min_effect), FloorText())) +
          "\n";
    }
  }

  std::string FloorText() const {
    return result_.throughput_floor <= result_.min_effect
               ? ""
               : fmt::format(", those of throughput below {} (doctor)",
                             Percent(result_.throughput_floor));
  }

  std::string Sum(std::size_t alternative, std::size_t against) const {
    if (harness::AreSameInEffect(result_.plan, result_.data, alternative, against)) {
      return fmt::format(
          "{} against {}: the same settings were in effect, so that the ratios show "
          "noise alone",
          NameOf(alternative), NameOf(against));
    }
    std::string text;
    for (const Verdict verdict : kVerdictOrder) {
      const auto count =
          std::ranges::count_if(result_.comparison.rows, [&](const ComparedRow& row) {
            return row.alternative == alternative && row.verdict == verdict;
          });
      if (count > 0) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", harness::ToText(verdict), count);
      }
    }
    const auto failures = std::ranges::count_if(
        result_.data.series, [alternative](const std::vector<harness::Series>& of_workload) {
          return !of_workload[alternative].failure.empty() && !of_workload[alternative].absent;
        });
    if (failures > 0) {
      text += fmt::format("{}DNF under {} of {} workloads", text.empty() ? "" : ", ", failures,
                          result_.data.series.size());
    }
    if (text.empty()) {
      text = IsAbsent(alternative) || IsAbsent(against) ? "nothing to compare" : "inconclusive";
    }
    return fmt::format("{} against {}: {}", style_.Bold(NameOf(alternative)), NameOf(against),
                       text);
  }

  // Whether it has none of the workloads.
  bool IsAbsent(std::size_t alternative) const {
    return std::ranges::all_of(result_.data.series, [alternative](const auto& of_workload) {
      return of_workload[alternative].absent;
    });
  }

  // Blocks on a busy machine, and how many were measured again.
  void AddDisturbances() {
    const auto& disturbed = result_.data.disturbed;
    if (disturbed.empty()) {
      return;
    }
    const auto repeated = std::ranges::count_if(disturbed, [](const auto& block) {
      return !block.replaced.empty();
    });
    const auto kept = std::ssize(disturbed) - repeated;
    const auto worst = std::ranges::max_element(disturbed, {}, [](const auto& block) {
      return block.by.steal_share + block.by.others_share;
    });
    text_ += LabelledLine(
        "noise",
        fmt::format("{}; {} measured again, {} that count{} disturbed    schedbench doctor",
                    config::Escaped(harness::ToText(worst->by), 200),
                    repeated == 1 ? "1 block was" : fmt::format("{} blocks were", repeated), kept,
                    kept == 1 ? "s was" : " were"),
        style_);
  }

  void AddPartial() {
    if (!result_.data.complete) {
      text_ += LabelledLine(
          "partial",
          result_.plan.budget
              ? std::string("interrupted before the end of the budget")
              : fmt::format("interrupted after {} of {} blocks",
                            result_.data.series.back().back().blocks.size(), result_.plan.blocks),
          style_);
    }
  }

  void AddOrigin() {
    text_ += "\n";
    AddPartial();
    text_ += NoteLines(Notes(), style_);
    AddDisturbances();
    if (result_.verbose) {
      text_ += RenderAgents(result_, style_);
    }
    text_ += PlaceLines(result_.plan.places, style_, result_.data.lost);
    text_ += OriginLines(result_.machine, result_.command, result_.plan.seed, style_);
  }

  const ComparisonResult& result_;
  const TerminalStyle& style_;
  std::string text_;
};

}  // namespace

std::string ConclusionLines(const ComparisonResult& result, const TerminalStyle& style) {
  return ComparisonText(result, style).Conclusion();
}

std::string RemarksOn(const ComparisonResult& result, std::size_t workload,
                      const TerminalStyle& style) {
  return ComparisonText(result, style).Remarks(workload);
}

std::string EndingLines(const ComparisonResult& result, const TerminalStyle& style) {
  return ComparisonText(result, style).Ending();
}

std::vector<std::string> RowCells(const ComparisonResult& result, const ComparedRow& row,
                                  const TerminalStyle& style) {
  return ComparisonText(result, style).Cells(row);
}

bool IsShown(const ComparisonResult& result, const ComparedRow& row) {
  return ComparisonText(result, kAnyStyle).Shows(row);
}

std::vector<Note> NotesOn(const ComparisonResult& result) {
  return ComparisonText(result, kAnyStyle).Notes();
}

std::string RenderTable(const ComparisonResult& result, const TerminalStyle& style) {
  return ComparisonText(result, style).Render();
}

}  // namespace schedbench::report
