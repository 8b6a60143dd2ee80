#include "base/vector_of.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/parts/json_parts.hpp"

namespace schedbench::harness {

record::Of<Finding> RecordOf(const Finding* /*type*/) {
  using T = Finding;
  return {"Finding",
          {{"topic", &T::topic, "Such as 'governor'."},
           {"severity", &T::severity, "How bad it is."},
           {"text", &T::text, "What was found."},
           {"remedy", &T::remedy, "The command that fixes it.", {record::kNull}},
           {"too_noisy", &T::too_noisy, "Whether comparisons are unreliable with it."}}};
}

static record::Of<Activity::Process> RecordOf(const Activity::Process* /*type*/) {
  using T = Activity::Process;
  return {"Process",
          {{"name", &T::name, ""}, {"cpus", &T::cpus, "CPUs that it used: 0.5 is half a CPU."}}};
}

static record::Of<Activity> RecordOf(const Activity* /*type*/) {
  using T = Activity;
  return {"Activity",
          {{"window_seconds", &T::window_seconds, "0: too short to measure it."},
           {"steal_share", &T::steal_share, "Of all CPU time, taken by others on the host."},
           {"steal_share_ever", &T::steal_share_ever, "The same, since the machine started."},
           {"busy_cpus", &T::busy_cpus, "CPUs that were used, also by this process."},
           {"processes", &T::processes, "Others, the busiest first."},
           {"running_now", &T::running_now, "Threads that run or are ready to."},
           {"load_average", &T::load_average, "Of the last minute."},
           {"swapped_pages", &T::swapped_pages, "In and out."},
           {"throttled", &T::throttled, "Periods in which the cgroup had used up its quota."},
           {"throttled_ever", &T::throttled_ever, "The same, since the cgroup exists."}}};
}

static record::Of<MachineFacts> RecordOf(const MachineFacts* /*type*/) {
  using T = MachineFacts;
  return {"MachineFacts",
          {{"hypervisor", &T::hypervisor, "Whether the CPU reports that it is virtual."},
           {"product", &T::product, "Such as 'QEMU Standard PC'.", {record::kNull}},
           {"cpus_present", &T::present, "CPUs of the machine; none: unknown."},
           {"cpus_allowed", &T::allowed, "CPUs that the process may use; none: unknown."},
           {"shared_cores", &T::shared_cores, "Of these, those that share a core."},
           {"governors", &T::governors, "Of the allowed CPUs, each once."},
           {"turbo", &T::turbo, "The CPU may be faster as long as it is cool."},
           {"cpu_quota",
            [](const T& facts) { return Mapped(facts.cpu_limit, &platform::CpuLimit::cpus); },
            "Of the cgroup, in CPUs."},
           {"activity", &T::activity, "What ran on the machine."},
           {"swap_used_kib", &T::swap_used_kib, ""},
           {"memory_pressure", &T::memory_pressure,
            "Share of the last ten seconds in which something waited for memory."},
           {"perf_event_paranoid", &T::perf_event_paranoid, ""},
           {"hardware_counters", &T::hardware_counters, "Whether they can be read."},
           {"huge_pages", &T::huge_pages, "'always', 'madvise' or 'never'.", {record::kNull}},
           {"clock_source", &T::clock_source, "Such as 'tsc'.", {record::kNull}},
           {"timer_slack_ns", &T::timer_slack_ns, ""},
           {"address_randomisation", &T::address_randomisation, ""}}};
}

static record::Of<SelfComparison> RecordOf(const SelfComparison* /*type*/) {
  using T = SelfComparison;
  return {"SelfComparison",
          {{"scheduler", &T::scheduler, "Name of the scheduler."},
           {"workload", &T::workload, "The workload."},
           {"blocks", &T::blocks, "Blocks that were measured to their end."},
           {"metric", [](const T& /*self*/) { return "throughput"; }, "Name of the metric."},
           {"ratio", &T::ratio, "The truth is 1."},
           {"level", &T::level, "Confidence level of the interval."},
           {"resolution", [](const T& self) { return Mapped(self.ratio, &Resolution); },
            "The smallest difference that the machine can resolve."},
           {"dependent", &T::dependent,
            "Blocks resemble their neighbours; the interval is widened for it."},
           {"reason", &T::missing, report::kReasonDoc, {record::kNull}}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

record::Record RecordOf(const DoctorResult* /*type*/) {
  using T = DoctorResult;
  return ResultRecord<"doctor", T>(
      {{"complete", &T::complete, kCompleteDoc},
       {"too_noisy", [](const T& result) { return harness::AnyConcern(result.findings); },
        "Whether comparisons on this machine are unreliable."},
       {"findings", &T::findings, "What was found, with the command that fixes it."},
       {"self_comparison", &T::self, "fast compared with itself (A/A)."},
       {"seed", &T::seed, kSeedDoc},
       {"facts", &T::facts, "What the machine reports."}});
}

}  // namespace schedbench::report
