#include "tests/bench/contender.hpp"

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <cstdlib>

namespace schedbench::simulation {

namespace {

constexpr std::uint64_t kSeed = 1;

}  // namespace

Contender::Contender(const std::string& scheduler_spec, const std::string& workload_spec,
                     std::uint64_t workers)
    : name_(scheduler_spec) {
  config::Problems problems;
  const auto scheduler_parts = config::ParseSpec(scheduler_spec, "scheduler", problems);
  const auto workload_parts = config::ParseSpec(workload_spec, "workload", problems);
  problems.ThrowIfAny();
  const auto& scheduler_entry = *registry::FindScheduler(scheduler_parts->name);
  const auto& workload_entry = *registry::FindWorkload(workload_parts->name);
  config::Settings settings(scheduler_entry.schema());
  config::Settings parameters(workload_entry.schema());
  config::ApplySpec(*scheduler_parts, settings, problems);
  config::ApplySpec(*workload_parts, parameters, problems);
  problems.ThrowIfAny();
  if (const char* const field = SizeField(scheduler_entry)) {
    settings.Set(field, workers, {});
  }
  config::CheckRules(settings, problems);
  problems.ThrowIfAny();
  scheduler_ = scheduler_entry.make(settings, kSeed);
  workload_ = workload_entry.make(parameters, kSeed);
}

double Contender::RunRound(std::uint64_t at_least_ns) {
  std::uint64_t wall = 0;
  operations_ = 0;
  do {
    workload_->Prepare();
    const std::uint64_t start = platform::NowNs();
    operations_ += workload_->Run(*scheduler_);
    wall += platform::NowNs() - start;
#if !defined(SB_COUNT) || SB_COUNT > 0  // without counters there is nothing to check
    scheduler_->WaitIdle();
#endif
    if (const std::string wrong = workload_->Verify(); !wrong.empty()) {
      fmt::print(stderr, "error: {}: wrong answer: {}\n", name_, wrong);
      std::exit(4);
    }
  } while (wall < at_least_ns);
  return static_cast<double>(wall) / static_cast<double>(operations_);
}

const char* SizeField(const registry::SchedulerEntry& entry) {
  for (const char* const field : {"workers", "limit"}) {
    if (entry.schema().FindLeaf(field) != nullptr) {
      return field;
    }
  }
  return nullptr;
}

}  // namespace schedbench::simulation
