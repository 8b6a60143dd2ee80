#include "harness/agent/message.hpp"
#include "harness/experiment/data.hpp"
#include "harness/experiment/plan.hpp"
#include "record/record.hpp"

namespace schedbench::harness {

record::Of<Extent> RecordOf(const Extent* /*type*/) {
  using T = Extent;
  return {"Extent",
          {{"blocks", &T::blocks, "Blocks: fresh processes of each alternative."},
           {"budget_ns", &T::budget,
            "Time after which the comparison ended; null: all blocks were measured."},
           {"rounds", &T::rounds, "Measured rounds in a block."},
           {"warmup", &T::warmup, "Warm-up rounds."},
           {"seed", &T::seed, "Seed of all random choices."},
           {"timeout_ns", &T::limit, "Time without progress after which a run fails; 0: none."}}};
}

record::Of<Series> RecordOf(const Series* /*type*/) {
  using T = Series;
  return {"Series",
          {{"blocks", &T::blocks, "All rounds, by block"},
           {"effective_config",
            &T::config,
            record::kJsonText,
            "The settings that were in effect. Null: unknown.",
            {record::kNull}},
           {"audit", &T::audit, "What the work was made of. Null: it was not counted."},
           {"failure", &T::failure, "Why there are no more blocks", {record::kNull}},
           {"details", &T::details, "Lines that explain the failure"}}};
}

record::Of<Disturbance> RecordOf(const Disturbance* /*type*/) {
  using T = Disturbance;
  return {"Disturbance",
          {{"steal_share", &T::steal_share, "Of the CPU time, taken by others on the host."},
           {"others_share", &T::others_share, "Of the CPU time, taken by other programs."},
           {"busiest", &T::busiest, "The busiest of these programs.", {record::kOptional}},
           {"throttled", &T::throttled, "Periods in which the cgroup had used up its quota."}}};
}

}  // namespace schedbench::harness
