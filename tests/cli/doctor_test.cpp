#include "harness/doctor/findings.hpp"
#include "registry/build_info.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/fake_machine.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace schedbench::tests::doctor_test {

namespace {

using nlohmann::json;

void ExpectComplete(const json& result) {
  EXPECT_EQ(result["complete"], true);
  EXPECT_GE(result["findings"].size(), 19U);
  for (const json& finding : result["findings"]) {
    EXPECT_EQ(finding["remedy"].is_null(), finding["severity"] == "ok") << finding.dump();
    EXPECT_NE(finding["text"], "") << finding.dump();
  }
}

TEST(Doctor, LooksAtThisMachine) {
  const Finished run = Schedbench({"doctor", "--no-aa", "--window", "0", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  const json result = json::parse(run.out);
  ExpectComplete(result);
  EXPECT_EQ(result["self_comparison"], nullptr);
  EXPECT_FALSE(result["facts"]["cpus_allowed"].empty());
}

TEST(Doctor, TableSaysTheSame) {
  const FakeMachine machine;
  machine.WriteQuiet();
  const Finished run = Schedbench({"doctor", "--root", machine.Root(), "--window", "0"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("\n  ok        clock        tsc\n"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("A/A"), std::string::npos) << run.out;
}

TEST(Doctor, StrictRefusesOnlyWhatDisturbsComparisons) {
  const FakeMachine machine;
  machine.WriteQuiet();
  const std::vector<std::string> strict{"doctor",       "--strict", "--root",
                                        machine.Root(), "--window", "0"};
  // A build with a sanitizer is refused anywhere.
  const int code = harness::AnyConcern(harness::JudgeBuild(registry::ThisBuild())) ? 5 : 0;
  EXPECT_EQ(Schedbench(strict).code, code);
  machine.Write("/proc/cpuinfo", "x\nflags : hypervisor");
  EXPECT_EQ(Schedbench(strict).code, code);
  machine.Write("/sys/fs/cgroup/a/cpu.max", "100000 100000");
  const Finished run = Schedbench(strict);
  EXPECT_EQ(run.code, 5);
  EXPECT_NE(run.out.find("a larger number in /sys/fs/cgroup/a/cpu.max\n"), std::string::npos);
}

TEST(Doctor, ComparesFastWithItself) {
  const ScratchFolder folder;
  const Finished run = Schedbench({"doctor", "--window", "0", "--blocks", "6", "--rounds", "1",
                                   "-q", "-o", folder.Path() + "/result.json"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.out, "");
  const json result = json::parse(folder.Read("result.json"));
  ExpectComplete(result);
  EXPECT_EQ(result["findings"].back()["topic"], "A/A");
  const json& self = result["self_comparison"];
  EXPECT_EQ(self["scheduler"], "fast");
  // On a very slow machine time runs out before.
  EXPECT_EQ(self["ratio"].is_null(), self["blocks"] < 6) << self.dump();
  EXPECT_EQ(self["reason"].is_null(), !self["ratio"].is_null()) << self.dump();
}

TEST(Doctor, RefusesWrongFlags) {
  const FakeMachine machine;
  EXPECT_EQ(Schedbench({"doctor", "--root", machine.Root() + "/none"}).code, 2);
  EXPECT_EQ(
      Schedbench({"doctor", "--no-aa", "--window", "soon"}).error,
      "error: --window soon   'soon' is neither 0 nor a time from 1ms to 1000h, such as 500ms, "
      "1.5s or 1m30s\n");
  EXPECT_EQ(Schedbench({"doctor", "--blocks", "0"}).code, 2);
  EXPECT_EQ(Schedbench({"doctor", "now"}).code, 2);
}

}  // namespace

}  // namespace schedbench::tests::doctor_test
