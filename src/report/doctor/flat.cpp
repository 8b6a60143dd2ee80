#include "report/doctor/doctor_report.hpp"
#include "report/parts/flat_table.hpp"

#include <string>

namespace schedbench::report {

namespace {

// A row for each finding.
FlatTable Flattened(const DoctorResult& result) {
  FlatTable table{.columns = {"topic", "severity", "finding", "remedy", "too noisy"}, .rows = {}};
  for (const harness::Finding& finding : result.findings) {
    table.rows.push_back({finding.topic, harness::ToText(finding.severity), finding.text,
                          finding.remedy, finding.too_noisy ? "yes" : "no"});
  }
  return table;
}

}  // namespace

std::string RenderDoctorCsv(const DoctorResult& result, const TerminalStyle& /*style*/) {
  return CsvText(Flattened(result));
}

std::string RenderDoctorMarkdown(const DoctorResult& result, const TerminalStyle& /*style*/) {
  return MarkdownText(Flattened(result));
}

}  // namespace schedbench::report
