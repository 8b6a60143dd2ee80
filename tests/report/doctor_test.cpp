#include "report/doctor/doctor_report.hpp"
#include "report/format.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace schedbench::report::doctor_test {

namespace {

constexpr TerminalStyle kPlain{.unicode = false, .colour = false};

DoctorResult Example() {
  DoctorResult result;
  result.complete = true;
  result.findings = {harness::Ok("clock", "tsc"),
                     harness::Warn("huge pages", std::string(90, 'x') + " and more", "echo a | b"),
                     harness::Concern(harness::Severity::kFail, "load", "much", "top")};
  return result;
}

TEST(DoctorTable, HasALineForEachFindingAndItsRemedy) {
  EXPECT_EQ(TerminalText(DocumentOf(Example(), kPlain), kPlain),
            "Findings\n"
            "  severity  topic       finding\n"
            "  ok        clock       tsc\n"
            "  warn      huge pages  " +
                std::string(90, 'x') +
                " and more\n"
                "      echo a | b\n"
                "  fail      load        much\n"
                "      top\n"
                "\n"
                "Verdict\n"
                "  too noisy for comparisons: load\n");
}

TEST(DoctorTable, ReportsAQuietMachineAndAnInterruption) {
  DoctorResult result = Example();
  result.findings.pop_back();
  result.complete = false;
  EXPECT_TRUE(TerminalText(DocumentOf(result, kPlain), kPlain)
                  .ends_with("\n  good enough for comparisons (interrupted)\n"));
}

TEST(DoctorJson, HasNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(RenderJson(Example()));
  EXPECT_EQ(json["too_noisy"], true);
  EXPECT_EQ(json["findings"][0]["remedy"], nullptr);
  EXPECT_EQ(json["findings"][2]["severity"], "fail");
  EXPECT_EQ(json["self_comparison"], nullptr);
  EXPECT_EQ(json["facts"]["turbo"], nullptr);
  EXPECT_EQ(json["facts"]["activity"]["steal_share"], nullptr);
}

TEST(DoctorJson, HasTheComparisonOfEquals) {
  DoctorResult result = Example();
  result.self = harness::SelfComparison{.scheduler = "fast",
                                        .workload = "pingpong",
                                        .blocks = 20,
                                        .ratio = stats::RatioEstimate{1, 0.8, 1.1},
                                        .level = 0.95,
                                        .missing = ""};
  const auto json = nlohmann::json::parse(RenderJson(result))["self_comparison"];
  EXPECT_EQ(json["blocks"], 20);
  EXPECT_DOUBLE_EQ(json["ratio"]["low"], 0.8);
  EXPECT_DOUBLE_EQ(json["resolution"], 0.25);
  EXPECT_EQ(json["reason"], nullptr);
}

}  // namespace

}  // namespace schedbench::report::doctor_test
