#include "cli/command.hpp"
#include "registry/pages.hpp"
#include "report/format.hpp"
#include "tests/cli/google_compare.hpp"
#include "tests/cli/process.hpp"
#include "tests/cli/schema.hpp"
#include "tests/cli/script_agent.hpp"
#include "tests/support/requirements.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::tests::formats_test {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const Words kRun{"run", "-w", "yield:fibers=2,yields=3", "-n", "6"};
const Words kCompare{"compare", "fast", "global_fifo", "-w", "yield:fibers=2,yields=3",
                     "-b",      "7",    "-n",          "1",  "-q"};
const Words kSearch{
    "run",    "-w", "open_loop:requests=300,rate=2000", "-n", "2", "--warmup", "0", "--slo",
    "p50<1s", "-q"};
const Words kSweep{"sweep",       "-w",         "yield:fibers=2",
                   "--over",      "yields=2,3", "--over",
                   "workers=1,2", "-b",         "3",
                   "-n",          "1",          "-q"};
const Words kScale{"scale", "-w", "yield:fibers=2,yields=3", "--workers", "1..3", "-b", "2", "-n",
                   "1",     "-q"};
const Words kMetg{"metg",     "fast",       "global_fifo", "-w", "taskgraph:width=4,steps=4",
                  "--grains", "1,16,10000", "-b",          "2",  "-n",
                  "1",        "--warmup",   "0",           "-q"};
const Words kTune{"tune",
                  "-w",
                  "yield:fibers=2,yields=3",
                  "--over",
                  "lifo_limit=0,1,3",
                  "--hold-out",
                  "pingpong:pairs=1,rounds=10",
                  "-b",
                  "7",
                  "-n",
                  "1",
                  "--warmup",
                  "0",
                  "-q"};
const Words kSuite{"run", "-s", "all", "-w", "yield:fibers=2,yields=3", "-n", "1", "-q"};
const Words kAudit{"audit", "yield:fibers=2,yields=3", "fast", "global_fifo", "--for", "1ms", "-b",
                   "6"};
const Words kHypotheses{"hypotheses", "control", "-b", "2"};
const Words kBisect{"history",
                    "bisect",
                    "fast:workers=1",
                    "fast:workers=2,lifo_limit=0",
                    "-w",
                    "yield:fibers=2,yields=3",
                    "-n",
                    "1",
                    "-q"};
const Words kList{"list"};
const Words kDoctor{"doctor", "--no-aa", "--window", "0", "-q"};

Finished In(Words words, const std::string& format) {
  words.insert(words.end(), {"--format", format});
  return Schedbench(std::move(words));
}

// Of the files of all formats.
std::vector<std::string_view> Extensions() {
  std::vector<std::string_view> extensions;
  for (const report::Format& format : report::kFormats) {
    if (!format.extension.empty()) {
      extensions.push_back(format.extension);
    }
  }
  return extensions;
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::size_t Lines(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(Csv, HasARowForEachMetric) {
  const Finished run = In(kRun, "csv");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(FirstLine(run.out),
            "scheduler,workload,metric,unit,better,median,low,high,interval,rounds,reason");
  EXPECT_NE(run.out.find("\nfast,\"yield(fibers=2, yields=3, front_end=fiber)\",throughput,ops/s,"),
            std::string::npos)
      << run.out;
  const Finished compared = In(kCompare, "csv");
  EXPECT_EQ(compared.code, 0) << compared.error;
  EXPECT_TRUE(compared.out.starts_with("workload,metric,unit,better,alternative,median,"));
  EXPECT_NE(compared.out.find(",throughput,ops/s,higher,global_fifo,"), std::string::npos);
  EXPECT_TRUE(
      In(kSearch, "csv").out.starts_with("scheduler,workload,rate,holds,saturated,p50<1s\n"));
  EXPECT_TRUE(In(kList, "csv").out.starts_with("list,name,doc,unit,one_per,scheduler\n"));
  EXPECT_TRUE(In(kSweep, "csv").out.starts_with("yields,workers,metric,unit,median,low,high,"));
  EXPECT_TRUE(In(kDoctor, "csv").out.starts_with("topic,severity,finding,remedy,too_noisy\n"));
}

TEST(Markdown, IsATable) {
  for (const Words& words : {kRun, kCompare, kSearch, kDoctor, kList}) {
    const std::string text = In(words, "markdown").out;
    EXPECT_TRUE(text.starts_with("| ")) << text;
    EXPECT_NE(text.find("\n|---|"), std::string::npos) << text;
    EXPECT_GE(Lines(text), 3U);
  }
}

TEST(GbenchJson, HasARepetitionForEachRound) {
  const json result = json::parse(In(kRun, "gbench-json").out);
  ASSERT_EQ(result["benchmarks"].size(), 6U);
  const json& round = result["benchmarks"][5];
  EXPECT_EQ(round["name"], "yield:fibers=2,yields=3/fast");
  EXPECT_EQ(round["run_type"], "iteration");
  EXPECT_EQ(round["repetitions"], 6);
  EXPECT_EQ(round["repetition_index"], 5);
  EXPECT_EQ(round["iterations"], 6);
  EXPECT_GT(round["real_time"].get<double>(), 0);
  EXPECT_EQ(json::parse(In(kCompare, "gbench-json").out)["benchmarks"].size(), 14U);
}

TEST(GbenchJson, IsNotAFormOfASearch) {
  const Finished run = In(kSearch, "gbench-json");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(
      run.error,
      fmt::format("error: --format gbench-json   this result has no such format; expected {}\n",
                  fmt::join(cli::kFormatNames<false>, ", ")));
}

TEST(Format, IsOneOfThoseInTheHelpOfTheCommand) {
  for (const Words& words : {kDoctor, kHypotheses, kList, kSweep, kAudit}) {
    const std::string help = Schedbench({words.front(), "--help"}).out;
    EXPECT_NE(
        help.find(fmt::format("{}", fmt::join(std::span(cli::kFormatNames<false>).first(4), ", "))),
        std::string::npos)
        << help;
    EXPECT_EQ(help.find("gbench-json"), std::string::npos) << help;
    const Finished run = In(words, "gbench-json");
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.error,
              fmt::format("error: --format gbench-json   'gbench-json' is not one of {}\n",
                          fmt::join(cli::kFormatNames<false>, "|")));
  }
}

TEST(Html, IsNotWrittenToATerminal) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  Process process(SchedbenchCommand({"run", "-f", "html"}),
                  {.folder = "", .environment = {}, .terminal = Terminal::kOut});
  EXPECT_EQ(process.Finish(), 2);
  const std::string reason = registry::ChartPage().empty()
                                 ? "this schedbench was built without pages"
                                 : "a page is for a browser, not for a terminal    -o FILE.html";
  EXPECT_NE(process.Error().find("error: --format html   " + reason), std::string::npos)
      << process.Error();
}

TEST(GbenchJson, IsReadByTheCompareToolOfGoogleBenchmark) {
  const std::string result = In(kRun, "gbench-json").out;
  const Finished compared = ComparedByGoogleBenchmark(result, result);
  EXPECT_EQ(compared.code, 0) << compared.error;
  EXPECT_NE(compared.out.find("yield:fibers=2,yields=3/fast "), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find("OVERALL_GEOMEAN"), std::string::npos) << compared.out;
}

TEST(OutputFile, HasTheFormatOfItsName) {
  const ScratchFolder folder;
  const auto run_to = [&](const std::string& file) {
    Words words = kRun;
    words.insert(words.end(), {"-o", file});
    return Schedbench(std::move(words), {.folder = folder.Path()});
  };
  for (const char* const file : {"r.csv", "r.md", "r.json", "r.txt", "r"}) {
    EXPECT_EQ(run_to(file).code, 0) << file;
  }
  EXPECT_TRUE(folder.Read("r.csv").starts_with("scheduler,"));
  EXPECT_TRUE(folder.Read("r.md").starts_with("| scheduler |"));
  EXPECT_TRUE(json::accept(folder.Read("r.json")));
  EXPECT_TRUE(folder.Read("r.txt").starts_with("fast  ·  "));
  EXPECT_TRUE(folder.Read("r").starts_with("fast  ·  "));
  if (!registry::ChartPage().empty()) {
    EXPECT_EQ(run_to("r.html").code, 0);
    EXPECT_TRUE(folder.Read("r.html").starts_with("<!DOCTYPE html>"));
  }
  const Finished wrong = run_to("r.xml");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(
      wrong.error,
      fmt::format("error: --output r.xml   unknown file extension; expected one of {}    --format "
                  "FORMAT allows any name\n",
                  fmt::join(Extensions(), ", ")));
}

TEST(OutputFile, HasTheExtensionsOfAllFormatsInItsHelp) {
  const std::string help = cli::DocOf(cli::kOutputFlag);
  EXPECT_NE(help.find(fmt::format(": {} (", fmt::join(Extensions(), ", "))), std::string::npos)
      << help;
}

TEST(Json, IsValidByItsSchema) {
  const ScratchFolder folder;
  Words files;
  const Words study{"study", folder.Path() + "/s",
                    "fast",  "global_fifo",
                    "-w",    "yield:fibers=2,yields=3",
                    "-b",    "7",
                    "-n",    "1",
                    "--for", "1ms",
                    "-q"};
  for (const auto& [kind, words] :
       {std::pair{"run", kRun}, std::pair{"comparison", kCompare}, std::pair{"slo", kSearch},
        std::pair{"doctor", kDoctor}, std::pair{"list", kList}, std::pair{"audit", kAudit},
        std::pair{"hypotheses", kHypotheses}, std::pair{"sweep", kSweep},
        std::pair{"scale", kScale}, std::pair{"suite", kSuite}, std::pair{"metg", kMetg},
        std::pair{"tune", kTune}, std::pair{"bisect", kBisect}, std::pair{"study", study}}) {
    const std::string name(kind);
    Words command = words;
    command.insert(command.end(), {"-o", name + ".json", "-o", name + ".csv"});
    Schedbench(std::move(command), {.folder = folder.Path()});
    files.insert(files.end(), {name + ".json", name});
    EXPECT_EQ(FirstLine(folder.Read(name + ".csv")), FirstLine(DocumentedExample(name, "csv")));
  }
  EXPECT_EQ(WhyInvalid(folder, files), "");
}

TEST(Json, InTheDocumentsIsValidByItsSchema) {
  const ScratchFolder folder;
  Words files;
  const json run = json::parse(DocumentedExample("run", "json"));
  for (const std::string kind :
       {"audit", "bisect", "comparison", "doctor", "history", "hypotheses", "list", "load", "metg",
        "run", "scale", "slo", "study", "suite", "sweep", "tune", "whatif"}) {
    json example = json::parse(DocumentedExample(kind, "json"));
    EXPECT_EQ(example["kind"], kind);
    // The examples leave out what the one of run has.
    for (const char* const key : {"machine", "build", "command"}) {
      if (kind != "list" && kind != "study") {
        example[key] = run[key];
      }
    }
    folder.Write(kind, example.dump());
    files.insert(files.end(), {kind, kind});
  }
  EXPECT_EQ(WhyInvalid(folder, files), "");
}

TEST(Json, OfEachKindOfComparisonIsValidByItsSchema) {
  const ScratchFolder folder;
  const Words gated{
      "compare", "fast",     "global_fifo", "-w",        "yield:fibers=2,yields=3", "-b", "9", "-n",
      "1",       "--metric", "throughput",  "--fail-if", "throughput<-99.9%",       "-q"};
  const Finished first = In(gated, "json");
  folder.Write("gates", first.out);
  EXPECT_TRUE(json::parse(first.out)["gates"][0]["rows"][0]["ratio"].is_object());

  Words against = gated;
  against.insert(against.end(), {"--baseline", folder.Path() + "/gates"});
  const Finished compared = In(against, "json");
  EXPECT_EQ(json::parse(compared.out)["alternatives"][0]["saved"], true);
  folder.Write("baseline", compared.out);

  const std::string agent = WriteScriptAgent(folder, "agent", {.refusal = "not today"});
  const Finished failed = In({"compare", "fast", "--with", "mine=" + agent, "-w",
                              "yield:fibers=10,yields=20", "-b", "3", "-n", "1", "-q"},
                             "json");
  folder.Write("failure", failed.out);
  EXPECT_TRUE(json::parse(failed.out)["workloads"][0]["measured"]["mine"]["failure"].is_string());

  const std::string silent = WriteScriptAgent(folder, "silent", {.counts = ""});
  const Finished uncounted = In({"compare", "fast", "--with", "mine=" + silent, "-w",
                                 "yield:fibers=10,yields=20", "-b", "3", "-n", "1", "-q"},
                                "json");
  folder.Write("nothing_counted", uncounted.out);
  EXPECT_TRUE(
      json::parse(uncounted.out)["workloads"][0]["measured"]["mine"]["audit"]["counts"].empty());
  EXPECT_EQ(WhyInvalid(folder, {"gates", "comparison", "baseline", "comparison", "failure",
                                "comparison", "nothing_counted", "comparison"}),
            "");
}

TEST(Json, OfAHistoryIsValidByItsSchema) {
  const ScratchFolder folder;
  folder.Write("compared.json", In(kCompare, "json").out);
  const std::string file = folder.Path() + "/h.db";
  EXPECT_EQ(Schedbench({"history", "add", folder.Path() + "/compared.json", "--revision", "v1",
                        "--db", file})
                .code,
            0);
  folder.Write("show", In({"history", "show", "--db", file}, "json").out);
  folder.Write("check", In({"history", "check", "--db", file}, "json").out);
  EXPECT_TRUE(In({"history", "list", "--db", file}, "csv")
                  .out.starts_with("series,workload,scheduler,metric,unit,reference,revision,"));
  EXPECT_EQ(WhyInvalid(folder, {"show", "history", "check", "history"}), "");
}

TEST(Json, OfAnInterruptedComparisonIsValidByItsSchema) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const ScratchFolder folder;
  Process process(SchedbenchCommand({"compare", "fast", "global_fifo", "-w",
                                     "pingpong:pairs=1,rounds=10", "-b", "100000", "-f", "json"}),
                  {.folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  ASSERT_TRUE(process.WaitForError(" left"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  folder.Write("result", process.Out());
  EXPECT_EQ(json::parse(process.Out())["complete"], false);
  EXPECT_EQ(WhyInvalid(folder, {"result", "comparison"}), "");
}

}  // namespace

}  // namespace schedbench::tests::formats_test
