#include "harness/runner.hpp"

#include "harness/session.hpp"

#include <fmt/core.h>

namespace schedbench::harness {

namespace {

std::string RoundName(const RunPlan& plan, std::uint32_t done) {
  return done < plan.warmup ? fmt::format("warm-up round {}", done + 1)
                            : fmt::format("round {}", done - plan.warmup + 1);
}

}  // namespace

std::string ExecutePlan(const RunPlan& plan, Recorder& recorder, const Progress& progress,
                        WatchPoint& watch, const OnScheduler& on_scheduler) {
  Session session(plan, watch);
  recorder.SetEffectiveConfig(session.EffectiveConfig());
  if (on_scheduler) {
    on_scheduler(session.Scheduler());
  }
  const std::uint32_t all = plan.warmup + plan.rounds;
  for (std::uint32_t done = 0; done < all; ++done) {
    const bool warming_up = done < plan.warmup;
    progress(done, all, warming_up);
    try {
      const MeasuredRound round = session.Measure(RoundName(plan, done));
      if (!warming_up) {
        recorder.Add(round);
      }
    } catch (const RoundFailure& failure) {
      return failure.what();
    }
  }
  progress(all, all, false);
  session.Close();
  return "";
}

}  // namespace schedbench::harness
