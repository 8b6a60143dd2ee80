#include "cli/output/path_names.hpp"
#include "registry/pages.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace schedbench::tests::flamegraph_test {

namespace {

using Names = std::vector<std::string>;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Flamegraph : public testing::Test {
 protected:
  Finished Run(Names words) const {
    words.insert(words.begin(), "flamegraph");
    return Schedbench(std::move(words), {.folder = folder_.Path(), .environment = {}});
  }

  ScratchFolder folder_;
};

TEST_F(Flamegraph, NeedsAVerbAndFiles) {
  EXPECT_EQ(Run({}).code, 2);
  EXPECT_TRUE(Has(Run({}).error,
                  "needs at least 2 arguments, not 0    usage: schedbench flamegraph [flags] "
                  "render|diff|fold FILE...\n"))
      << Run({}).error;
  const Finished misspelt = Run({"dif", "a", "b"});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_TRUE(Has(misspelt.error, "did you mean 'diff'?")) << misspelt.error;
  EXPECT_EQ(Run({"render"}).code, 2);
  EXPECT_EQ(Run({"render", "a", "--unit", "hours"}).code, 2);
}

TEST_F(Flamegraph, SaysWhatToDoWhereTheToolHasNoPage) {
  folder_.Write("a.folded", "a;b 1\n");
  const Finished run = Run({"render", "a.folded"});
  if (registry::FlameGraphPage().empty()) {
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(Has(run.error, ": make build\n")) << run.error;
    EXPECT_EQ(folder_.Names(), Names{"a.folded"});
  } else {
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_EQ(run.out, "flamegraph.html\n");
    EXPECT_TRUE(Has(folder_.Read("flamegraph.html"), R"("names":["a","b"])"));
  }
}

TEST_F(Flamegraph, ReportsFileAndLineOfWhatIsNotAFoldedStack) {
  if (registry::FlameGraphPage().empty()) {
    return;
  }
  folder_.Write("good.folded", "a;b 1\n");
  folder_.Write("bad.folded", "what is this\n");
  folder_.Write("empty.folded", "\n");
  const Finished bad = Run({"diff", "good.folded", "bad.folded", "-o", "d.html"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(Has(bad.error,
                  "bad.folded:1: 'what is this': the weight 'this' is not a number of at least 0"))
      << bad.error;
  EXPECT_EQ(Run({"render", "empty.folded"}).error, "error: empty.folded: the file has no stacks\n");
  EXPECT_EQ(Run({"render", "none.folded"}).error,
            "error: none.folded: cannot be read: No such file or directory\n");
  folder_.Write("a.html", "<!doctype html>\n");
  folder_.Write("a.json", "{\n  \"x\": 1}\n");
  folder_.Write("php.folded", "{main};foo 12\n");
  EXPECT_EQ(Run({"render", "php.folded", "-o", "a.html"}).code, 0);
  folder_.Write("a.html", "<!doctype html>\n");
  EXPECT_EQ(Run({"render", "a.html"}).error,
            "error: a.html: this is a page, not stacks    use the .folded or .perf.txt of the same "
            "run\n");
  EXPECT_TRUE(Has(Run({"render", "a.json"}).error, "is JSON, not stacks"));
  folder_.Write("empty.folded", "a;b 18446744073709551615\na;c 5\n");
  EXPECT_EQ(Run({"render", "empty.folded"}).error,
            "error: empty.folded: the sum of all weights is above 2^53, the limit of a page\n");
  EXPECT_EQ(Run({"diff", "good.folded"}).code, 2);
  EXPECT_EQ(folder_.Names(),
            (Names{"a.html", "a.json", "bad.folded", "empty.folded", "good.folded", "php.folded"}));
}

TEST_F(Flamegraph, WritesNoPageUnderTheNameOfAnotherFormat) {
  folder_.Write("a.folded", "a;b 1\n");
  for (const char* const name : {"q.csv", "q", "q.html.gz"}) {
    const Finished run = Run({"render", "a.folded", "-o", name});
    EXPECT_EQ(run.code, 2) << name;
    EXPECT_TRUE(Has(run.error, "the name must end in .html")) << run.error;
  }
  EXPECT_EQ(folder_.Names(), Names{"a.folded"});
}

TEST(DistinctNames, AreTheFileNamesOrElseWhereThePathsDiffer) {
  EXPECT_EQ(cli::DistinctNames({"a/x.folded", "b/y.folded"}), (Names{"x.folded", "y.folded"}));
  EXPECT_EQ(cli::DistinctNames({"out/old/x.folded", "out/new/x.folded"}), (Names{"old", "new"}));
  EXPECT_EQ(cli::DistinctNames({"x.folded", "out/x.folded"}), (Names{"x.folded", "out"}));
  EXPECT_EQ(cli::DistinctNames({"a/x", "a/y", "b/x"}), (Names{"a/x", "a/y", "b/x"}));
  EXPECT_EQ(cli::DistinctNames({"a/x", "./a/x"}), (Names{"x", "x"}));
  EXPECT_EQ(cli::TitleOfPaths("old/x.folded", "new/x.folded"), "x.folded: old → new");
  EXPECT_EQ(cli::TitleOfPaths("a/x.folded", "y.folded"), "x.folded → y.folded");
  EXPECT_EQ(cli::TitleOfPaths("x.folded", "x.folded"), "x.folded → x.folded");
}

TEST_F(Flamegraph, ShowsWhatHasChanged) {
  if (registry::FlameGraphPage().empty()) {
    return;
  }
  folder_.Write("before.folded", "a;b 10\na;gone 2\n");
  folder_.Write("after.folded", "a;b 30\n");
  const Finished run = Run({"diff", "before.folded", "after.folded", "-o", "d.html"});
  EXPECT_EQ(run.code, 0) << run.error;
  const std::string page = folder_.Read("d.html");
  EXPECT_TRUE(Has(page, R"("total":30)"));
  EXPECT_TRUE(Has(page, R"("total_before":12)"));
}

constexpr std::string_view kTwoEvents =
    "a 1 2.0: 5 cycles:u: \n\t 1 f ([kernel.kallsyms])\n\n"
    "a 1 3.0: PERF_RECORD_COMM: a:1/1\n\n"
    "a 1 3.0: 7 faults: \n\t 1 f (/bin/x)\n\n";

TEST_F(Flamegraph, FoldPrintsStacksAndReportsTheRest) {
  folder_.Write("a.perf", std::string(kTwoEvents));
  const Finished first = Run({"fold", "a.perf"});
  EXPECT_EQ(first.code, 0);
  EXPECT_EQ(first.out, "a;f 5\n");
  EXPECT_EQ(first.error,
            "note: a.perf: perf records: 1, the first in line 4\n"
            "note: a.perf: only cycles:u is printed, because weights of several events cannot be "
            "added; also there: faults (7 faults)    --event NAME\n");
  EXPECT_EQ(Run({"fold", "a.perf", "--event", "faults"}).out, "a;f 7\n");
  const Finished unknown = Run({"fold", "a.perf", "--event", "cycles"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(
      Has(unknown.error, "a.perf: the file has no event 'cycles'; did you mean 'cycles:u'?"))
      << unknown.error;
  folder_.Write("b.folded", "x;y_[k] 1.25\nx;y_[k] 1.75\nx 0.1\n");
  EXPECT_EQ(Run({"fold", "b.folded"}).out, "x 0.1\nx;y_[k] 3\n");
  folder_.Write("c.folded", "x 2\n");
  EXPECT_EQ(Run({"fold", "b.folded", "c.folded"}).out, "x 0.1\nx;y_[k] 3\nx 2\n");
  folder_.Write("d.folded", "x;y 1 2\nx;z 0 1.5\n");
  EXPECT_EQ(Run({"fold", "d.folded"}).out, "x;y 1 2\nx;z 0 1.5\n");
  EXPECT_EQ(Run({"fold", "b.folded", "d.folded"}).code, 2);
  EXPECT_EQ(Run({"fold", "a.perf", "c.folded"}).code, 2);
  EXPECT_EQ(Run({"fold", "b.folded", "-o", "x.html"}).code, 2);
  EXPECT_EQ(folder_.Names(), (Names{"a.perf", "b.folded", "c.folded", "d.folded"}));
}

TEST_F(Flamegraph, ShowsEachEventInATabOfItsUnitAndWhatWasLeftOut) {
  if (registry::FlameGraphPage().empty()) {
    return;
  }
  folder_.Write("a.perf", std::string(kTwoEvents));
  ASSERT_EQ(Run({"render", "a.perf", "-o", "a.html"}).code, 0);
  const std::string page = folder_.Read("a.html");
  EXPECT_TRUE(Has(page, R"(["left out of a.perf","perf records: 1, the first in line 4"])"));
  EXPECT_TRUE(Has(page, R"({"name":"cycles:u","about":"Stacks of a.perf","unit":"cycles")"));
  EXPECT_TRUE(Has(page, R"({"name":"faults","about":"Stacks of a.perf","unit":"faults")"));
  EXPECT_TRUE(Has(page, R"("names":["a","f"])"));
  EXPECT_TRUE(Has(page, R"("kinds":["","k"])"));
  folder_.Write("b.perf", "a 1 2.0: 9 faults: \n\t 1 f (/bin/x)\n\n");
  const Finished run = Run({"diff", "a.perf", "b.perf", "-o", "d.html"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.error, "note: only one of the files has cycles:u (5 cycles): not compared"))
      << run.error;
  EXPECT_TRUE(Has(folder_.Read("d.html"), R"("total":9)"));
}

TEST_F(Flamegraph, ShowsFractionsAndFoldedDifferences) {
  if (registry::FlameGraphPage().empty()) {
    return;
  }
  folder_.Write("d.folded", "x;y 1 2\nx;z 0 1.5\n");
  ASSERT_EQ(Run({"render", "d.folded", "-o", "d.html"}).code, 0);
  const std::string page = folder_.Read("d.html");
  EXPECT_TRUE(Has(page, R"("self":[0,2,1.5],"total":3.5)")) << page.substr(page.size() - 1500);
  EXPECT_TRUE(Has(page, R"("before":[0,1,0],"total_before":1)"));
}

}  // namespace

}  // namespace schedbench::tests::flamegraph_test
