#include "harness/paper/benchmark.hpp"

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <array>
#include <exception>
#include <span>
#include <utility>

namespace schedbench::harness {

namespace {

// These have the tables' order. Only the first one has another name in the toucan report.
constexpr std::array<std::string_view, 9> kSchedulers{
    "global_fifo",
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetAllFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetAllFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetOneFromGlob",
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob",
    "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
    "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealOne",
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealOne"};

// A benchmark for all algorithms.
struct Table {
  std::string_view benchmark;
  std::string_view arguments;
  std::string_view workload;
  std::string_view parameters;
  std::uint32_t workers;
  bool sleeps = true;
  std::span<const double> published_ms = {};  // times in the order of kSchedulers
};

constexpr std::array kSingleSpawnerMs{164.0, 162.0, 160.0, 164.0, 145.0,
                                      141.0, 148.0, 161.0, 165.0};
constexpr std::array kSlowThreadMs{125.0, 124.0, 121.0, 122.0, 119.0, 120.0, 121.0, 125.0, 126.0};
constexpr std::array kMergeSortMs{27.6, 29.7, 29.6, 28.2, 28.0, 25.4, 26.9, 28.1, 27.8};
constexpr std::array kDifferentSpawnersMs{719.0, 660.0, 658.0, 664.0, 664.0,
                                          654.0, 650.0, 651.0, 659.0};

constexpr std::array kTables{
    Table{"BM_SingleSpawner", "/4/1000/10/0", "single_spawner", "tasks=1000,iterations=10", 4, true,
          kSingleSpawnerMs},
    Table{"BM_SlowThread", "/4/1000/10/100", "slow_thread", "tasks=1000,iterations=10,slowness=100",
          4, true, kSlowThreadMs},
    Table{"BM_MergeSort", "/4/1024", "merge_sort", "numbers=1024,cutoff=1", 4, false, kMergeSortMs},
    Table{"BM_DifferentSpawners", "/8/10000/100/10", "different_spawners",
          "tasks_first=10000,tasks_second=100,iterations=10", 8, true, kDifferentSpawnersMs},
    Table{"BM_SingleMutex", "/4/10/1000", "single_mutex", "tasks=10,iterations=1000", 4},
    Table{"BM_SingleMutex", "/4/100/100", "single_mutex", "tasks=100,iterations=100", 4},
    Table{"BM_SingleMutex", "/4/100/1000", "single_mutex", "tasks=100,iterations=1000", 4},
    Table{"BM_SingleMutex", "/4/1000/10", "single_mutex", "tasks=1000,iterations=10", 4},
    Table{"BM_SingleMutex", "/4/1000/100", "single_mutex", "tasks=1000,iterations=100", 4}};

constexpr std::string_view kAsPublished = "faithful";
constexpr std::uint64_t kSeed = 1;  // arbitrary; all sort equal numbers

// Parses the settings of a scheduler or workload: "workers=4,notify=one".
config::Settings SettingsOf(const config::Schema& schema, const std::string& text) {
  config::Settings settings(schema);
  config::Problems problems;
  if (const auto spec = config::ParseSpec("row:" + text, "", problems)) {
    config::ApplySpec(*spec, settings, problems);
    config::CheckRules(settings, problems);
  }
  problems.ThrowIfAny();
  return settings;
}

std::string Config(const PaperRow& row, const config::Schema& schema, std::string_view notify) {
  const bool has_notify = schema.FindLeaf("notify") != nullptr;
  return fmt::format("workers={}{}", row.workers,
                     has_notify ? fmt::format(",notify={}", notify) : "");
}

std::string Parameters(const PaperRow& row, std::string_view mode) {
  return row.parameters + (row.sleeps ? fmt::format(",mode={}", mode) : "");
}

}  // namespace

std::vector<PaperRow> PaperRows() {
  std::vector<PaperRow> rows;
  for (const Table& table : kTables) {
    for (std::size_t i = 0; i < kSchedulers.size(); ++i) {
      const std::string_view algorithm = i == 0 ? "algo::GlobalFIFO" : kSchedulers[i];
      rows.push_back({.name = fmt::format("{}<{}>{}", table.benchmark, algorithm, table.arguments),
                      .scheduler = std::string(kSchedulers[i]),
                      .workload = std::string(table.workload),
                      .parameters = std::string(table.parameters),
                      .workers = table.workers,
                      .sleeps = table.sleeps,
                      .published_ms = table.published_ms.empty()
                                          ? std::nullopt
                                          : std::optional(table.published_ms[i])});
    }
  }
  return rows;
}

PaperBenchmark::PaperBenchmark(PaperRow row, std::string_view mode, std::string_view notify)
    : row_(std::move(row)),
      scheduler_(*registry::FindScheduler(row_.scheduler)),
      workload_(*registry::FindWorkload(row_.workload)),
      config_(SettingsOf(scheduler_.schema(), Config(row_, scheduler_.schema(), notify))),
      parameters_(SettingsOf(workload_.schema(), Parameters(row_, mode))),
      suffix_(row_.sleeps && mode != kAsPublished ? fmt::format("/mode:{}", mode) : "") {
}

std::string PaperBenchmark::Name() const {
  return row_.name + suffix_;
}

PaperBenchmark::Ending PaperBenchmark::Measure(benchmark::State& state,
                                               const std::function<bool()>& cancelled) const {
  try {
    const auto workload = workload_.make(parameters_, kSeed);
    const auto scheduler = scheduler_.make(config_, kSeed);
    std::uint64_t cpu_ns = 0;
    while (state.KeepRunning()) {
      state.PauseTiming();
      if (cancelled()) {
        state.SkipWithError(std::string(kPaperInterrupted).c_str());
        return Ending::kInterrupted;
      }
      workload->Prepare();
      const std::uint64_t cpu_start = platform::ProcessCpuNs();
      state.ResumeTiming();
      workload->Run(*scheduler);
      state.PauseTiming();
      cpu_ns += platform::ProcessCpuNs() - cpu_start;
      scheduler->WaitIdle();
      if (const std::string wrong = workload->Verify(); !wrong.empty()) {
        state.SkipWithError(("wrong answer: " + wrong).c_str());
        return Ending::kFailed;
      }
      state.ResumeTiming();
    }
    const auto rounds = static_cast<double>(state.iterations());
    state.counters["cpu_all_ms"] = static_cast<double>(cpu_ns) / 1e6 / rounds;
    if (row_.published_ms && suffix_.empty()) {
      state.counters["published_ms"] = *row_.published_ms;
    }
    return Ending::kComplete;
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
    return Ending::kFailed;
  }
}

}  // namespace schedbench::harness
