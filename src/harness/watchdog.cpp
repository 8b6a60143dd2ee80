#include "harness/watchdog.hpp"

#include "base/vector_of.hpp"
#include "fibers/diagnostics/fiber_facts.hpp"
#include "fibers/diagnostics/wait_report.hpp"
#include "metrics/metric_list.hpp"
#include "platform/signals/thread_dump.hpp"
#include "platform/time/clock.hpp"
#include "profile/sampling/code_name.hpp"
#include "profile/sampling/frame_text.hpp"
#include "profile/symbolizer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

using std::chrono::nanoseconds;

// A worker that slept for this share of the last period is not about to do anything.
constexpr double kAsleep = 0.9;

std::uint64_t MetricSum(const WatchPoint::View& view, std::string_view metric) {
  return SumOf(view.workers, [index = metrics::MetricIndex(metric)](const auto& worker) {
    return worker.values[index];
  });
}

// Returns the submitted tasks that have not run to their end. Exact at rest.
std::uint64_t Pending(const WatchPoint::View& view) {
  const std::uint64_t submitted = MetricSum(view, "tasks_submitted") + view.external_submissions;
  const std::uint64_t run = MetricSum(view, "tasks_run") + view.ended_outside;
  return submitted > run ? submitted - run : 0;
}

std::size_t Sleepers(const WatchPoint::View& before, const WatchPoint::View& now,
                     std::uint64_t gap_ns) {
  const std::size_t park_ns = metrics::MetricIndex("park_ns");
  std::size_t count = 0;
  for (std::size_t i = 0; i < now.workers.size(); ++i) {
    const std::uint64_t slept = now.workers[i].values[park_ns] - before.workers[i].values[park_ns];
    count += static_cast<double>(slept) >= kAsleep * static_cast<double>(gap_ns) ? 1 : 0;
  }
  return count;
}

// Says what the thread of the run has not done yet; empty where it waits for the workers.
std::string_view NotYet(Phase phase) {
  switch (phase) {
    case Phase::kMakeWorkload:
      return "the workload has not been made";
    case Phase::kMakeScheduler:
      return "the scheduler has not been made";
    case Phase::kPrepare:
      return "the workload has not prepared the round";
    case Phase::kVerify:
      return "the workload has not checked its answer";
    case Phase::kStop:
      return "the scheduler has not stopped";
    case Phase::kEnd:
      return "the workload has not been destroyed";
    case Phase::kOther:
    case Phase::kRun:
    case Phase::kWaitIdle:
      break;
  }
  return "";
}

std::string Workers(std::size_t sleepers, std::size_t all) {
  if (sleepers == all) {
    return all == 1 ? "the worker is parked" : fmt::format("all {} workers are parked", all);
  }
  return fmt::format("{} of {} workers {} parked", sleepers, all, sleepers == 1 ? "is" : "are");
}

std::string Fibers(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "fiber" : "fibers");
}

// Says where tasks wait, and what the workers do; empty if the scheduler does not report it.
std::string StateLines(const registry::PoolState& state) {
  std::string lines;
  if (!state.queues.empty()) {
    std::string full;
    for (const registry::PoolState::Queue& queue : state.queues) {
      if (queue.tasks > 0) {
        full += fmt::format("{}{} in the {}", full.empty() ? "" : ", ", queue.tasks, queue.name);
      }
    }
    lines += fmt::format("  tasks that wait to be picked: {}\n", full.empty() ? "none" : full);
    if (!full.empty() && !state.note.empty() && state.idle < state.active) {
      lines += fmt::format("  {}\n", state.note);
    }
  }
  if (state.active > 0) {
    lines += fmt::format(
        "  of {} {} searching, and {} parked\n",
        state.active == 1 ? "1 active worker" : fmt::format("{} active workers", state.active),
        state.searching == 1 ? "1 is" : fmt::format("{} are", state.searching),
        state.idle == 1 ? "1 is" : fmt::format("{} are", state.idle));
  }
  if (state.in_calls > 0) {
    lines += fmt::format(
        "  {} in blocking calls that handed off their worker\n",
        state.in_calls == 1 ? "1 fiber is" : fmt::format("{} fibers are", state.in_calls));
  }
  return lines;
}

// Functions through which std::function and std::thread call another function.
constexpr std::array<std::string_view, 5> kCalls = {"std::_Function_handler", "std::__invoke",
                                                    "std::function<", "std::thread::_Invoker<",
                                                    "std::thread::_State_impl"};

// Returns whether a frame only shows how its caller calls another function.
bool IsNoise(const profile::Frame& frame) {
  if (!frame.is_code) {
    return false;
  }
  const std::string name = profile::ShortName(frame.name);
  if (frame.is_inlined) {
    // The debug information of an inlined function may lack its namespace.
    return profile::IsWrapper(name) || frame.file.find("/include/c++/") != std::string::npos;
  }
  return std::ranges::any_of(kCalls,
                             [&name](std::string_view call) { return name.starts_with(call); });
}

// Returns what a report calls the functions at an address of code, innermost first:
// "fibers::Mutex::Lock (mutex.cpp:41)", or "read (libc.so.6)" where no line is known. Leaves out
// inlined functions of the standard library and the calls of std::function, so the result may be
// empty. The first call takes some tenths of a second. Must not be called in a signal handler.
std::vector<std::string> CallNames(std::uintptr_t address) {
  std::vector<std::string> names;
  profile::Symbolizer symbolizer;
  for (const profile::Frame& frame : symbolizer.FramesAt(address, false)) {
    if (IsNoise(frame)) {
      continue;
    }
    const std::string name = profile::FrameLabel(profile::FrameText(frame));
    if (name.starts_with('[')) {
      names.push_back(name);  // no function is known there: the name is that of the module
    } else if (frame.file.empty()) {
      names.push_back(fmt::format("{} ({})", name, profile::FileName(frame.module)));
    } else {
      names.push_back(fmt::format("{} ({}:{})", name, profile::FileName(frame.file), frame.line));
    }
  }
  return names;
}

std::string OtherThreads() {
  return platform::DumpOtherThreads(&fibers::WriteFiberOfThread, &CallNames);
}

}  // namespace

Watchdog::Watchdog(const WatchPoint& watch, nanoseconds timeout)
    : watch_(watch),
      timeout_(timeout),
      looked_ns_(platform::NowNs()),
      last_(watch.Look()) {
}

nanoseconds Watchdog::Period() const {
  if (timeout_ == nanoseconds::zero()) {
    return std::chrono::hours(1);
  }
  return std::clamp<nanoseconds>(timeout_ / 8, std::chrono::milliseconds(5),
                                 std::chrono::milliseconds(500));
}

bool Watchdog::HasMoved(const WatchPoint::View& now) const {
  if (now.phase == Phase::kOther || now.entries != last_.entries ||
      now.workers.size() != last_.workers.size()) {
    return true;
  }
  for (std::size_t worker = 0; worker < now.workers.size(); ++worker) {
    const metrics::MetricValues& values = now.workers[worker].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      // The time of a worker that hangs passes, too.
      if (metrics::WorkerMetricList()[i].unit != "ns" &&
          values[i] != last_.workers[worker].values[i]) {
        return true;
      }
    }
  }
  return false;
}

std::optional<Hang> Watchdog::Check() {
  if (timeout_ == nanoseconds::zero()) {
    return std::nullopt;
  }
  const std::uint64_t now_ns = platform::NowNs();
  WatchPoint::View now = watch_.Look();
  last_gap_ns_ = now_ns - looked_ns_;
  const auto most = static_cast<std::uint64_t>(2 * Period().count());
  quiet_ns_ = HasMoved(now) ? 0 : quiet_ns_ + std::min(last_gap_ns_, most);
  std::optional<Hang> hang;
  if (quiet_ns_ >= static_cast<std::uint64_t>(timeout_.count())) {
    hang = Diagnose(now);
  }
  last_ = std::move(now);
  looked_ns_ = now_ns;
  // A counter may have moved just before the diagnosis.
  if (hang && HasMoved(watch_.Look())) {
    hang.reset();
    quiet_ns_ = 0;
  }
  return hang;
}

Hang Watchdog::Diagnose(const WatchPoint::View& now) const {
  const double seconds = static_cast<double>(quiet_ns_) / 1e9;
  const std::string in_round = now.round.empty() ? "" : " in " + now.round;
  if (const std::string_view not_yet = NotYet(now.phase); !not_yet.empty()) {
    return {.headline = fmt::format("STALL{}: {} for {:.1f} s", in_round, not_yet, seconds),
            .details = fibers::WaitReport::Now(nullptr).lines + OtherThreads()};
  }
  const std::string where = fmt::format("{}: nothing has happened for {:.1f} s", in_round, seconds);
  const std::size_t all = now.workers.size();
  const std::size_t sleepers = Sleepers(last_, now, last_gap_ns_);
  const std::uint64_t pending = Pending(now);
  auto waits = fibers::WaitReport::Now(now.executor);
  registry::PoolState state;
  if (pending > 0) {
    state = watch_.StateSince(now);
    waits.lines += StateLines(state);
  }
  if (now.phase == Phase::kWaitIdle) {
    waits.lines += "  thread 'harness' waits in WaitIdle for all tasks to end\n";
  }
  if (pending > 0 && (sleepers < all || state.in_calls > 0)) {
    return {.headline =
                fmt::format("STALL{}; {}, and {} not ended", where, Workers(sleepers, all),
                            pending == 1 ? "1 task has" : fmt::format("{} tasks have", pending)),
            .details = waits.lines + OtherThreads()};
  }
  const std::size_t ready = waits.ready + waits.never_begun;
  if (now.phase == Phase::kWaitIdle && pending == 0 && ready == 0) {
    return {
        .headline = fmt::format(
            "LOST WAKE-UP{}; all submitted tasks have ended, and {}, but WaitIdle has not returned",
            where, Workers(sleepers, all)),
        .details = waits.lines};
  }
  if (pending > 0 || ready > 0) {
    return {.headline = fmt::format(
                "LOST TASKS{}; {}, but {} {} not ended, and {} ready to run", where,
                Workers(sleepers, all),
                pending == 1 ? "1 submitted task" : fmt::format("{} submitted tasks", pending),
                pending == 1 ? "has" : "have", Fibers(ready) + (ready == 1 ? " is" : " are")),
            .details = waits.lines};
  }
  if (waits.sleeping > 0) {
    return {
        .headline = fmt::format("STALL{}; nothing can run before a deadline for which {}{}", where,
                                Fibers(waits.sleeping), waits.sleeping == 1 ? " waits" : " wait"),
        .details = waits.lines};
  }
  if (waits.threads == 0) {
    // The workload's own thread does something invisible, after which all may continue.
    return {.headline = fmt::format(
                "STALL{}; no task is left to run, and the workload waits for none of them", where),
            .details = waits.lines + OtherThreads()};
  }
  return {.headline = fmt::format(
              "DEADLOCK{}; no task is left to run, and {} forever{}", where,
              waits.unfinished == 0
                  ? "a thread that is not a worker waits"
                  : Fibers(waits.unfinished) + (waits.unfinished == 1 ? " waits" : " wait"),
              waits.cycles == 0       ? ""
              : waits.unfinished == 1 ? ", for itself"
                                      : ", for each other"),
          .details = waits.lines};
}

}  // namespace schedbench::harness
