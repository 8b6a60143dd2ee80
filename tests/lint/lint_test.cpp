// The rules, each fed what it must find and what it must leave alone.
#include "tests/lint/rules.hpp"
#include "tests/lint/tree_rules.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::lint {

namespace {

std::vector<std::size_t> LinesThatBreak(Rule rule, std::string_view path, std::string_view text) {
  std::vector<std::size_t> lines;
  for (const Finding& finding : rule(Parse(path, text))) {
    EXPECT_EQ(finding.path, path);
    EXPECT_FALSE(finding.message.empty());
    lines.push_back(finding.line);
  }
  return lines;
}

using Lines = std::vector<std::size_t>;

TEST(LintParser, KeepsCodeAndCommentsApartLineByLine) {
  const SourceFile file = Parse("a.cpp", "int a;  // one\n/* two\nthree */ int b;\n");
  EXPECT_EQ(file.lines, (std::vector<std::string>{"int a;  // one", "/* two", "three */ int b;"}));
  EXPECT_EQ(file.code, (std::vector<std::string>{"int a;  ", "", " int b;"}));
  EXPECT_EQ(file.comments, (std::vector<std::string>{" one", " two", "three "}));
}

TEST(LintParser, TakesLiteralsForNeitherCodeNorComment) {
  const SourceFile file =
      Parse("a.cpp", "f(\"// \\\" no\", '\"', 1'000);  // yes\ng(R\"(a\n// no\n)\");\nh();");
  EXPECT_EQ(file.code,
            (std::vector<std::string>{"f(\"\", '', 1'000);  ", "g(\"\"", "", ");", "h();"}));
  EXPECT_EQ(file.comments, (std::vector<std::string>{" yes", "", "", "", ""}));
}

TEST(LintParser, FindsWholeWordsOnly) {
  EXPECT_TRUE(HasWord("a std::thread b", "std::thread"));
  EXPECT_FALSE(HasWord("std::thread_local_thing", "std::thread"));
  EXPECT_FALSE(HasWord("my_usleep", "usleep"));
  EXPECT_TRUE(HasWordThatStarts("std::atomic_ref", "std::atomic"));
  EXPECT_FALSE(HasWordThatStarts("non_atomic", "atomic"));
}

std::vector<SourceFile> Tree(std::initializer_list<std::pair<const char*, const char*>> files) {
  std::vector<SourceFile> tree;
  for (const auto& [path, text] : files) {
    tree.push_back(Parse(path, text));
  }
  return tree;
}

TEST(LintPlaces, FindsAFlagThatIsDeclaredAgain) {
  constexpr const char* kFlag = "auto kA = TextFlag{\"--metric\", \"\"};\n";
  EXPECT_TRUE(FindRepeatedFlags(Tree({{"src/cli/a.hpp", kFlag}})).empty());
  const Findings findings = FindRepeatedFlags(
      Tree({{"src/cli/a.hpp", kFlag}, {"src/cli/b.cpp", "\nFlag<int>{\n    \"--metric\"}"}}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "src/cli/b.cpp");
  EXPECT_EQ(findings[0].line, 2U);
}

TEST(LintPlaces, FindsAFormatOutsideOfItsList) {
  constexpr const char* kName = "auto a = \"markdown\";\n";
  EXPECT_TRUE(FindFormatsOutsideTheirList(Tree({{"src/report/format.hpp", kName}})).empty());
  EXPECT_EQ(FindFormatsOutsideTheirList(Tree({{"src/cli/a.cpp", kName}})).size(), 1U);
  EXPECT_TRUE(FindFormatsOutsideTheirList(Tree({{"src/cli/a.cpp", "// \"markdown\"\n"}})).empty());
}

TEST(LintPlaces, FindsAColumnOfCompareThatIsDeclaredAgain) {
  constexpr const char* kColumn = "Add({\"ratio low\"});\n";
  EXPECT_TRUE(FindRepeatedColumns(Tree({{"src/report/comparison/rows.cpp", kColumn}})).empty());
  EXPECT_EQ(FindRepeatedColumns(Tree({{"src/report/comparison/rows.cpp", kColumn},
                                      {"src/report/comparison/page.cpp", kColumn}}))
                .size(),
            1U);
}

TEST(LintCycles, FindsOneBetweenFoldersOfAnyDepth) {
  const Findings findings =
      FindCycles(Tree({{"src/fibers/core/a.hpp", ""},
                       {"src/fibers/core/b.cpp", "#include \"fibers/time/c.hpp\"\n"},
                       {"src/fibers/time/c.hpp", "#include \"fibers/core/a.hpp\"\n"}}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "src/fibers/core");
}

TEST(LintCycles, FindsOneBetweenAFolderAndAFileNextToIt) {
  EXPECT_EQ(FindCycles(Tree({{"src/cli/tool.hpp", ""},
                             {"src/cli/tool.cpp", "#include \"cli/flags/parse.hpp\"\n"},
                             {"src/cli/flags/parse.hpp", "#include \"cli/tool.hpp\"\n"}}))
                .size(),
            1U);
}

TEST(LintCycles, LetsSourcesOfOneFolderIncludeEachOther) {
  EXPECT_EQ(FindCycles(Tree({{"src/cli/a.hpp", ""},
                             {"src/cli/b.hpp", "#include \"cli/a.hpp\"\n"},
                             {"src/cli/a.cpp", "#include \"cli/b.hpp\"\n"}})),
            Findings{});
}

TEST(LintDocumentation, WantsACommentForEachPublicFunctionOfAPublicHeader) {
  const std::string_view text =
      "namespace schedbench {\n"
      "void Bare();\n"
      "\n"
      "// Does it.\n"
      "void Documented();\n"
      "class A {\n"
      " public:\n"
      "  ~A();\n"
      "  int Size() const {\n"
      "    return Helper();\n"
      "  }\n"
      " private:\n"
      "  int Helper() const;\n"
      "};\n"
      "}  // namespace schedbench\n";
  EXPECT_EQ(LinesThatBreak(CheckDocumentation, "src/fibers/a.hpp", text), (Lines{2, 9}));
  EXPECT_EQ(LinesThatBreak(CheckDocumentation, "src/fibers/a.cpp", text), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckDocumentation, "src/base/a.hpp", text), Lines{});
}

TEST(LintDocumentation, WantsMoreThanConditions) {
  const std::string_view text =
      "// Requires: called from a fiber, which\n"
      "// does not own it. Any thread.\n"
      "void Lock();\n"
      "// The same for at most `time`.\n"
      "void LockFor(int time);\n"
      "// Any thread. Returns true iff it is closed.\n"
      "bool IsClosed();\n"
      "\n"
      "// The same clock.\n"
      "// Reads it.\n"
      "int Now();\n"
      "int Then();  // Any thread.\n";
  EXPECT_EQ(LinesThatBreak(CheckDocumentation, "src/fibers/a.hpp", text), (Lines{3, 5}));
}

TEST(LintDocumentation, WantsNoCommentForWhatTheLanguageDefines) {
  const std::string_view text =
      "struct A {\n"
      "  A(A&& other) noexcept;\n"
      "  A(const A& other);\n"
      "  bool await_ready() const noexcept {\n"
      "    return false;\n"
      "  }\n"
      "};\n"
      "template <typename F>\n"
      "requires(Takes<F>()) struct B<F> {\n"
      "  void Bare();\n"
      "};\n";
  EXPECT_EQ(LinesThatBreak(CheckDocumentation, "src/futures/a.hpp", text), Lines{10});
}

TEST(LintWords, FindsWholeWordsInAnyCase) {
  EXPECT_EQ(LinesThatBreak(CheckWords, "a.md", "Who runs?\nwhole, the, this\nit gives way\n"),
            (Lines{1, 3}));
}

TEST(LintWords, FindsThePartsOfIdentifiers) {
  EXPECT_EQ(LinesThatBreak(CheckWords, "a.cpp",
                           "WakesNobodyTwice\nkWho\nis_told\nEND_WAKES_NOBODY\nIOTold\n"
                           "TaskGivesWay\nf_go_on1\n"),
            (Lines{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(LinesThatBreak(CheckWords, "a.cpp",
                           "WholeNumber\nTheHeader\nretold\nGoOnce\nSHELL\nGo, on\nGiveWays\n"),
            Lines{});
}

TEST(LintWords, FindsThemInTheNameOfAFile) {
  EXPECT_EQ(LinesThatBreak(CheckWords, "a/wakes_nobody.patch", "\n"), Lines{1});
  EXPECT_EQ(LinesThatBreak(CheckWords, "a/whole.patch", "\n"), Lines{});
}

TEST(LintWords, AreMoreInWhatTheToolPrints) {
  const std::string_view text = "all ran, and yet it waits\nThe same, 99th percentile\n";
  EXPECT_EQ(LinesThatBreak(CheckWords, "a.golden", text), (Lines{1, 2}));
  EXPECT_EQ(LinesThatBreak(CheckWords, "a.cpp", text), Lines{});
}

TEST(LintComments, FindsFragmentsAndPhrases) {
  const std::string text =
      "// Of the thread that waits.\n"
      "int a;\n"
      "// The owner reads it\n"
      "// of course.\n"
      "int b;  // by the owner\n"
      "// A list beside a set. It is no list, and there is no lock.\n"
      "// There is no lock; the type is no longer there.\n";
  EXPECT_EQ(LinesThatBreak(CheckComments, "src/fibers/a.hpp", text), (Lines{1, 5, 6, 6}));
  EXPECT_EQ(LinesThatBreak(CheckComments, "tests/a.cpp", text), Lines{});
}

TEST(LintLayers, LetsAFolderIncludeItsOwnLayerAndLowerOnes) {
  EXPECT_EQ(LinesThatBreak(CheckLayers, "src/fibers/sync/mutex.cpp",
                           "#include \"fibers/sync/mutex.hpp\"\n"
                           "#include \"base/atomic.hpp\"\n"
                           "#include \"executors/task.hpp\"\n"
                           "#include <vector>\n"),
            Lines{});
}

TEST(LintLayers, RefusesAnIncludeOfAHigherLayer) {
  EXPECT_EQ(LinesThatBreak(CheckLayers, "src/base/random.hpp",
                           "#pragma once\n#include \"stats/test.hpp\"\n"),
            Lines{2});
  EXPECT_EQ(
      LinesThatBreak(CheckLayers, "schedulers/fast/worker.cpp", "#include \"harness/agent.hpp\"\n"),
      Lines{1});
}

TEST(LintLayers, RefusesAPathThatStartsInNoLayer) {
  EXPECT_EQ(LinesThatBreak(CheckLayers, "src/base/a.cpp", "#include \"random.hpp\"\n"), Lines{1});
  EXPECT_EQ(LinesThatBreak(CheckLayers, "src/attic/a.cpp", "#include \"base/random.hpp\"\n"),
            Lines{1});
}

TEST(LintLayers, KeepsSchedulersAndWorkloadsApart) {
  for (const std::string_view file : {"schedulers/fast/a.cpp", "schedulers/peers/tbb/a.cpp"}) {
    EXPECT_EQ(LinesThatBreak(CheckLayers, file, "#include \"workloads/pingpong.hpp\"\n"), Lines{1});
  }
  EXPECT_EQ(
      LinesThatBreak(CheckLayers, "workloads/a.cpp", "#include \"schedulers/queues/ring.hpp\"\n"),
      Lines{1});
}

TEST(LintLayers, LetsASchedulerIncludeItselfAndTheQueuesOnly) {
  EXPECT_EQ(LinesThatBreak(CheckLayers, "schedulers/fast/a.cpp",
                           "#include \"schedulers/fast/b.hpp\"\n"
                           "#include \"schedulers/queues/ring.hpp\"\n"
                           "#include \"schedulers/threads/pool.hpp\"\n"),
            Lines{3});
  EXPECT_EQ(LinesThatBreak(CheckLayers, "schedulers/peers/tbb/a.cpp",
                           "#include \"schedulers/peers/tbb/b.hpp\"\n"
                           "#include \"schedulers/peers/asio/b.hpp\"\n"),
            Lines{2});
}

TEST(LintSystemHeaders, BelongToThePlatformAlone) {
  const std::string_view text =
      "#include <unistd.h>\n#include <sys/mman.h>\n#include <csignal>\n#include <semaphore>\n";
  EXPECT_EQ(LinesThatBreak(CheckSystemHeaders, "src/harness/a.cpp", text), (Lines{1, 2, 3}));
  EXPECT_EQ(LinesThatBreak(CheckSystemHeaders, "src/platform/a.cpp", text), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckSystemHeaders, "tests/cli/a.cpp", text), Lines{});
}

Lines UnexplainedOrders(std::string_view text) {
  return LinesThatBreak(CheckMemoryOrders, "schedulers/fast/a.cpp", text);
}

TEST(LintMemoryOrders, NeedAnExplanation) {
  EXPECT_EQ(UnexplainedOrders("a.Load(std::memory_order_acquire);\n"), Lines{1});
  EXPECT_EQ(UnexplainedOrders("a.Load(memory_order::relaxed);\n"), Lines{1});
  EXPECT_EQ(UnexplainedOrders("// acquire: see below\na.Load(memory_order_acquire);\n"), Lines{2});
}

TEST(LintMemoryOrders, AreExplainedOnTheirLineOrAbove) {
  EXPECT_EQ(UnexplainedOrders("a.Load(memory_order_acquire);  // pairs with Close()\n"), Lines{});
  EXPECT_EQ(
      UnexplainedOrders("// acquire: pairs with\n// Close().\na.Load(memory_order_acquire);\n"),
      Lines{});
  EXPECT_EQ(UnexplainedOrders("// relaxed: a hint\na.Load(memory_order_relaxed);\n"), Lines{});
}

TEST(LintMemoryOrders, WantAPartnerOrAReasonAfterTheKeyword) {
  EXPECT_EQ(UnexplainedOrders("// pairs with\na.Load(memory_order_acquire);\n"), Lines{2});
  EXPECT_EQ(UnexplainedOrders("// relaxed:\na.Load(memory_order_relaxed);\n"), Lines{2});
}

TEST(LintMemoryOrders, AreNotExplainedByAReasonForRelaxedUnlessTheyAreRelaxed) {
  EXPECT_EQ(UnexplainedOrders("// relaxed: a hint\na.Load(memory_order_acquire);\n"), Lines{2});
  EXPECT_EQ(UnexplainedOrders("// pairs with F()\na.CompareExchange(x, y, memory_order_acq_rel,\n"
                              "                  memory_order_relaxed);\n"),
            Lines{});
}

TEST(LintMemoryOrders, ShareOneExplanationWithinABlock) {
  const std::string_view site = "a.Load(memory_order_relaxed);\n";
  std::string block = "// relaxed: statistics\n";
  for (int i = 0; i < 9; ++i) {
    block += site;
  }
  EXPECT_EQ(UnexplainedOrders(block), Lines{});
  EXPECT_EQ(UnexplainedOrders("// relaxed: a hint\nb;\nb;\nb;\n" + std::string(site)), Lines{});
  EXPECT_EQ(UnexplainedOrders("// relaxed: a hint\nb;\nb;\nb;\nb;\n" + std::string(site)),
            Lines{6});
  EXPECT_EQ(UnexplainedOrders("// relaxed: a hint\nb;\n\n" + std::string(site)), Lines{4});
}

TEST(LintMemoryOrders, AreExplainedWhereTheirVariableIsDeclared) {
  const std::string note = "// relaxed: a statistic.\nAtomic<std::uint64_t> a{0};\n\n";
  EXPECT_EQ(UnexplainedOrders(note + "a.FetchAdd(1, memory_order_relaxed);\n"), Lines{});
  EXPECT_EQ(UnexplainedOrders(note + "x->a[1].FetchAdd(\n  1, memory_order_relaxed);\n"), Lines{});
  EXPECT_EQ(UnexplainedOrders(note + "a.FetchAdd(1, memory_order_acquire);\n"), Lines{4});
  EXPECT_EQ(UnexplainedOrders(note + "b.FetchAdd(1, memory_order_relaxed);\n"), Lines{4});
  const auto tree = Tree({{"src/f/a.hpp", note.c_str()},
                          {"src/f/a.cpp", "a.Load(memory_order_relaxed);\n"},
                          {"src/g/a.cpp", "a.Load(memory_order_relaxed);\n"}});
  ASSERT_EQ(FindUnexplainedOrders(tree).size(), 1U);
  EXPECT_EQ(FindUnexplainedOrders(tree)[0].path, "src/g/a.cpp");
}

TEST(LintMemoryOrders, AreFreeInTestsInLiteralsAndInUsingDeclarations) {
  EXPECT_EQ(LinesThatBreak(CheckMemoryOrders, "tests/a.cpp", "a.Load(memory_order_acquire);\n"),
            Lines{});
  EXPECT_EQ(UnexplainedOrders("using std::memory_order_acquire;\nf(\"memory_order_acquire\");\n"),
            Lines{});
}

TEST(LintThreadPrimitives, BelongToBaseAndPlatformAlone) {
  const std::string_view text =
      "std::atomic<int> a;\nstd::mutex m;\nstd::thread t;\nstd::atomic_ref b(a);\n"
      "std::this_thread::get_id();  // not std::mutex\n";
  EXPECT_EQ(LinesThatBreak(CheckThreadPrimitives, "src/cli/a.cpp", text), (Lines{1, 2, 3, 4}));
  EXPECT_EQ(LinesThatBreak(CheckThreadPrimitives, "schedulers/fast/a.cpp", text),
            (Lines{1, 2, 3, 4}));
  EXPECT_EQ(LinesThatBreak(CheckThreadPrimitives, "src/base/a.hpp", text), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckThreadPrimitives, "tests/a.cpp", text), Lines{});
}

TEST(LintSanitizerMacros, NeedTheirHeaderInTheSameFile) {
  const std::string asks = "#if defined(SB_ASAN)\n#endif\n#if defined(SB_TSAN)\n#endif\n";
  EXPECT_EQ(LinesThatBreak(CheckSanitizerMacros, "tests/a.cpp", "int a;\n" + asks), Lines{2});
  EXPECT_EQ(LinesThatBreak(CheckSanitizerMacros, "tests/a.cpp",
                           "#include \"base/attributes.hpp\"\n" + asks),
            Lines{});
  EXPECT_EQ(LinesThatBreak(CheckSanitizerMacros, "tests/a.cpp", "int a;  // SB_ASAN\n"), Lines{});
}

TEST(LintDeprecatedAlgorithms, AreRefusedInCodeAlone) {
  EXPECT_EQ(LinesThatBreak(CheckDeprecatedAlgorithms, "src/a.cpp",
                           "std::ranges::stable_sort(v);\nstd::inplace_merge(a, b, c);\n"
                           "StableSort(v);  // as std::stable_sort\n"),
            (Lines{1, 2}));
}

TEST(LintLength, AllowsSixHundredLinesAndNoMore) {
  std::string text;
  for (int i = 0; i < 600; ++i) {
    text += "x\n";
  }
  EXPECT_EQ(LinesThatBreak(CheckLength, "src/a.cpp", text), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckLength, "src/a.cpp", text + "x\n"), Lines{601});
  EXPECT_EQ(LinesThatBreak(CheckLength, "tests/golden/a.txt", text + "x\n"), Lines{});
}

TEST(LintProseWidth, FindsLongLinesOfProseInDocuments) {
  const std::string wide(60, 'a');
  const std::string line = wide + " " + wide;
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.md", line + "\n"), Lines{1});
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.md", line.substr(1) + "\n"), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.md", "\u00b5\u00b5" + line.substr(3)), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.md", "| " + line + "\n```\n" + line + "\n```\n"),
            Lines{});
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.md", wide + wide + "b\n"), Lines{});
  EXPECT_EQ(LinesThatBreak(CheckProseWidth, "a.cpp", line + "\n"), Lines{});
}

TEST(LintCodeWidth, FindsLongLinesOfCodeAndCommentsButNotOfRawStrings) {
  const std::string wide(100, 'a');
  const std::string text = "int " + wide + ";\n// " + wide + "\n\"" + wide + "\"\n" + wide +
                           "\nf(R\"(" + wide + "\nb" + wide + "\n)\");\n";
  EXPECT_EQ(LinesThatBreak(CheckCodeWidth, "src/a.cpp", text), (Lines{1, 2, 3}));
  EXPECT_EQ(LinesThatBreak(CheckCodeWidth, "tests/a.cpp", text), Lines{});
}

TEST(LintMachineNames, FindsPathsOfOneMachine) {
  EXPECT_EQ(LinesThatBreak(CheckMachineNames, "README.md", "see /root/notes\n`/home/me/x`\n"),
            (Lines{1, 2}));
  EXPECT_EQ(
      LinesThatBreak(CheckMachineNames, "README.md", "src/home/a.hpp, ${X}/root/ and /usr/lib\n"),
      Lines{});
}

TEST(LintMachineNames, FindsHostsOfOneNetwork) {
  EXPECT_EQ(LinesThatBreak(CheckMachineNames, "Makefile", "https://mirror.example/debian\n"),
            Lines{1});
  EXPECT_EQ(LinesThatBreak(CheckMachineNames, "Makefile", "https://example.org/mirror\n"), Lines{});
}

TEST(LintSleeps, NeedTheReasonAbove) {
  EXPECT_EQ(LinesThatBreak(CheckSleeps, "tests/a.cpp", "f();\nstd::this_thread::sleep_for(1ms);\n"),
            Lines{2});
  EXPECT_EQ(LinesThatBreak(CheckSleeps, "tests/a.cpp", "// a moment\nusleep(1);\n"), Lines{2});
  EXPECT_EQ(LinesThatBreak(CheckSleeps, "tests/a.cpp",
                           "// What is tested: a late\n// start.\nusleep(1);\n"),
            Lines{});
  EXPECT_EQ(LinesThatBreak(CheckSleeps, "src/a.cpp", "usleep(1);\n"), Lines{});
}

TEST(LintUnfinished, FindsMarksAndTestsThatAreSwitchedOff) {
  EXPECT_EQ(LinesThatBreak(CheckUnfinished, "src/a.cpp", "// TODO: later\n// FIXME\n// XXX\n"),
            (Lines{1, 2, 3}));
  EXPECT_EQ(
      LinesThatBreak(CheckUnfinished, "tests/a.cpp", "TEST(A, DISABLED_B) {\nGTEST_SKIP();\n"),
      (Lines{1, 2}));
  EXPECT_EQ(LinesThatBreak(CheckUnfinished, "src/a.sh", "mktemp /tmp/a.XXXXXX\n"), Lines{});
}

}  // namespace

}  // namespace schedbench::lint
