#include "tests/record/schema.hpp"

#include "harness/result.hpp"
#include "report/audit/audit_report.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/history/history_report.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/load/load_report.hpp"
#include "report/metg/metg_report.hpp"
#include "report/run/run_report.hpp"
#include "report/slo/slo_report.hpp"
#include "report/whatif/whatif_report.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace schedbench::report::schema_test {

namespace {

struct Kind {
  std::string name;
  std::string command;
  const record::Record& record;
};

std::vector<Kind> Kinds() {
  return {{"audit", "audit", RecordOf(static_cast<const AuditResult*>(nullptr))},
          {"bisect", "history bisect", RecordOf(static_cast<const BisectResult*>(nullptr))},
          {"comparison", "compare", RecordOf(static_cast<const ComparisonResult*>(nullptr))},
          {"doctor", "doctor", RecordOf(static_cast<const DoctorResult*>(nullptr))},
          {"history", "history", RecordOf(static_cast<const HistoryResult*>(nullptr))},
          {"hypotheses", "hypotheses", RecordOf(static_cast<const HypothesesResult*>(nullptr))},
          {"load", "load", RecordOf(static_cast<const LoadResult*>(nullptr))},
          {"metg", "metg", RecordOf(static_cast<const MetgResult*>(nullptr))},
          {"run", "run", RecordOf(static_cast<const harness::RunResult*>(nullptr))},
          {"slo", "run --slo", RecordOf(static_cast<const harness::SloResult*>(nullptr))},
          {"whatif", "whatif", RecordOf(static_cast<const WhatIfReport*>(nullptr))}};
}

// The command that the failure prints accepts the new schemas.
TEST(Schema, InTheDocumentsIsWhatTheRecordSays) {
  for (const auto& [name, command, record] : Kinds()) {
    const std::string text = record::SchemaText(
        record, "Result of schedbench " + command,
        fmt::format("schedbench --format json; version {}.", harness::kSchemaVersion));
    const std::string file = name + ".schema.json";
    std::ifstream saved(std::string(SCHEDBENCH_SOURCE_DIR) + "/docs/schema/" + file);
    std::ostringstream document;
    document << saved.rdbuf();
    if (document.str() != text) {
      std::ofstream(file) << text;
      ADD_FAILURE() << "docs/schema/" << file << " has other keys than the record; to accept: cp "
                    << file << " docs/schema/";
    }
  }
}

}  // namespace

}  // namespace schedbench::report::schema_test
