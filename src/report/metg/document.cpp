#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/metg/metg_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace schedbench::report {

namespace {

using harness::MetgCurve;
using harness::MetgOutcome;
using harness::MetgPoint;

// Returns "1.12 µs", "below 30 ns".
std::string GranularityText(const MetgCurve& curve, const TerminalStyle& style) {
  if (!curve.ns) {
    return style.Dash();
  }
  const std::string value = Duration(*curve.ns, style);
  switch (curve.outcome) {
    case MetgOutcome::kBelowSmallest:
      return "at most " + value;
    case MetgOutcome::kNotReached:
      return "above " + value;
    case MetgOutcome::kUnclear:
      return (curve.low_is_open ? "at most " : "at least ") + value;
    default:
      return value;
  }
}

std::string MetgIntervalText(const MetgCurve& curve, const TerminalStyle& style) {
  if (!curve.low || !curve.high) {
    return "";
  }
  return fmt::format("{}{} to {}{}", curve.low_is_open ? "below " : "", Duration(*curve.low, style),
                     curve.high_is_open ? "above " : "", Duration(*curve.high, style));
}

std::string ConclusionText(const MetgResult& result, std::size_t index) {
  const MetgCurve& curve = result.curves[index];
  if (curve.outcome == MetgOutcome::kUnclear) {
    return curve.ns ? "unclear" : "unclear: measured too little";
  }
  if (curve.outcome != MetgOutcome::kFound) {
    return std::string(harness::ToText(curve.outcome));
  }
  if (index % result.plan.alternatives.size() == 0) {
    return result.plan.alternatives.size() == 1 ? "" : "the reference";
  }
  if (!curve.ratio) {
    const std::size_t first = index - index % result.plan.alternatives.size();
    return result.curves[first].outcome == MetgOutcome::kFound ? "too few blocks"
                                                               : "nothing to compare with";
  }
  return std::string(harness::ToText(*curve.verdict));
}

// Returns the results of a workload. The rows are numbers of curves.
Section ResultSection(const MetgResult& result, std::size_t workload, const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  const auto curve_of = [&](std::size_t i) -> const MetgCurve& {
    return result.curves[workload * count + i];
  };
  TableOf<std::size_t> table;
  table.Add({"alternative"},
            [&](std::size_t i) { return config::Escaped(result.plan.alternatives[i].name); });
  table.Add({fmt::format("METG({})", Percent(result.plan.efficiency)), kRight},
            [&](std::size_t i) { return GranularityText(curve_of(i), style); });
  table.Add({"95 % interval"}, [&](std::size_t i) { return MetgIntervalText(curve_of(i), style); });
  table.Add({.name = "ratio to the first", .media = count > 1 ? kForPeople : 0U},
            [&](std::size_t i) {
              return Cell(curve_of(i).ratio ? EstimateText(*curve_of(i).ratio) : "");
            });
  table.Add({"conclusion"},
            [&](std::size_t i) { return ConclusionText(result, workload * count + i); });
  Json bars = ArrayOf(Indices(count), [&](std::size_t i) {
    const MetgCurve& curve = curve_of(i);
    const bool is_found = curve.ns && curve.outcome == MetgOutcome::kFound;
    const std::string conclusion = ConclusionText(result, workload * count + i);
    // Without a bar, show "above 8.19 µs, not reached".
    Json bar{{"name", result.plan.alternatives[i].name},
             {"note", curve.ns && !is_found
                          ? fmt::format("{}, {}", GranularityText(curve, style), conclusion)
                          : conclusion}};
    if (is_found) {
      bar["value"] = *curve.ns;
      if (curve.low && curve.high) {
        bar["low"] = *curve.low;
        bar["high"] = *curve.high;
      }
    }
    return bar;
  });
  return {.title = "Granularity under " + config::Escaped(result.plan.workloads[workload].name),
          .about = fmt::format("The smallest time of a worker for a task, with all overhead, at "
                               "which {} of it is work.",
                               Percent(result.plan.efficiency)),
          .table = std::move(table).Rows(Indices(count)),
          .chart = {{"kind", "bars"},
                    {"value", AxisJson("granularity", "ns", registry::Better::kLower)},
                    {"interval", "95 % interval"},
                    {"bars", std::move(bars)}}};
}

// Returns a line for each grain of the search, with the efficiencies of the measured alternatives.
// CSV also has the grains near the results.
Table SearchTable(const MetgResult& result, std::size_t workload, const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  Table table{.columns = {{"efficiency at grain", kRight}}};
  for (std::size_t i = 0; i < count; ++i) {
    table.columns.push_back({.name = config::Escaped(result.plan.alternatives[i].name),
                             .align = kRight,
                             .loss = static_cast<int>(i)});
  }
  for (const std::uint64_t grain : result.plan.grains) {
    std::vector<Cell> cells{Duration(static_cast<double>(grain), style)};
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      Cell& cell = cells.emplace_back();
      for (const MetgPoint& point : result.data.curves[workload * count + i]) {
        const auto efficiency =
            point.grain_ns == grain ? harness::EfficiencyOf(result.plan, point) : std::nullopt;
        cell = efficiency ? Cell(Percent(efficiency->median)) : cell;
        any = any || efficiency;
      }
    }
    if (any) {
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

struct GrainPoint {
  std::uint64_t grain_ns;
  harness::Spread efficiency;
  std::size_t blocks;
};

// Returns the points of a curve that have an efficiency, by the grain: those near the result,
// otherwise those of the search. A line through both, from different times, would be a zigzag.
std::vector<GrainPoint> PointsOf(const MetgResult& result, std::size_t index) {
  const std::vector<MetgPoint>& all = result.data.curves[index];
  const bool has_fine = std::ranges::any_of(all, &MetgPoint::fine);
  std::vector<GrainPoint> points;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // The search comes first and takes the grains of the plan in their order; probes follow.
    const std::vector<std::uint64_t>& grains = result.plan.grains;
    const bool of_search = !all[i].fine && i < grains.size() && all[i].grain_ns == grains[i];
    const auto efficiency = (has_fine ? all[i].fine : of_search)
                                ? harness::EfficiencyOf(result.plan, all[i])
                                : std::nullopt;
    if (efficiency) {
      points.push_back({all[i].grain_ns, *efficiency, all[i].series.blocks.size()});
    }
  }
  std::ranges::sort(points, {}, &GrainPoint::grain_ns);
  return points;
}

struct NamedPoint {
  std::string alternative;
  GrainPoint point;
};

Section EfficiencySection(const MetgResult& result, std::size_t workload,
                          const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  std::vector<NamedPoint> all;
  Json lines = Json::array();
  std::uint64_t least = result.plan.grains.back();
  std::uint64_t most = result.plan.grains.front();
  for (std::size_t i = 0; i < count; ++i) {
    Json points = Json::array();
    const std::string& name = result.plan.alternatives[i].name;
    for (const GrainPoint& point : PointsOf(result, workload * count + i)) {
      const auto grain = static_cast<double>(point.grain_ns);
      // The range of two or three blocks is not an interval.
      points.push_back(point.efficiency.is_interval
                           ? PointJson(grain, point.efficiency)
                           : Json::array({grain, record::ToJson(point.efficiency.median)}));
      all.push_back({name, point});
      least = std::min(least, point.grain_ns);
      most = std::max(most, point.grain_ns);
    }
    if (!points.empty()) {  // the legend would show a line without points
      lines.push_back({{"name", name}, {"points", std::move(points)}});
    }
  }
  TableOf<NamedPoint> table;
  table.Add({"alternative"}, &NamedPoint::alternative);
  table.Add({"grain", kRight}, [&style](const NamedPoint& one) {
    return Duration(static_cast<double>(one.point.grain_ns), style);
  });
  table.Add({"efficiency", kRight},
            [](const NamedPoint& one) { return Percent(one.point.efficiency.median); });
  table.Add({"95 % interval"}, [](const NamedPoint& one) -> Cell {
    const harness::Spread& spread = one.point.efficiency;
    return spread.is_interval ? fmt::format("{} to {}", Percent(spread.low), Percent(spread.high))
                              : "";
  });
  table.Add({"blocks", kRight}, [](const NamedPoint& one) { return one.point.blocks; });
  const double wanted = result.plan.efficiency;
  return {.title = "Efficiency by grain under " + result.plan.workloads[workload].name,
          .about =
              "The share of a worker's time for a task that is work, by the work of a task: "
              "near the result, or of the search where nothing was measured there.",
          .table = std::move(table).Rows(all),
          .chart = {{"kind", "curve"},
                    {"x", AxisJson("grain: work of a task", "ns")},
                    {"value", AxisJson("efficiency", "share", registry::Better::kHigher)},
                    {"lines", std::move(lines)},
                    {"fits", Json::array({{{"name", Percent(wanted)},
                                           {"points", {{least, wanted}, {most, wanted}}}}})}},
          .media = kInPage};
}

void NoteOnUnclear(const MetgResult& result, std::vector<Note>& notes) {
  const auto has = [&result](bool has_bound) {
    return std::ranges::any_of(result.curves, [has_bound](const MetgCurve& curve) {
      return curve.outcome == MetgOutcome::kUnclear && curve.ns.has_value() == has_bound;
    });
  };
  if (has(true)) {
    notes.push_back({fmt::format("unclear: the grains near the result are all on one side of {}, "
                                 "so that only a bound is known",
                                 Percent(result.plan.efficiency)),
                     fmt::format("schedbench doctor; then --blocks {} or wider --grains",
                                 2 * result.plan.blocks)});
  }
  if (has(false) && result.data.out_of_budget) {
    notes.push_back({"unclear: the time was over before the grains near the result were measured",
                     "a larger --budget"});
  }
}

void NoteOnTooFewBlocks(const MetgResult& result, std::vector<Note>& notes) {
  const harness::MetgPlan& plan = result.plan;
  bool any = false;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const MetgCurve& curve = result.curves[i];
    const MetgCurve& first = result.curves[i - i % plan.alternatives.size()];
    const bool compared = &curve != &first && first.outcome == MetgOutcome::kFound;
    any =
        any || (curve.outcome == MetgOutcome::kFound && (!curve.low || (compared && !curve.ratio)));
  }
  if (!any) {
    return;
  }
  const std::size_t ratios = plan.workloads.size() * (plan.alternatives.size() - 1);
  const std::size_t needed = harness::BlocksForRatios(plan);
  const std::string what = ratios <= 1
                               ? "a 95 % interval needs"
                               : fmt::format("95 % intervals of {} ratios at once need", ratios);
  notes.push_back({fmt::format("{} {} blocks of all alternatives", what, needed),
                   plan.blocks < needed        ? fmt::format("--blocks {}", needed)
                   : result.data.out_of_budget ? "a larger --budget"
                                               : ""});
}

std::vector<Note> MetgNotes(const MetgResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.perturbed, notes);
  const auto has = [&result](MetgOutcome outcome) {
    return std::ranges::find(result.curves, outcome, &MetgCurve::outcome) != result.curves.end();
  };
  if (has(MetgOutcome::kNotReached)) {
    notes.push_back({fmt::format("the largest grain of the search does not reach {}: a workload "
                                 "with fewer tasks at a time than workers may never",
                                 Percent(result.plan.efficiency)),
                     fmt::format("--grains {}..{}*4", result.plan.grains.front(),
                                 result.plan.grains.back() * 16)});
  }
  if (has(MetgOutcome::kBelowSmallest) && result.plan.grains.front() > 1) {
    notes.push_back({fmt::format("the smallest grain of the search already reaches {}",
                                 Percent(result.plan.efficiency)),
                     fmt::format("--grains 1..{}*4", result.plan.grains.back())});
  }
  NoteOnUnclear(result, notes);
  NoteOnTooFewBlocks(result, notes);
  return notes;
}

// Returns a row for each result and for each point of its curve.
Table RowsOf(const MetgResult& result, const TerminalStyle& style) {
  struct Row {
    std::size_t curve;
    const MetgPoint* point;  // null: the result
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    rows.push_back({i, nullptr});
    for (const MetgPoint& point : result.data.curves[i]) {
      rows.push_back({i, &point});
    }
  }
  const std::size_t alternatives = result.plan.alternatives.size();
  const auto efficiency_of = [&result](const Row& row) {
    return row.point == nullptr ? std::nullopt : harness::EfficiencyOf(result.plan, *row.point);
  };
  TableOf<Row> table;
  table.Add({"workload"},
            [&](const Row& row) { return result.plan.workloads[row.curve / alternatives].name; });
  table.Add({"alternative"}, [&](const Row& row) {
    return result.plan.alternatives[row.curve % alternatives].name;
  });
  table.Add({"row"}, [](const Row& row) -> Cell {
    return row.point == nullptr ? "metg" : row.point->fine ? "point" : "search";
  });
  table.Add({.name = "grain", .unit = "ns"}, [&style](const Row& row) {
    return row.point == nullptr ? Cell()
                                : Cell(std::to_string(row.point->grain_ns),
                                       Duration(static_cast<double>(row.point->grain_ns), style));
  });
  // A larger efficiency is a smaller granularity.
  using harness::Spread;
  for (const auto& [name, of_result, of_point] :
       {std::tuple{"granularity", &MetgCurve::ns, &Spread::median},
        std::tuple{"low", &MetgCurve::low, &Spread::high},
        std::tuple{"high", &MetgCurve::high, &Spread::low}}) {
    table.Add({.name = name, .unit = "ns"}, [&, of_result, of_point](const Row& row) {
      const auto of_efficiency = [&](const Spread& efficiency) {
        return static_cast<double>(row.point->grain_ns) / efficiency.*of_point;
      };
      return TimeCell(row.point == nullptr ? result.curves[row.curve].*of_result
                                           : Mapped(efficiency_of(row), of_efficiency),
                      style);
    });
  }
  table.Add({"efficiency"}, [&](const Row& row) {
    return ShareCell(row.point == nullptr ? result.plan.efficiency
                                          : Mapped(efficiency_of(row), &Spread::median));
  });
  for (const auto& [name, part] :
       {std::pair{"efficiency low", &Spread::low}, std::pair{"efficiency high", &Spread::high}}) {
    table.Add({name},
              [&, part](const Row& row) { return ShareCell(Mapped(efficiency_of(row), part)); });
  }
  table.AddRatio({.name = "ratio", .media = kInRows}, [&](const Row& row) {
    return row.point == nullptr ? result.curves[row.curve].ratio : std::nullopt;
  });
  table.Add({"blocks"}, [&](const Row& row) {
    return std::to_string(row.point == nullptr ? result.curves[row.curve].blocks
                                               : row.point->series.blocks.size());
  });
  table.Add({"status"}, [&](const Row& row) -> Cell {
    const MetgCurve& curve = result.curves[row.curve];
    return row.point != nullptr ? ""
           : curve.verdict      ? harness::ToText(*curve.verdict)
                                : harness::ToText(curve.outcome);
  });
  table.Add({"reason"}, [&](const Row& row) {
    return row.point == nullptr ? result.curves[row.curve].failure : row.point->series.failure;
  });
  return std::move(table).Rows(rows);
}

}  // namespace

Document DocumentOf(const MetgResult& result, const TerminalStyle& style) {
  const harness::MetgPlan& plan = result.plan;
  Document document{
      .title = fmt::format("METG({})", Percent(plan.efficiency)),
      .headline = {"the smallest time per task at which " + Percent(plan.efficiency) +
                       " of it is work",
                   fmt::format("{} of {} and {} warm-up", Plural(plan.blocks, "block"),
                               Plural(plan.rounds, "round"), plan.warmup)},
      .endings = EndingsOf(result.data.complete, result.data.out_of_budget, result.data),
      .notes = MetgNotes(result),
      .origin = Origin{result.machine, result.command, plan.seed},
      .rows = RowsOf(result, style)};
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    document.title += (i == 0 ? " of " : ", ") + plan.workloads[i].name;
    document.sections.push_back(ResultSection(result, i, style));
    document.sections.push_back({.table = SearchTable(result, i, style), .media = kInTerminal});
    document.sections.push_back(EfficiencySection(result, i, style));
  }
  const std::size_t count = plan.alternatives.size();
  Section failures{.title = "Failures"};
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    if (result.curves[i].outcome == MetgOutcome::kFailed) {
      failures.details.push_back(
          {fmt::format("failed {} under {}: {}", config::Escaped(plan.alternatives[i % count].name),
                       config::Escaped(plan.workloads[i / count].name),
                       config::Escaped(result.curves[i].failure, 1000))});
    }
  }
  if (!failures.details.empty()) {
    document.sections.push_back(std::move(failures));
  }
  return document;
}

}  // namespace schedbench::report
