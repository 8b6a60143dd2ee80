// What reports say of an open load: notes on a run, and the search for the largest rate that holds.
#include "report/format.hpp"
#include "report/parts/notes.hpp"
#include "report/slo/slo_report.hpp"
#include "tests/report/example_result.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::report::open_load_test {

namespace {

using harness::LoadBounds;
using harness::LoadEnding;
using registry::Better;

constexpr TerminalStyle kPlain{.unicode = false, .colour = false};

constexpr std::array kMetrics{registry::Metric{"latency_p99", "ns", Better::kLower, ""},
                              registry::Metric{"late_p99", "ns", Better::kNone, ""},
                              registry::Metric{"growth", "share", Better::kNone, "", 500}};
constexpr std::array kLatencies{registry::OpenLoad::Latency{"p99", "latency_p99"}};
constexpr registry::OpenLoad kLoad{.rate = "rate",
                                   .operations = "requests",
                                   .latencies = kLatencies,
                                   .late = "late_p99",
                                   .late_beside = "latency_p99",
                                   .backlog_growth = "growth",
                                   .saturated_above = 0.05};

const registry::WorkloadEntry& Service() {
  static const registry::WorkloadEntry entry{.name = "service",
                                             .doc = "",
                                             .operation = "request",
                                             .schema = &config::SchemaOf<tests::ExampleConfig>,
                                             .make = nullptr,
                                             .metrics = kMetrics,
                                             .open_load = &kLoad};
  return entry;
}

harness::RunPlan ServicePlan() {
  harness::RunPlan plan = tests::ExamplePlan(6);
  plan.workload = &Service();
  return plan;
}

struct Seen {
  double latency;
  double late;
  std::optional<double> growth;
};

harness::RunResult Result(const Seen& seen) {
  harness::Recorder recorder(ServicePlan());
  for (int i = 0; i < 6; ++i) {
    harness::MeasuredRound round = tests::ExampleRound();
    round.reading.own = {seen.latency, seen.late, seen.growth};
    recorder.Add(round);
  }
  harness::RunResult result = recorder.Take("");
  result.machine.cpus_allowed = 2;
  return result;
}

// The note that begins so; "" where there is none.
std::string NoteOf(const harness::RunResult& result, std::string_view begin) {
  for (const Note& note : NotesOn(result)) {
    if (note.text.starts_with(begin)) {
      return note.text + " | " + note.remedy;
    }
  }
  return "";
}

TEST(NotesOnAnOpenLoad, SayThatItWasNotKept) {
  EXPECT_EQ(
      NoteOf(Result({1e6, 1e3, 0.23}), "saturated"),
      "saturated: 23 % of the requests piled up; latencies depend on the length of a round | try "
      "--slo 'p99<10ms'");
  EXPECT_EQ(NoteOf(Result({1e6, 1e3, 0.05}), "saturated"), "");
}

TEST(NotesOnAnOpenLoad, SayThatItsSourceIsLateAndThatFewerWorkersWouldLeaveItRoom) {
  EXPECT_EQ(NoteOf(Result({1e6, 300e3, 0}), "the source"),
            "the source of the load is late: late_p99 is 300 us, latency_p99 is 1.00 ms | try "
            "--workers 1");
  EXPECT_EQ(NoteOf(Result({1e6, 200e3, 0}), "the source"), "");
}

TEST(NotesOnAnOpenLoad, LeaveMetricsAloneThatAreMissing) {
  EXPECT_EQ(NoteOf(Result({1e6, 1e3, std::nullopt}), "saturated"), "");
}

// A search that tried these rates, with a limit of 1 ms; each got a latency of its size in us.
harness::SloResult Searched(const std::vector<double>& rates,
                            const std::optional<LoadBounds>& bounds,
                            std::optional<double> growth = 0) {
  const std::size_t metric = harness::RoundMetricList().size();
  harness::SloResult result{.plan = ServicePlan(),
                            .limits = {{.text = "p99<1ms", .metric = metric, .below_ns = 1e6}},
                            .range = {.first = 1000, .lowest = 62.5, .highest = 1e8},
                            .probes = {},
                            .searches = bounds ? std::vector{*bounds} : std::vector<LoadBounds>(),
                            .disturbance = {},
                            .complete = bounds.has_value(),
                            .failure = bounds ? "" : "interrupted",
                            .diagnosis = "",
                            .machine = platform::ThisMachine(),
                            .command = {"schedbench", "run"}};
  for (const double rate : rates) {
    harness::Round round;
    round.metrics.resize(metric);
    round.metrics.insert(round.metrics.end(), {rate * 1e3, 0.0, growth});
    result.probes.push_back(harness::JudgeRate(Service(), result.limits, rate, {round}));
  }
  return result;
}

TEST(SloTable, ListsRatesBySizeAndNamesTheLargestThatHolds) {
  const std::string table = TerminalText(
      DocumentOf(Searched({500, 1000, 990}, LoadBounds{990, 1000, LoadEnding::kFound}), kPlain),
      kPlain);
  EXPECT_NE(table.find("  requests/s      p99  spread  verdict\n"
                       "         500   500 us          holds\n"
                       "         990   990 us          holds\n"
                       "        1000  1.00 ms          does not hold\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("largest rate that holds: 990 requests/s in 1 search; 1000 does not\n"),
            std::string::npos)
      << table;
}

TEST(SloTable, GivesTheRangeOfRepeatedSearchesOrReportsThatTheyDisagree) {
  auto result = Searched({500}, LoadBounds{990, 1000, LoadEnding::kFound});
  result.searches.push_back({960, 980, LoadEnding::kFound});
  const std::string near = TerminalText(DocumentOf(result, kPlain), kPlain);
  EXPECT_NE(near.find("largest rate that holds: 960 requests/s in each of 2 searches (990, 960); "
                      "1000 does not\n"),
            std::string::npos)
      << near;
  result.searches.push_back({4000, 4050, LoadEnding::kFound});
  const std::string far = TerminalText(DocumentOf(result, kPlain), kPlain);
  EXPECT_NE(far.find("not repeatable here: 3 searches ended at 990, 960, 4000\n"),
            std::string::npos)
      << far;
  EXPECT_NE(far.find("no other program used much CPU time"), std::string::npos) << far;
  result.disturbance = {.others_share = 0.34, .busiest = "cc1plus"};
  const std::string noisy = TerminalText(DocumentOf(result, kPlain), kPlain);
  EXPECT_NE(noisy.find("other programs took 34 % of the CPU time (cc1plus)"), std::string::npos)
      << noisy;
}

TEST(SloTable, SaysWhatItDoesNotKnow) {
  const auto has = [](const harness::SloResult& result, const std::string& text) {
    const std::string table = TerminalText(DocumentOf(result, kPlain), kPlain);
    EXPECT_NE(table.find(text), std::string::npos) << table;
  };
  const auto never = Searched({2000}, LoadBounds{std::nullopt, 2000, LoadEnding::kNeverHolds});
  has(never, "no rate holds, down to 2000 requests/s\n");
  has(never, "try --workload service:rate=500\n");
  has(Searched({500}, LoadBounds{500, std::nullopt, LoadEnding::kAlwaysHolds}),
      "every rate holds, up to 500 requests/s, the highest possible\n");
  has(Searched({500, 2000}, LoadBounds{500, 2000, LoadEnding::kOutOfProbes}),
      "the search ended early: 500 requests/s holds, 2000 does not\n");
  has(Searched({500}, std::nullopt), "partial interrupted\n");
  has(Searched({500}, LoadBounds{500, std::nullopt, LoadEnding::kAlwaysHolds}, std::nullopt),
      "rounds have too few requests to see whether the load was kept");
  has(Searched({500}, LoadBounds{std::nullopt, 500, LoadEnding::kNeverHolds}, 0.4),
      "saturated: 40 % piled up\n");
}

TEST(SloJson, HasNoLimitIfTheSearchesDisagree) {
  auto result = Searched({500}, LoadBounds{990, 1000, LoadEnding::kFound});
  EXPECT_NE(RenderJson(result).find("\n  \"largest_rate\": 990"), std::string::npos);
  result.searches.push_back({4000, 4050, LoadEnding::kFound});
  const std::string json = RenderJson(result);
  EXPECT_NE(json.find("\n  \"largest_rate\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\n  \"smallest_failing_rate\": null"), std::string::npos);
}

TEST(SloJson, IsNullWhereThereIsNoAnswer) {
  const std::string json = RenderJson(Searched({500}, std::nullopt));
  EXPECT_NE(json.find("\"largest_rate\": null"), std::string::npos);
  EXPECT_NE(json.find("\"ending\": null"), std::string::npos);
}

TEST(Slo, ThatWasDisturbedOnPurposeSaysSoInEachReport) {
  auto result = Searched({500}, LoadBounds{500, std::nullopt, LoadEnding::kAlwaysHolds});
  EXPECT_EQ(TerminalText(DocumentOf(result, kPlain), kPlain).find("disturbed"), std::string::npos);
  EXPECT_NE(RenderJson(result).find("\"perturbed\": null"), std::string::npos);
  result.perturbed = "2 hogs";
  EXPECT_NE(TerminalText(DocumentOf(result, kPlain), kPlain).find("disturbed on purpose: 2 hogs"),
            std::string::npos);
  EXPECT_NE(RenderJson(result).find("\"perturbed\": \"2 hogs\""), std::string::npos);
}

TEST(ProbeLine, ShowsRateLatencyAndVerdict) {
  const auto result = Searched({500}, std::nullopt);
  EXPECT_EQ(ProbeLine(Service(), result.limits, result.probes.front(), kPlain),
            "          500 requests/s   p99 500 us   holds");
}

}  // namespace

}  // namespace schedbench::report::open_load_test
