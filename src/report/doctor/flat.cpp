#include "report/doctor/doctor_report.hpp"

namespace schedbench::report {

FlatTable Flattened(const DoctorResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"topic", "severity", "finding", "remedy", "too noisy"}};
  for (const harness::Finding& finding : result.findings) {
    table.rows.push_back({finding.topic, harness::ToText(finding.severity), finding.text,
                          finding.remedy, finding.too_noisy ? "yes" : "no"});
  }
  return table;
}

}  // namespace schedbench::report
