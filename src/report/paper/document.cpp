#include "harness/summary.hpp"
#include "report/paper/paper_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/quantity.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

constexpr std::string_view kSource = "the toucan report";

// A name: "BM_SlowThread<algo::GlobalFIFO>/4/1000" is algo::GlobalFIFO of "BM_SlowThread/4/1000".
struct PaperName {
  std::string benchmark;
  std::string algorithm;
};

PaperName SplitName(const std::string& name) {
  const std::size_t begin = name.find('<');
  const std::size_t end = name.rfind('>');
  if (begin == name.npos || end == name.npos || end < begin) {
    return {name, name};
  }
  return {name.substr(0, begin) + name.substr(end + 1), name.substr(begin + 1, end - begin - 1)};
}

std::string MedianText(const std::vector<double>& values) {
  return values.empty() ? "—" : Duration(harness::SpreadOf(values).median, kPageStyle);
}

Section BenchmarkSection(const std::string& benchmark,
                         const std::vector<const PaperRowResult*>& rows) {
  const bool is_published = std::ranges::any_of(
      rows, [](const PaperRowResult* row) { return row->published_ns.has_value(); });
  const bool has_failures =
      std::ranges::any_of(rows, [](const PaperRowResult* row) { return !row->failure.empty(); });
  using Row = const PaperRowResult*;
  TableOf<Row> table;
  table.Add({"algorithm"}, [](const Row& row) { return SplitName(row->name).algorithm; });
  table.Add({"Time", kRight}, [](const Row& row) { return MedianText(row->wall_ns); });
  table.Add({"CPU of the caller", kRight},
            [](const Row& row) { return MedianText(row->caller_cpu_ns); });
  table.Add({"CPU of all threads", kRight},
            [](const Row& row) { return MedianText(row->all_cpu_ns); });
  table.Add({std::string(kSource), kRight}, [](const Row& row) {
    return row->published_ns ? Duration(*row->published_ns, kPageStyle) : kPageStyle.Dash();
  });
  table.Add({"remarks", kLeft, has_failures ? kInPage : 0},
            [](const Row& row) { return row->failure; });
  Json bars = ArrayOf(rows, [](const Row& row) {
    Json bar{{"name", SplitName(row->name).algorithm}};
    if (!row->wall_ns.empty()) {
      AddSpread(harness::SpreadOf(row->wall_ns), bar);
    } else {
      bar["note"] = row->failure.empty() ? "not measured" : row->failure;
    }
    if (row->published_ns) {
      bar["reference"] = *row->published_ns;
    }
    return bar;
  });
  return {.title = benchmark,
          .about = is_published
                       ? "Median wall time of a round, with the time that the toucan report "
                         "reports. Its machine was another one: compare orders, not times."
                       : "Median wall time of a round. The toucan report reports no times of it.",
          .table = std::move(table).Rows(rows),
          .chart = {{"kind", "bars"},
                    {"value", AxisJson("wall time of a round", "ns", registry::Better::kLower)},
                    {"reference", kSource},
                    {"interval", "interval or range of the repetitions"},
                    {"bars", std::move(bars)}}};
}

}  // namespace

Document DocumentOf(const PaperResult& result, const TerminalStyle& /*style*/) {
  std::vector<std::pair<std::string, std::vector<const PaperRowResult*>>> benchmarks;
  for (const PaperRowResult& row : result.rows) {
    const std::string benchmark = SplitName(row.name).benchmark;
    auto found = std::ranges::find(benchmarks, benchmark, &decltype(benchmarks)::value_type::first);
    if (found == benchmarks.end()) {
      found = benchmarks.insert(benchmarks.end(), {benchmark, {}});
    }
    found->second.push_back(&row);
  }
  Document document{.title = "The tables of the toucan report",
                    .origin = Origin{result.machine, result.command, std::nullopt}};
  NoteOnBuild(document.notes);
  for (const auto& [benchmark, rows] : benchmarks) {
    document.sections.push_back(BenchmarkSection(benchmark, rows));
  }
  return document;
}

}  // namespace schedbench::report
