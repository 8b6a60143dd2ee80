#include "harness/hypotheses/judge.hpp"

#include <array>

namespace schedbench::harness {

namespace {

using namespace std::string_view_literals;

constexpr std::array kGlobalTasks{"from_global"sv, "tasks_grabbed"sv};
constexpr std::array kWaits{"voluntary_switches"sv};
constexpr std::array kSteals{"steals"sv};
constexpr std::array kOffloads{"offloads"sv};
constexpr std::array kCpusUsed{"cpus_used"sv};
constexpr std::array kMigrations{"migrations"sv};

constexpr std::string_view kFromGlobal = "tasks taken from the global queue";
constexpr std::string_view kBlocked = "times that a thread waited in the kernel";

constexpr std::array kHypotheses{
    Hypothesis{.name = "H1",
               .source = "the toucan report",
               .statement = "Work stealing is faster than GlobalFIFO, because it accesses the "
                            "global queue less often.",
               .workload = "single_spawner:tasks=5000,mode=spin",
               .before = "global_fifo",
               .after = "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
               .counters = kGlobalTasks,
               .mechanism = kFromGlobal},
    Hypothesis{.name = "H2",
               .source = "the toucan report",
               .statement = "A lock-free local queue is faster than one with a mutex, because no "
                            "worker waits for another.",
               .workload = "single_spawner:tasks=5000,mode=spin",
               .before = "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetOneFromGlob",
               .after = "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
               .counters = kWaits,
               .mechanism = kBlocked},
    Hypothesis{.name = "H3",
               .source = "the toucan report",
               .statement = "To steal one task is slower than to steal half, because workers steal "
                            "more often.",
               .workload = "single_spawner:tasks=5000,mode=spin",
               .before = "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
               .after = "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealOne",
               .counters = kSteals,
               .mechanism = "steals",
               .counters_go = Way::kRises,
               .throughput_goes = Way::kFalls},
    Hypothesis{.name = "H4",
               .source = "the toucan report",
               .statement = "In SingleSpawner, a full local queue should offload half of itself "
                            "instead of one task, because it is full less often.",
               .workload = "single_spawner:tasks=5000,mode=spin",
               .before = "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
               .after = "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
               .counters = kOffloads,
               .mechanism = "offloads to the global queue"},
    Hypothesis{.name = "H4-sort",
               .source = "the toucan report",
               .statement =
                   "In MergeSort, a full local queue should offload half of itself instead "
                   "of one task, because it is full less often.",
               .workload = "merge_sort:numbers=8192",
               .before = "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
               .after = "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
               .counters = kOffloads,
               .mechanism = "offloads to the global queue"},
    Hypothesis{.name = "H5",
               .source = "the toucan report",
               .statement =
                   "With one worker, fibers that yield to each other get equal turns under "
                   "all schedulers.",
               .workload = "yield_fairness"},
    Hypothesis{.name = "F12",
               .source = "the Scalable Scheduler task",
               .statement = "A scalable scheduler runs more tasks per second on more CPUs.",
               .workload = "single_producer_imbalance:tasks=5000,body_ns=5000",
               .before = "fast:workers=1",
               .after = "fast",
               .counters = kCpusUsed,
               .mechanism = "CPUs used",
               .counters_go = Way::kRises},
    Hypothesis{.name = "F13",
               .source = "the Scalable Scheduler task",
               .statement = "One mutex passes fewer critical sections per second on more CPUs, "
                            "because threads wait for each other.",
               .workload = "strand_vs_mutex:guard=thread_mutex,sections=10000,outside_ns=0",
               .before = "fast:workers=1",
               .after = "fast",
               .counters = kWaits,
               .mechanism = kBlocked,
               .counters_go = Way::kRises,
               .throughput_goes = Way::kFalls},
    Hypothesis{.name = "F14",
               .source = "the Scalable Scheduler task",
               .statement =
                   "Tasks that depend on each other are faster on one worker, because data "
                   "stays in its cache.",
               .workload = "pingpong:pairs=8,rounds=10000,hint=next",
               .before = "fast:lifo_limit=0",
               .after = "fast",
               .counters = kMigrations,
               .mechanism = "fibers that continued on another worker"},
    Hypothesis{.name = "control",
               .source = "A/A",
               .statement = "A scheduler is faster than itself. A sound method finds nothing here.",
               .workload = "yield:preset=small",
               .before = "fast",
               .after = "fast",
               .counters = kWaits,
               .mechanism = kBlocked},
};

}  // namespace

std::span<const Hypothesis> Hypotheses() {
  return kHypotheses;
}

}  // namespace schedbench::harness
