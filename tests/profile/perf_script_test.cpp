#include "profile/perf_script.hpp"

#include "profile/folded.hpp"
#include "profile/sampling/frame_text.hpp"
#include "tests/profile/example.hpp"
#include "tests/profile/stack_readers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace schedbench::profile::perf_script_test {

namespace {

std::string Written(const StackProfile& profile) {
  std::string text;
  const std::array<std::string, 2> about{"schedbench 0.1.0", "cmdline : schedbench run\n--x"};
  WritePerfScript(profile, "task-clock:u", about, {}, [&](std::string_view part) { text += part; });
  return text;
}

// Names that users and compilers think of.
const std::vector<std::string> kNasty = {"fiber:plain",
                                         "fiber:with blank",
                                         "fiber:(none)",
                                         "(leading",
                                         "a;b;c",
                                         "say \"hi\" 'there'",
                                         "x->y",
                                         "fiber:a+0x1f",
                                         "42",
                                         "sb-w0 1/2 [003]",
                                         "line\nbreak",
                                         "tab\there",
                                         "юникод",
                                         "bad\xff\xfe",
                                         "",
                                         "   ",
                                         "</script>",
                                         "a (b)",
                                         "task-clock:u:",
                                         "# comment",
                                         "[unknown]",
                                         std::string(5000, 'x')};

TEST(PerfScript, LooksAsPerfPrintsIt) {
  EXPECT_EQ(Written(ExampleProfile()),
            "# ========\n"
            "# schedbench 0.1.0\n"
            "# cmdline : schedbench run\\n--x\n"
            "# ========\n"
            "#\n"
            "sb-w0 100/101 [001]     5.000001:    1001001 task-clock:u: \n"
            "\t            4000 {anonymous}::Body+0x20 (/bin/x)\n"
            "\t               0 fiber:ping ([fiber])\n"
            "\n"
            "sb-w3 100/104 [000]     5.000500:    2000000 task-clock:u: \n"
            "\t               0 worker:search ([worker])\n"
            "\n"
            "sb-w0 100/101 [001]     5.001002:    1001001 task-clock:u: \n"
            "\t            4100 C::operator_arrow (inlined)\n"
            "\t            4000 {anonymous}::Body+0x20 (/bin/x)\n"
            "\t               0 fiber:ping ([fiber])\n"
            "\n"
            "sb-w3 100/104 [000]     5.003000:    1000400 task-clock:u: \n"
            "\t            4100 C::operator_arrow (inlined)\n"
            "\t            4000 {anonymous}::Body+0x20 (/bin/x)\n"
            "\t               0 fiber:ping ([fiber])\n"
            "\n");
}

TEST(PerfScript, OfNoSamplesIsAHeadThatFirefoxKnows) {
  const std::string text = Written(StackProfile());
  EXPECT_TRUE(FirefoxKnows(text));
  EXPECT_TRUE(ReadAsFirefox(text).empty());
}

TEST(PerfScript, GivesStackcollapseTheSameWeightsAsTheFoldedStacks) {
  std::vector<std::string> warnings;
  EXPECT_EQ(CollapseAsPerl(Written(ExampleProfile()), warnings),
            (FoldedStacks{{"sb-w0;fiber:ping;{anonymous}::Body", 1'001'001},
                          {"sb-w0;fiber:ping;{anonymous}::Body;C::operator_arrow", 1'001'001},
                          {"sb-w3;fiber:ping;{anonymous}::Body;C::operator_arrow", 1'000'400},
                          {"sb-w3;worker:search", 2'000'000}}));
  EXPECT_TRUE(warnings.empty());
}

TEST(PerfScript, GivesSpeedscopeTheSamplesOfEachWorkerInTheOrderOfTime) {
  const auto threads = ReadAsSpeedscope(Written(ExampleProfile()));
  ASSERT_EQ(threads.size(), 2u);
  const auto& first = threads.at("sb-w0 pid: 100 tid: 101");
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[1].stack,
            (std::vector<std::string>{"fiber:ping", "{anonymous}::Body", "C::operator_arrow"}));
  EXPECT_EQ(threads.at("sb-w3 pid: 100 tid: 104").size(), 2u);
}

TEST(PerfScript, GivesFirefoxTheSamplesOfEachThread) {
  const std::string text = Written(ExampleProfile());
  EXPECT_TRUE(FirefoxKnows(text));
  const auto threads = ReadAsFirefox(text);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads.at(101)[1].stack,
            (std::vector<std::string>{"fiber:ping (in [fiber])", "{anonymous}::Body (in /bin/x)",
                                      "C::operator_arrow (in inlined)"}));
}

TEST(PerfScript, KeepsEachNastyNameOneFrameInAllReaders) {
  for (const std::string& nasty : kNasty) {
    const std::string name = SafeName(nasty);
    const std::string text = Written(ExampleProfile(nasty));
    std::vector<std::string> warnings;
    const auto collapsed = CollapseAsPerl(text, warnings);
    // A fiber cannot be called [unknown]: its frame always begins with "fiber:".
    const std::string shown = name == "[unknown]" ? "[[fiber]]" : name;
    EXPECT_TRUE(collapsed.contains("sb-w3;" + shown + ";{anonymous}::Body;C::operator_arrow"))
        << nasty << "\n"
        << text;
    EXPECT_EQ(collapsed.size(), 4u) << nasty;
    EXPECT_TRUE(warnings.empty()) << nasty;
    const auto speedscope = ReadAsSpeedscope(text);
    EXPECT_EQ(speedscope.at("sb-w3 pid: 100 tid: 104")[1].stack[0], name);
    EXPECT_EQ(ReadAsFirefox(text).at(104)[1].stack[0], name + " (in [fiber])");
  }
}

TEST(PerfScript, HandsALongTextOnInParts) {
  StackProfile profile = ExampleProfile();
  profile.samples.resize(1'000, profile.samples.front());
  std::size_t longest = 0;
  std::string text;
  WritePerfScript(profile, "task-clock:u", {}, {}, [&](std::string_view part) {
    longest = std::max(longest, part.size());
    text += part;
  });
  EXPECT_LT(longest, std::size_t{70'000});
  EXPECT_EQ(ReadAsFirefox(text).at(101).size(), 998u);
}

}  // namespace

}  // namespace schedbench::profile::perf_script_test
