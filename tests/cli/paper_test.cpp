#include "tests/cli/google_compare.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <set>
#include <sstream>
#include <string>

namespace schedbench::tests::paper_test {

namespace {

using nlohmann::json;

TEST(Paper, HasTheRowsOfTheDocumentAndOfBmSingleMutex) {
  const Finished list = Schedbench({"paper", "--benchmark_list_tests=true"});
  EXPECT_EQ(list.code, 0) << list.error;
  std::istringstream lines(list.out);
  std::set<std::string> names;
  std::string first;
  for (std::string name; std::getline(lines, name);) {
    first = first.empty() ? name : first;
    names.insert(name);
  }
  EXPECT_EQ(first, "BM_SingleSpawner<algo::GlobalFIFO>/4/1000/10/0");
  EXPECT_EQ(names.size(), 36U + 45U);
  EXPECT_TRUE(
      names.contains("BM_DifferentSpawners<WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_"
                     "StealOne>/8/10000/100/10"));
}

TEST(Paper, IsMeasuredByGoogleBenchmarkNextToThePublishedTime) {
  const Finished run = Schedbench({"paper", "--benchmark_filter=BM_MergeSort<algo::GlobalFIFO>",
                                   "--benchmark_min_time=0.0001", "--benchmark_format=json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json row = json::parse(run.out)["benchmarks"].at(0);
  EXPECT_EQ(row["name"], "BM_MergeSort<algo::GlobalFIFO>/4/1024");
  EXPECT_EQ(row["time_unit"], "ms");
  EXPECT_EQ(row["published_ms"].get<double>(), 27.6);
  EXPECT_GT(row["real_time"].get<double>(), 0);
  // All threads have used at least what the calling one has.
  EXPECT_GT(row["cpu_all_ms"].get<double>(), 0.9 * row["cpu_time"].get<double>());
  const Finished compared = ComparedByGoogleBenchmark(run.out, run.out);
  EXPECT_EQ(compared.code, 0) << compared.error;
  EXPECT_NE(compared.out.find("BM_MergeSort"), std::string::npos) << compared.out;
}

TEST(Paper, WritesItsFileWholeOrNotAtAll) {
  const ScratchFolder folder;
  const auto paper = [&folder](const std::string& filter) {
    return Schedbench({"paper", "--benchmark_filter=" + filter, "--benchmark_min_time=0.0001",
                       "--benchmark_out=out.json"},
                      {.folder = folder.Path()});
  };
  folder.Write("out.json", "former");
  EXPECT_EQ(paper("no such row").code, 2);
  EXPECT_EQ(folder.Read("out.json"), "former");
  ASSERT_EQ(paper("BM_MergeSort<algo::GlobalFIFO>").code, 0);
  EXPECT_EQ(json::parse(folder.Read("out.json"))["benchmarks"].size(), 1U);
}

TEST(Paper, TakesNothingFromTheEnvironment) {
  const Finished list = Schedbench(
      {"paper", "--benchmark_list_tests=true"},
      {.environment = {{"BENCHMARK_FILTER", "MergeSort"}, {"BENCHMARK_OUT", "nowhere/x.json"}}});
  EXPECT_EQ(list.code, 0) << list.error;
  EXPECT_TRUE(list.out.starts_with("BM_SingleSpawner"));
}

TEST(Paper, NamesAnotherModeInTheRow) {
  const Finished run = Schedbench({"paper", "--mode", "spin", "--benchmark_list_tests=true"});
  EXPECT_NE(run.out.find("BM_SlowThread<algo::GlobalFIFO>/4/1000/10/100/mode:spin\n"),
            std::string::npos);
  EXPECT_NE(run.out.find("BM_MergeSort<algo::GlobalFIFO>/4/1024\n"), std::string::npos);
}

TEST(Paper, ThatIsInterruptedWritesTheRowsThatWereFinished) {
  const ScratchFolder folder;
  // One row of an hour.
  Process process(SchedbenchCommand({"paper", "--benchmark_filter=BM_MergeSort<algo::GlobalFIFO>",
                                     "--benchmark_min_time=3600", "--benchmark_out=out.json"}),
                  {.folder = folder.Path()});
  ASSERT_TRUE(process.WaitForError("Load Average"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_NE(process.Error().find("interrupted: 0 of 1 rows were finished\n"), std::string::npos);
  EXPECT_EQ(json::parse(folder.Read("out.json"))["benchmarks"], json::array());
}

}  // namespace

}  // namespace schedbench::tests::paper_test
