#include "base/vector_of.hpp"
#include "report/audit/audit_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::harness {

static record::Of<AuditedScheduler> RecordOf(const AuditedScheduler* /*type*/) {
  using T = AuditedScheduler;
  return {
      "AuditedScheduler",
      {{"name", &T::name, "As on the command line."},
       {"shares",
        [](const T& scheduler) {
          return VectorOf(TimeUses(), [&](const auto& info) {
            return std::pair<std::string_view, double>(info.key, scheduler.split[info.use]);
          });
        },
        "Of the wall time of all workers, by use; they add up to 1. task_body: code of the "
        "workload. kernel_sleep: sleeps in the kernel that tasks asked for. switch: spawns, "
        "switches, queues, channels and mutexes of fibers. lock_wait: locks of queues and "
        "channels; locks that block a worker. steal_search: search for tasks of other workers. "
        "park_and_wake: parked without work; parking, and waking others. system_calls: blocked in "
        "other system calls of tasks. preempted: ready to run while the system gave the CPU to "
        "others. harness: between the rounds. unexplained: CPU time that no sample stands for."},
       {"separates_locks", &T::split, &TimeSplit::separates_locks,
        "false: waits for locks that block a worker are in park_and_wake, because the scheduler "
        "does not measure the time parked."},
       {"separates_calls", &T::split, &TimeSplit::separates_calls,
        "false: sleeps are in system_calls, because the kernel does not report which calls block."},
       {"workers", &T::workers, "0: threads come and go."},
       {"rounds", &T::rounds, "Observed ones."},
       {"wall_ns", &T::wall_ns, "Of these rounds."},
       {"samples", &T::samples, "Of CPU time."},
       {"looks", &T::looks, "Number of snapshots of the call in which a worker was blocked."}}};
}

static record::Of<LargestDifference> RecordOf(const LargestDifference* /*type*/) {
  using T = LargestDifference;
  return {"LargestDifference",
          {{"name", &T::name, "Of the other scheduler."},
           {"change", &T::change, "Of the median ratio: 0.05 is 5 % faster."},
           {"low", &T::low, "The lower end of its interval."},
           {"high", &T::high, "The upper end of its interval."},
           {"level", [](const T& /*difference*/) { return kJointLevel; },
            "That all intervals hold at once."},
           {"proven", &T::proven, "Whether any scheduler is proven to differ from the first."}}};
}

static record::Of<Fairer> RecordOf(const Fairer* /*type*/) {
  return {
      "Fairer",
      {{"advice", &Fairer::advice, "What to do."}, {"command", &Fairer::command, "That does it."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

record::Record RecordOf(const AuditResult* /*type*/) {
  using T = AuditResult;
  return ResultRecord<"audit", T>(
      {{"complete", &T::complete, kCompleteDoc},
       {"workload", &T::workload_text, "As on the command line."},
       {"schedulers", &T::schedulers, "Where the time of the workers goes."},
       {"difference", [](const T& result) { return harness::DifferenceOf(result); },
        "The scheduler that differs most from the first in throughput; null: they were not "
        "compared, or have no interval."},
       {"conclusions", [](const T& result) { return harness::Conclusions(result); },
        "In sentences."},
       {"fairer", [](const T& result) { return harness::FairerVersion(result); },
        "A version that measures more of the scheduler; null: none is known."},
       {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}},
       {"seed", &T::plan, &harness::ComparisonPlan::seed, kSeedDoc}});
}

}  // namespace schedbench::report
