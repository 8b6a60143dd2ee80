#include "harness/paper/benchmark.hpp"

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr std::string_view kAsPublished = "faithful";
constexpr std::uint64_t kSeed = 1;  // arbitrary; the numbers to sort are the same for all

// The settings of a scheduler or workload: "workers=4,notify=one".
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
