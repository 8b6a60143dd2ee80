#include "report/parts/chart_page.hpp"

#include "profile/page_with_data.hpp"
#include "registry/pages.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace schedbench::report {

namespace {

constexpr int kChartPageVersion = 1;

Json PageTableJson(const PageTable& table) {
  const auto column_json = [](const PageColumn& column) -> Json {
    return {{"name", column.name}, {"align", column.is_number ? "right" : "left"}};
  };
  return {{"columns", ArrayOf(table.columns, column_json)}, {"rows", table.rows}};
}

}  // namespace

Json SectionJson(const PageSection& section, const Json& chart) {
  Json json{{"title", section.title}};
  if (!section.about.empty()) {
    json["about"] = section.about;
  }
  if (!chart.is_null()) {
    json["chart"] = chart;
  }
  if (!section.empty.empty()) {
    json["empty"] = section.empty;
  }
  if (!section.sentences.empty()) {
    json["sentences"] = section.sentences;
  }
  if (!section.table.columns.empty()) {
    json["table"] = PageTableJson(section.table);
  }
  return json;
}

Json AxisJson(std::string_view name, std::string_view unit, registry::Better better) {
  return {{"name", name}, {"unit", unit}, {"better", registry::ToText(better)}};
}

Json AxisJson(const registry::Metric& metric, std::string_view operation) {
  const bool counts_operations = metric.name == "throughput";
  return AxisJson(MetricLabel(metric),
                  !counts_operations  ? std::string(metric.unit)
                  : operation.empty() ? "operations/s"
                                      : std::string(operation) + "s/s",
                  metric.better);
}

void AddSpread(const harness::Spread& spread, Json& object) {
  object["value"] = JsonNumber(spread.median);
  if (spread.low < spread.high) {
    object["low"] = JsonNumber(spread.low);
    object["high"] = JsonNumber(spread.high);
  }
}

Json PointJson(double x, const harness::Spread& spread) {
  return Json::array(
      {x, JsonNumber(spread.median), JsonNumber(spread.low), JsonNumber(spread.high)});
}

std::optional<PercentileName> PercentileOf(const registry::Metric& metric) {
  constexpr std::string_view kMax = "_max";
  const std::string_view name = metric.name;
  if (metric.unit != "ns") {
    return std::nullopt;
  }
  if (name.ends_with(kMax)) {
    return PercentileName{name.substr(0, name.size() - kMax.size()), 100};
  }
  const std::size_t mark = name.rfind("_p");
  if (mark == name.npos) {
    return std::nullopt;
  }
  // "99_9"
  std::string number(name.substr(mark + 2));
  std::ranges::replace(number, '_', '.');
  double percentile = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), percentile);
  if (error != std::errc() || end != number.data() + number.size() || percentile <= 0 ||
      percentile >= 100) {
    return std::nullopt;
  }
  return PercentileName{name.substr(0, mark), percentile};
}

std::string Capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

std::vector<std::string> Sentences(std::string_view text) {
  std::vector<std::string> sentences;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (const std::size_t begin = line.find_first_not_of(' '); begin != line.npos) {
      sentences.emplace_back(line.substr(begin));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sentences;
}

std::vector<Note> NotesOfLines(std::string_view text) {
  constexpr std::size_t kLabel = 8;          // characters, of LabelledLine()
  constexpr std::string_view kGap = "    ";  // before a remedy
  std::vector<Note> notes;
  for (std::string& line : Sentences(text)) {
    Note& note = notes.emplace_back();
    if (const std::size_t gap = line.find(kGap, kLabel); gap != line.npos) {
      note.remedy = line.substr(line.find_first_not_of(' ', gap));
      line.resize(gap);
    }
    const std::size_t end = line.find(' ');
    const bool has_label = end < kLabel && line.find_first_not_of(' ', end) == kLabel;
    note.text = has_label ? line.substr(0, end) + ": " + line.substr(kLabel) : line;
  }
  return notes;
}

std::string ChartPageText(const PageHead& head, const platform::MachineInfo& machine,
                          const std::vector<std::string>& command,
                          std::optional<std::uint64_t> seed, Json sections) {
  auto facts = head.facts;
  std::ranges::move(OriginFacts(machine, command, seed), std::back_inserter(facts));
  auto all = head.notes;
  std::ranges::move(NotesOn(machine), std::back_inserter(all));
  const Json notes = ArrayOf(all, [](const Note& note) -> Json {
    return {note.text, note.remedy};
  });
  const Json data{{"version", kChartPageVersion},
                  {"title", head.title},
                  {"facts", facts},
                  {"notes", notes},
                  {"sections", std::move(sections)}};
  return profile::PageWithData(registry::ChartPage(),
                               data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool HasChartPage() {
  return !registry::ChartPage().empty();
}

}  // namespace schedbench::report
