#include "registry/pages.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace schedbench::tests::trace_test {

namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Finished Trace(Names words, const ScratchFolder& folder) {
  words.insert(words.begin(), "trace");
  return Schedbench(
      WithDefaults(std::move(words), {{"-w", "pingpong:pairs=4,rounds=300"}, {"-n", "3"}}),
      {.folder = folder.Path(), .environment = {}});
}

TEST(Trace, WithoutAFilePrintsWhatTheTimelineSays) {
  const ScratchFolder folder;
  const Finished run = Trace({}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("pingpong on fast\nwindow of ")) << run.out;
  for (const char* const part : {"wasted core time: ", "\nlongest of ", "\nsteals: ", " (fiber "}) {
    EXPECT_TRUE(Has(run.out, part)) << run.out;
  }
}

TEST(Trace, WritesEachFileInTheFormOfItsEnding) {
  const ScratchFolder folder;
  Names words{"-o", "t.pftrace", "-o", "t.json"};
  const bool has_page = !registry::TimelinePage().empty();
  if (has_page) {
    words.insert(words.end(), {"-o", "t.html"});
  }
  const Finished run = Trace(words, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.out, has_page ? "t.pftrace\nt.json\nt.html\n" : "t.pftrace\nt.json\n");
  EXPECT_EQ(folder.Read("t.pftrace").at(0), 0x0a) << "a packet";
  const json chrome = json::parse(folder.Read("t.json"));
  EXPECT_GT(chrome.at("traceEvents").size(), 1000u);
  EXPECT_TRUE(Has(folder.Read("t.json"), R"("name":"pingpong.cpp:)"));
  if (has_page) {
    std::string html = folder.Read("t.html");
    const std::string begin = R"(<script type="application/json" id="data">)";
    ASSERT_TRUE(Has(html, begin));
    html.erase(0, html.find(begin) + begin.size());
    const json data = json::parse(html.substr(0, html.find("</script>")));
    EXPECT_EQ(data.at("title"), "pingpong on fast");
    EXPECT_GT(data.at("slices").at("start").size(), 100u);
  }
}

TEST(Trace, SaysOnAPageThatIsCutWhatIsOnIt) {
  if (registry::TimelinePage().empty()) {
    return;
  }
  const ScratchFolder folder;
  const Finished run = Trace(
      {"-w", "yield:fibers=4,yields=30000", "-n", "2", "--for", "10s", "-o", "y.html"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "events: the limit of its readers\n")) << run.out;
  const std::string html = folder.Read("y.html");
  EXPECT_TRUE(Has(html, R"(["shown","the last )")) << run.out;
  EXPECT_TRUE(Has(html, R"("overwritten":0,)"));
}

TEST(Trace, KeepsNoMoreThanWasAskedFor) {
  const ScratchFolder folder;
  const Finished run = Trace({"-w", "yield:fibers=4,yields=100000", "--for", "1ms"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "window of 1.00 ms: ")) << run.out;
  EXPECT_FALSE(Has(run.out, "overwritten")) << run.out;
}

TEST(Trace, SaysWhereItsRingsAreTooSmall) {
  const ScratchFolder folder;
  const Finished run =
      Trace({"-w", "yield:fibers=4,yields=100000", "--for", "10s", "--events", "1024"}, folder);
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out, "events before it were overwritten: larger rings hold more")) << run.out;
}

TEST(Trace, RefusesWhatItCannotDo) {
  const ScratchFolder folder;
  struct Case {
    Names words;
    std::string error;
  };
  const std::vector<Case> cases{
      {{"-o", "t.txt"}, "error: --output t.txt   the name must end in .pftrace, .json or .html"},
      {{"-o", ""}, "the name must end in .pftrace, .json or .html"},
      {{"--for", "0"},
       "error: --for 0   '0' is not a time from 1ms to 1000h, such as 500ms, 1.5s or 1m30s"},
      {{"--for", "soon"}, "error: --for soon   'soon' is not a time"},
      {{"--events", "5"}, "error: --events 5   "},
      {{"-s", "thread_per_task"},
       "error: scheduler thread_per_task   this scheduler records no events"},
      {{"extra"}, "error: "},
      {{"-o", "a.json", "-o", "./a.json"},
       "error: --output ./a.json   would overwrite another output"},
      {{"--workers", "48", "--events", "16777216"},
       "would need 12544 MB for their events; expected at most 4096 MB"},
  };
  for (const Case& one : cases) {
    const Finished run = Trace(one.words, folder);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_TRUE(Has(run.error, one.error)) << run.error;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.Path()));
}

TEST(Trace, InChromesFormatIsBoundedUnlessMoreIsAskedFor) {
  const ScratchFolder folder;
  const auto events = [&](const Names& more) {
    // Each message switches fibers, whatever the machine does; a lone fiber's yield does not.
    Names words{
        "trace", "-s", "fast",     "--workers", "1",     "-w",  "pingpong:pairs=10,rounds=5500",
        "-n",    "1",  "--warmup", "0",         "--for", "10s", "-o",
        "t.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished run = Schedbench(words, {.folder = folder.Path(), .environment = {}});
    EXPECT_EQ(Has(run.out, "the last 200 000 of "), more.empty()) << run.out;
    return std::filesystem::file_size(folder.Path() + "/t.json");
  };
  const auto usual = events({});
  EXPECT_LT(usual, 30'000'000u);
  EXPECT_GT(events({"--events", "400000"}), usual);
}

TEST(Trace, FindsOutBeforeTheRunThatAFileCannotBeWritten) {
  const ScratchFolder folder;
  const Finished run = Trace({"-o", "nowhere/t.json"}, folder);
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_TRUE(Has(run.error, "nowhere")) << run.error;
  EXPECT_TRUE(run.out.empty());
}

TEST(RunTrace, WritesTheTimelineNextToTheMetricsAndMarksThem) {
  const ScratchFolder folder;
  const Names words{"run", "-s", "fast", "-w", "yield:fibers=10,yields=100", "-n", "6"};
  Names traced = words;
  traced.insert(traced.end(), {"--trace", "y.json", "-o", "r.json"});
  const Finished run = Schedbench(traced, {.folder = folder.Path(), .environment = {}});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.error, "y.json\n")) << run.error;
  EXPECT_GT(json::parse(folder.Read("y.json")).at("traceEvents").size(), 100u);
  const auto result = json::parse(folder.Read("r.json"));
  EXPECT_EQ(result.at("observed"), "recorded event by event");
  EXPECT_GT(result.at("timeline").at("length_ns"), 0);
  EXPECT_TRUE(Has(run.error, "wasted core time: ")) << run.error;
  const Finished compared = Schedbench({"compare", "fast", "-w", "yield", "--baseline", "r.json"},
                                       {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(compared.code, 5);
  EXPECT_TRUE(Has(compared.error,
                  "'r.json' is from a run with costs of its own: it was recorded event by event"))
      << compared.error;
}

TEST(RunTrace, RefusesWhatDoesNotGoTogether) {
  const ScratchFolder folder;
  const auto run = [&](Names words) {
    words.insert(words.begin(), {"run", "-s", "fast", "--trace", "t.json"});
    return Schedbench(std::move(words), {.folder = folder.Path(), .environment = {}});
  };
  EXPECT_TRUE(Has(run({"--perf", "p.txt"}).error, "--trace   cannot be combined with --perf"));
  EXPECT_TRUE(
      Has(run({"-o", "./t.json"}).error, "--output ./t.json   would overwrite another output"));
  EXPECT_TRUE(Has(run({"--trace", "t.svg"}).error, "--trace t.svg   the name must end in"));
  EXPECT_EQ(run({"--perf", "p.txt"}).code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.Path()));
}

TEST(Trace, OfARunThatIsInterruptedHasTheLastOfIt) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const ScratchFolder folder;
  Process process(SchedbenchCommand({"trace", "-w", "yield:fibers=20,yields=20", "-n", "1000000",
                                     "--warmup", "0", "-o", folder.Path() + "/t.json"}),
                  {.folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError(" left"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130) << process.Error();
  EXPECT_GT(json::parse(folder.Read("t.json")).at("traceEvents").size(), 100u);
}

}  // namespace

}  // namespace schedbench::tests::trace_test
