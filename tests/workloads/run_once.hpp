#pragma once

#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "registry/workload.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::tests {

// A workload as on the command line, without a preset: "mutex:fibers=4".
struct MadeWorkload {
  const registry::WorkloadEntry& entry;
  std::unique_ptr<registry::IWorkload> workload;
};

inline MadeWorkload MakeWorkload(const std::string& spec) {
  config::Problems problems;
  const auto parts = config::ParseSpec(spec, "workload", problems);
  problems.ThrowIfAny();
  const registry::WorkloadEntry& entry = *registry::FindWorkload(parts->name);
  config::Settings settings(entry.schema());
  config::ApplySpec(*parts, settings, problems);
  config::CheckRules(settings, problems);
  problems.ThrowIfAny();
  return {entry, entry.make(settings, Seed())};
}

struct Outcome {
  std::uint64_t operations = 0;
  std::string wrong;  // what Verify() says
  std::map<std::string, double, std::less<>> metrics;

  double operator[](std::string_view metric) const {
    return metrics.find(metric)->second;
  }
};

// One round.
inline Outcome RunOnce(const std::string& spec, registry::IScheduler& scheduler) {
  const HangGuard hang_guard("a round of a workload");
  const MadeWorkload made = MakeWorkload(spec);
  made.workload->Prepare();
  Outcome outcome;
  outcome.operations = made.workload->Run(scheduler);
  scheduler.WaitIdle();
  outcome.wrong = made.workload->Verify();
  const auto values = made.workload->Metrics();
  EXPECT_EQ(values.size(), made.entry.metrics.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    outcome.metrics.emplace(made.entry.metrics[i].name, values[i]);
  }
  return outcome;
}

inline Outcome RunOnce(const std::string& spec, std::string_view scheduler_spec,
                       std::uint32_t workers) {
  const auto scheduler = MakeScheduler(scheduler_spec, workers);
  return RunOnce(spec, *scheduler);
}

}  // namespace schedbench::tests
