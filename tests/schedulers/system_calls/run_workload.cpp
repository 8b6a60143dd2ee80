// Runs one round of a workload and nothing else, to count its system calls.
// Usage: run_workload SCHEDULER WORKERS WORKLOAD [KEY=NUMBER...]
// Prints the tasks that were run and the times that a worker parked.
#include "registry/workload.hpp"
#include "tests/support/schedulers.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  using namespace schedbench;
  if (argc < 4) {
    return 2;
  }
  const auto scheduler =
      tests::MakeScheduler(argv[1], static_cast<std::uint32_t>(std::atoi(argv[2])));
  const registry::WorkloadEntry* entry = registry::FindWorkload(argv[3]);
  if (entry == nullptr) {
    return 2;
  }
  config::Settings settings(entry->schema());
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t equals = text.find('=');
    settings.Set(text.substr(0, equals), std::uint64_t{std::stoull(text.substr(equals + 1))}, {});
  }
  const auto workload = entry->make(settings, 1);
  workload->Prepare();
  workload->Run(*scheduler);
  scheduler->WaitIdle();
  const tests::Totals totals(*scheduler);
  std::printf("%llu %llu\n", static_cast<unsigned long long>(totals["tasks_run"]),
              static_cast<unsigned long long>(totals["parks"]));
  return workload->Verify().empty() ? 0 : 4;
}
