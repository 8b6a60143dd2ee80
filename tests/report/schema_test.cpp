#include "tests/record/schema.hpp"

#include "harness/agent/message.hpp"
#include "harness/result.hpp"
#include "report/audit/audit_report.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/history/history_report.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/list/list_report.hpp"
#include "report/load/load_report.hpp"
#include "report/metg/metg_report.hpp"
#include "report/run/run_report.hpp"
#include "report/slo/slo_report.hpp"
#include "report/study/study_report.hpp"
#include "report/sweep/sweep_report.hpp"
#include "report/tune/tune_report.hpp"
#include "report/whatif/whatif_report.hpp"
#include "tests/harness/agent/message_records.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace schedbench::report::schema_test {

namespace {

struct Kind {
  std::string name;
  std::string command;
  record::Record record;
};

const record::Record& RecordOfCells(SweepResult::Kind kind) {
  SweepResult result;
  result.kind = kind;
  return RecordOf(&result);
}

std::vector<Kind> Kinds() {
  return {{"audit", "audit", RecordOf(static_cast<const AuditResult*>(nullptr))},
          {"bisect", "history bisect", RecordOf(static_cast<const BisectResult*>(nullptr))},
          {"comparison", "compare", RecordOf(static_cast<const ComparisonResult*>(nullptr))},
          {"doctor", "doctor", RecordOf(static_cast<const DoctorResult*>(nullptr))},
          {"history", "history", RecordOf(static_cast<const HistoryResult*>(nullptr))},
          {"hypotheses", "hypotheses", RecordOf(static_cast<const HypothesesResult*>(nullptr))},
          {"list", "list", RecordOf(static_cast<const ListResult*>(nullptr))},
          {"load", "load", RecordOf(static_cast<const LoadResult*>(nullptr))},
          {"metg", "metg", RecordOf(static_cast<const MetgResult*>(nullptr))},
          {"run", "run", RecordOf(static_cast<const harness::RunResult*>(nullptr))},
          {"scale", "scale", RecordOfCells(SweepResult::Kind::kScale)},
          {"slo", "run --slo", RecordOf(static_cast<const harness::SloResult*>(nullptr))},
          {"study", "study", RecordOf(static_cast<const StudyResult*>(nullptr))},
          {"suite", "run of a suite", RecordOfCells(SweepResult::Kind::kSuite)},
          {"sweep", "sweep", RecordOfCells(SweepResult::Kind::kSweep)},
          {"tune", "tune", RecordOf(static_cast<const TuneResult*>(nullptr))},
          {"whatif", "whatif", RecordOf(static_cast<const WhatIfReport*>(nullptr))}};
}

std::string DocumentText(const std::string& path) {
  std::ifstream file(std::string(SCHEDBENCH_SOURCE_DIR) + "/docs/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Compares a file of the documents. The command that the failure prints accepts the new text.
void ExpectDocument(const std::string& path, const std::string& text) {
  if (DocumentText(path) != text) {
    const std::string file = path.substr(path.rfind('/') + 1);
    std::ofstream(file) << text;
    ADD_FAILURE() << "docs/" << path << " has other keys than the record; to accept: cp " << file
                  << " docs/" << path;
  }
}

// A kind that is missing in Kinds() would have no schema, and no other test would report it.
TEST(Schema, OfEachKindOfResultInTheSourcesIsChecked) {
  namespace fs = std::filesystem;
  const fs::path root(SCHEDBENCH_SOURCE_DIR);
  std::set<std::string> checked;
  for (const Kind& kind : Kinds()) {
    checked.insert(kind.name);
  }
  std::set<std::string> declared;
  const std::regex pattern("ResultRecord<\"([^\"]*)\"");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "src/report")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator found(source.begin(), source.end(), pattern), end; found != end;
         ++found) {
      declared.insert((*found)[1]);
    }
  }
  EXPECT_EQ(checked, declared);
  std::set<std::string> documented;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "docs/schema")) {
    documented.insert(entry.path().stem().stem());
  }
  EXPECT_EQ(checked, documented);
}

TEST(Schema, InTheDocumentsIsWhatTheRecordSays) {
  for (const auto& [name, command, record] : Kinds()) {
    const std::string text = record::SchemaText(
        record, "Result of schedbench " + command,
        fmt::format("schedbench --format json; version {}.", harness::kSchemaVersion));
    ExpectDocument(fmt::format("schema/{}.schema.json", name), text);
  }
}

TEST(Keys, InTheDocumentsAreThoseOfTheRecords) {
  const std::string document = DocumentText("formats.md");
  const std::size_t keys = document.find("\n### ", document.find("\n## Keys\n"));
  ASSERT_NE(keys, std::string::npos);
  const std::vector<Kind> all = Kinds();
  std::vector<std::pair<std::string, const record::Record*>> kinds;
  for (const Kind& kind : all) {
    kinds.emplace_back(kind.name, &kind.record);
  }
  ExpectDocument("formats.md", document.substr(0, keys) + record::KeysPage(kinds));
}

template <typename... Messages>
void ExpectTables(const std::string& document) {
  for (const record::Record* const one : {&record::RecordFor<Messages>()...}) {
    const std::string table = record::KeyTable(*one);
    EXPECT_NE(document.find("\n\n" + table), std::string::npos)
        << "docs/agent-protocol.md does not have the keys of " << one->Name() << ":\n"
        << table;
  }
}

TEST(Keys, OfMessagesOfAgentsAreInTheDocument) {
  using namespace harness;
  ExpectTables<HelloRequest, OpenRequest, RoundRequest, LatenciesRequest, HelloReply, AgentMachine,
               OpenReply, RoundReply, ErrorReply, ClockReply, LatenciesReply>(
      DocumentText("agent-protocol.md"));
}

}  // namespace

}  // namespace schedbench::report::schema_test
