#include "base/vector_of.hpp"
#include "report/doctor/doctor_report.hpp"

#include <fmt/format.h>

#include <utility>

namespace schedbench::report {

namespace {

using harness::Finding;

Table FindingsTable(const DoctorResult& result) {
  TableOf<Finding> table;
  table.Add({.name = "severity", .media = kForPeople}, &Finding::severity);
  table.Add({"topic"}, &Finding::topic);
  table.Add({.name = "severity", .media = kInRows}, &Finding::severity);
  table.Add({"finding"}, &Finding::text);
  table.Add({.name = "remedy", .below = true}, &Finding::remedy);
  table.Add({.name = "too noisy", .media = kInPage | kInRows},
            [](const Finding& finding) { return FlagCell(finding.too_noisy); });
  return std::move(table).Rows(result.findings);
}

std::string VerdictOf(const DoctorResult& result) {
  const auto topics =
      VectorOf(result.findings | std::views::filter(&Finding::too_noisy), &Finding::topic);
  const std::string text =
      topics.empty() ? "good enough for comparisons"
                     : fmt::format("too noisy for comparisons: {}", fmt::join(topics, ", "));
  return result.complete ? text : text + " (interrupted)";
}

}  // namespace

Document DocumentOf(const DoctorResult& result, const TerminalStyle& /*style*/) {
  Document document{.title = "What disturbs measurements here",
                    .origin = Origin{result.machine, result.command, result.seed, kInPage},
                    .rows = FindingsTable(result)};
  document.sections = {
      {.title = "Findings", .table = document.rows},
      {.title = "Verdict", .details = {{VerdictOf(result), "", Emphasis::kStrong}}}};
  return document;
}

}  // namespace schedbench::report
