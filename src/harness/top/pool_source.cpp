#include "harness/top/pool_source.hpp"

#include "fibers/diagnostics/fiber_facts.hpp"
#include "harness/session.hpp"
#include "metrics/metric_list.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace schedbench::harness {

namespace {

using WorkerReadings = std::vector<registry::WorkerReading>;

// Time between two readings of the counters, from which the state of a worker follows.
constexpr std::uint64_t kGapNs = 20'000;

std::uint64_t CountOf(const registry::WorkerReading& worker, std::string_view metric) {
  return worker.values[metrics::MetricIndex(metric)];
}

std::uint64_t NotBusyNs(const registry::WorkerReading& worker) {
  return CountOf(worker, "park_ns") + CountOf(worker, "search_ns");
}

// A worker that does not count time without a task shows a state only if a counter moves.
WorkerState StateOf(const registry::WorkerReading& earlier, const registry::WorkerReading& later,
                    bool counts_time) {
  const auto grew = [&](std::string_view metric) {
    return CountOf(later, metric) - CountOf(earlier, metric);
  };
  if (grew("park_ns") > kGapNs / 2) {
    return WorkerState::kPark;
  }
  if (grew("search_ns") > kGapNs / 2) {
    return grew("steal_attempts") > 0 ? WorkerState::kSteal : WorkerState::kSearch;
  }
  return counts_time || grew("tasks_run") > 0 ? WorkerState::kRun : WorkerState::kUnknown;
}

WorkerReadings ReadAfter(const registry::IScheduler& scheduler, std::uint64_t time_ns) {
  while (platform::NowNs() < time_ns) {
  }
  return scheduler.ReadWorkers();
}

void AddQueues(const registry::PoolState& state, TopReading& reading) {
  for (const registry::PoolState::Queue& queue : state.queues) {
    if (queue.worker >= reading.workers.size()) {
      reading.global_queue += queue.tasks;
    } else if (queue.name.starts_with("LIFO slot")) {
      reading.workers[queue.worker].slot_is_full = queue.tasks > 0;
    } else {
      reading.workers[queue.worker].queue += queue.tasks;
    }
  }
}

// Returns the states of the fibers. A queued task counts as a runnable fiber, and a worker with a
// task as one that executes a fiber: a visit of each of a million fibers would take too long.
FiberStates StatesOf(const TopReading& reading, const registry::PoolState& state) {
  FiberStates states{.runnable = reading.global_queue};
  for (const TopWorkerReading& worker : reading.workers) {
    states.runnable += worker.queue + (worker.slot_is_full.value_or(false) ? 1 : 0);
    states.executing += worker.state == WorkerState::kRun ? 1 : 0;
  }
  if (state.threads != 0) {
    states.in_system_call = state.in_calls;
  }
  const std::uint64_t unfinished = fibers::FiberCount::Now().Unfinished();
  states.waiting =
      unfinished -
      std::min<std::uint64_t>(unfinished, states.runnable + states.executing + state.in_calls);
  return states;
}

}  // namespace

std::string PoolSource::Run(const RunPlan& plan, std::optional<std::uint32_t> rounds,
                            WatchPoint& watch) {
  Session session(plan, watch);
  Show(&session.Scheduler());
  for (std::uint32_t done = 0; !rounds || done < *rounds; ++done) {
    try {
      const MeasuredRound round = session.Measure(fmt::format("round {}", done + 1));
      EndRound(round.reading.operations, round.reading.wall_ns);
    } catch (const RoundFailure& failure) {
      return failure.what();
    }
  }
  Show(nullptr);
  session.Close();
  return "";
}

std::optional<TopReading> PoolSource::Read() const {
  const platform::MutexLock lock(mutex_);
  if (scheduler_ == nullptr) {
    return std::nullopt;
  }
  TopReading reading;
  const WorkerReadings earlier = scheduler_->ReadWorkers();
  const WorkerReadings later = ReadAfter(*scheduler_, platform::NowNs() + kGapNs);
  reading.time_ns = platform::NowNs();
  const bool counts_time = std::ranges::any_of(
      later, [](const registry::WorkerReading& worker) { return NotBusyNs(worker) != 0; });
  for (std::size_t i = 0; i < later.size(); ++i) {
    TopWorkerReading worker{.switches = CountOf(later[i], "tasks_run"),
                            .steals = CountOf(later[i], "steals"),
                            .parks = CountOf(later[i], "parks")};
    worker.state =
        i < earlier.size() ? StateOf(earlier[i], later[i], counts_time) : WorkerState::kUnknown;
    if (counts_time) {
      worker.not_busy_ns = NotBusyNs(later[i]);
    }
    reading.workers.push_back(worker);
  }
  const registry::PoolState state = scheduler_->State();
  AddQueues(state, reading);
  reading.threads = state.threads != 0 ? state.threads : platform::LiveWorkers().size();
  reading.idle = state.idle;
  reading.searching = state.searching;
  reading.fibers = StatesOf(reading, state);
  reading.rounds = rounds_;
  reading.throughput = throughput_;
  return reading;
}

void PoolSource::Show(const registry::IScheduler* scheduler) {
  const platform::MutexLock lock(mutex_);
  scheduler_ = scheduler;
}

void PoolSource::EndRound(std::uint64_t operations, std::uint64_t wall_ns) {
  const platform::MutexLock lock(mutex_);
  ++rounds_;
  if (wall_ns > 0) {
    throughput_ = static_cast<double>(operations) * 1e9 / static_cast<double>(wall_ns);
  }
}

}  // namespace schedbench::harness
