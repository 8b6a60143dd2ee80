// What recording events costs, what a recording takes when it is written, and how exact nanoseconds
// from ticks are. Shown, never tested.
#include "config/settings.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "platform/time/clock_anchor.hpp"
#include "registry/scheduler.hpp"
#include "stats/order_statistics.hpp"
#include "timeline/exports.hpp"
#include "timeline/live_recording.hpp"
#include "timeline/summary.hpp"
#include "timeline/timeline.hpp"
#include "trace/event_ring.hpp"
#include "trace/labels.hpp"
#include "trace/tick_map.hpp"
#include "trace/tracer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::tests {

namespace {

using platform::ClockAnchor;
using platform::NowNs;
using platform::TickClock;
using trace::EventKind;
using trace::StopReason;

constexpr int kRounds = 15;

// Nanoseconds that one of `count` calls takes: the median of some rounds, the least, the most.
template <typename Body>
void PrintCost(std::string_view what, std::uint32_t count, const Body& body) {
  std::vector<double> costs;
  for (int round = 0; round <= kRounds; ++round) {
    const std::uint64_t start = NowNs();
    for (std::uint32_t i = 0; i < count; ++i) {
      body(i);
    }
    if (round > 0) {  // the first warms up
      costs.push_back(static_cast<double>(NowNs() - start) / count);
    }
  }
  fmt::print("{:<44} {:>7.2f} ns  [{:.2f} .. {:.2f}]\n", what, stats::Median(costs),
             std::ranges::min(costs), std::ranges::max(costs));
}

// The compiler must take the value as used.
template <typename T>
SB_ALWAYS_INLINE void Use(const T& value) {
  asm volatile("" : : "r"(value) : "memory");
}

void PrintRecording() {
  constexpr std::uint32_t kEvents = 1'000'000;
  trace::Labels labels;
  const auto log =
      std::make_unique<trace::WorkerLog>(std::uint8_t{0}, trace::EventRing::kDefaultBits, labels);
  trace::EventRing* const ring = &log->ring;
  trace::Tracer off;
  trace::Tracer on;
  on.Start(*log);
  PrintCost("loop alone", kEvents, [](std::uint32_t i) { Use(i); });
  PrintCost("event, tracing off", kEvents, [&](std::uint32_t i) {
    Use(&off);
    off.Record(EventKind::kWake, i);
  });
  PrintCost("clock alone", kEvents, [](std::uint32_t) { Use(TickClock::Now()); });
  PrintCost("event, ring alone (RecordAt)", kEvents, [&](std::uint32_t i) {
    ring->RecordAt(i, EventKind::kWake, i);
    Use(ring);
  });
  PrintCost("event (EventRing::Record)", kEvents, [&](std::uint32_t i) {
    ring->Record(EventKind::kWake, i);
    Use(ring);
  });
  PrintCost("event, tracing on (Tracer::Record)", kEvents, [&](std::uint32_t i) {
    Use(&on);
    on.Record(EventKind::kWake, i);
  });
}

void PrintCalibration() {
  std::vector<std::uint64_t> widths;
  for (int i = 0; i < 100; ++i) {
    widths.push_back(platform::ReadClockAnchor().width);
  }
  std::ranges::sort(widths);
  fmt::print("\nan anchor: {} ticks wide, at most {} of 100; a tick is {:.4f} ns\n", widths[50],
             widths.back(), TickClock::NsPerTick());
  // Of each span: how far a time between its ends is off, and how far one is that lies ten seconds
  // after them.
  const ClockAnchor first = platform::ReadClockAnchor();
  std::vector<std::pair<std::uint64_t, trace::TickMap>> maps;
  for (const std::uint64_t ms : {10, 100, 1000}) {
    double worst = 0;
    std::vector<ClockAnchor> between;
    for (int i = 1; i < 10; ++i) {
      platform::SleepUntilNs(first.ns + ms * 100'000 * static_cast<std::uint64_t>(i));
      between.push_back(platform::ReadClockAnchor());
    }
    platform::SleepUntilNs(first.ns + ms * 1'000'000);
    const trace::TickMap map(first, platform::ReadClockAnchor());
    for (const ClockAnchor& anchor : between) {
      worst = std::max(worst, std::abs(static_cast<double>(map.NsAt(anchor.ticks)) -
                                       static_cast<double>(anchor.ns)));
    }
    fmt::print("calibrated over {:>4} ms: off by at most {:.0f} ns inside\n", ms, worst);
    maps.emplace_back(ms, map);
  }
  platform::SleepUntilNs(first.ns + 10'000'000'000);
  const ClockAnchor last = platform::ReadClockAnchor();
  maps.emplace_back(10'000, trace::TickMap(first, last));
  for (const auto& [ms, map] : maps) {
    fmt::print("calibrated over {:>5} ms: off by {:.0f} ns after 10 s\n", ms,
               static_cast<double>(map.NsAt(last.ticks)) - static_cast<double>(last.ns));
  }
}

// As a worker would record it that runs fibers which wake each other: of ten events four are
// switches, four are wakes, one is a queue's length and one a steal or a spawn.
timeline::Recording Recorded(std::uint32_t workers, std::uint32_t events) {
  constexpr std::uint64_t kStepNs = 200;
  constexpr std::uint32_t kFibers = 64;
  const std::uint64_t begin = 1'000'000'000'000;
  timeline::Recording recording(
      trace::TickMap({.ticks = begin, .ns = begin},
                     {.ticks = begin + events * kStepNs, .ns = begin + events * kStepNs}));
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    trace::RingContent content;
    const std::uint32_t base = worker * kFibers;
    std::uint32_t running = base + 1;
    for (std::uint32_t i = 0; i < events / workers; ++i) {
      trace::Event event{.tsc = begin + i * kStepNs * workers + std::uint64_t{worker} * 7,
                         .worker = static_cast<std::uint8_t>(worker)};
      const std::uint32_t next = base + 1 + (running - base) % kFibers;
      switch (i % 10) {
        case 8:
          event.kind = EventKind::kQueueLength;
          event.fiber = i % 50;
          break;
        case 9:
          event.kind = i % 20 == 9 ? EventKind::kSteal : EventKind::kSpawn;
          event.fiber = i % 20 == 9 ? (worker + 1) % workers : 1'000'000 + i;
          event.arg = i % 20 == 9 ? 3 : 0;
          break;
        default:
          event.kind = i % 2 == 0 ? EventKind::kWake : EventKind::kSwitch;
          event.fiber = next;
          event.arg = static_cast<std::uint16_t>(StopReason::kSuspended);
          running = i % 2 == 0 ? running : next;
      }
      content.events.push_back(event);
    }
    recording.AddWorker(worker, content);
    for (std::uint32_t fiber = 1; fiber <= kFibers; ++fiber) {
      recording.NameFiber(base + fiber, fiber % 2 == 0 ? "server" : "client");
    }
  }
  return recording;
}

template <typename Write>
void PrintExport(std::string_view what, std::uint64_t recorded, const Write& write) {
  std::uint64_t bytes = 0;
  const std::uint64_t start = NowNs();
  const std::uint64_t written = write([&](std::string_view part) { bytes += part.size(); });
  fmt::print("{:<12} {:>7.1f} MB  {:>6.0f} ms  {:>5.1f} bytes an event recorded", what,
             static_cast<double>(bytes) / 1e6, static_cast<double>(NowNs() - start) / 1e6,
             static_cast<double>(bytes) / static_cast<double>(recorded));
  if (written > 0) {
    fmt::print(", {:.1f} an event written ({})",
               static_cast<double>(bytes) / static_cast<double>(written), written);
  }
  fmt::print("\n");
}

void PrintExports() {
  constexpr std::uint32_t kEvents = 1'000'000;
  std::uint64_t start = NowNs();
  const timeline::Recording recording = Recorded(4, kEvents);
  fmt::print("\n{} events of 4 workers made in {:.0f} ms", kEvents,
             static_cast<double>(NowNs() - start) / 1e6);
  start = NowNs();
  const timeline::Timeline timeline = timeline::BuildTimeline(recording);
  fmt::print(", timeline built in {:.0f} ms", static_cast<double>(NowNs() - start) / 1e6);
  start = NowNs();
  const timeline::Summary summary = timeline::Summarize(timeline, recording);
  fmt::print(", summarized in {:.0f} ms\n", static_cast<double>(NowNs() - start) / 1e6);
  fmt::print("{} slices, {} arrows, {} instants, {} waits\n", timeline.slices.size(),
             timeline.arrows.size(), timeline.instants.size(), summary.waits);
  PrintExport("Perfetto", kEvents, [&](const profile::TextSink& sink) {
    return timeline::WritePerfetto(timeline, sink);
  });
  PrintExport("Chrome JSON", kEvents, [&](const profile::TextSink& sink) {
    timeline::WriteChromeJson(timeline, sink);
    return 0;
  });
  PrintExport("page data", kEvents, [&](const profile::TextSink& sink) {
    timeline::WritePageData(timeline, {.title = "bench"}, sink);
    return 0;
  });
}

// What events cost a scheduler: fibers on one worker of `fast` that compute for `work_ns` and
// yield, so that there is one event, a switch, for each time. Rounds with and without a recording
// in turn.
void PrintOnScheduler(std::uint64_t work_ns, std::uint32_t yields) {
  constexpr std::uint32_t kFibers = 8;
  const registry::SchedulerEntry* const entry = registry::FindScheduler("fast");
  config::Settings settings(entry->schema());
  settings.Set("workers", std::uint64_t{1}, {});
  // Longer there than the worker, which may be recording its last event after Stop().
  std::vector<std::unique_ptr<timeline::LiveRecording>> lives;
  const auto pool = entry->make(settings, 1);
  const auto round = [&] {
    const std::uint64_t start = NowNs();
    fibers::WaitGroup done;
    done.Add(kFibers);
    for (std::uint32_t i = 0; i < kFibers; ++i) {
      fibers::Go(*pool, [&] {
        for (std::uint32_t yield = 0; yield < yields; ++yield) {
          const std::uint64_t until = NowNs() + work_ns;
          while (work_ns > 0 && NowNs() < until) {
          }
          fibers::Yield();
        }
        done.Done();
      });
    }
    done.Wait();
    return static_cast<double>(NowNs() - start) / (kFibers * yields);
  };
  std::vector<double> off;
  std::vector<double> ratios;
  std::vector<double> costs;
  double events = 0;
  for (int i = 0; i <= kRounds; ++i) {
    const double without = round();
    timeline::LiveRecording& live =
        *lives.emplace_back(std::make_unique<timeline::LiveRecording>());
    live.Begin(*pool, 20);
    const double with = round();
    live.Stop();
    if (i > 0) {  // the first warms up
      off.push_back(without);
      costs.push_back(with - without);
      ratios.push_back(100 * (with / without - 1));
      const timeline::WorkerEvents worker = live.Take()->Workers().front();
      events = static_cast<double>(worker.events.size() + worker.overwritten) / (kFibers * yields);
    }
  }
  fmt::print(
      "{:>6} ns of work and a yield: {:8.1f} ns, {:.2f} events; recorded {:+.1f} ns [{:+.1f} .. "
      "{:+.1f}], "
      "{:+.2f} % [{:+.2f} .. {:+.2f}] at {:.0f} events/s\n",
      work_ns, stats::Median(off), events, stats::Median(costs), std::ranges::min(costs),
      std::ranges::max(costs), stats::Median(ratios), std::ranges::min(ratios),
      std::ranges::max(ratios), 1e9 * events / stats::Median(off));
}

void PrintOnSchedulers() {
  fmt::print("\n");
  PrintOnScheduler(0, 100'000);
  PrintOnScheduler(5000, 5000);  // 200,000 events a second
}

}  // namespace

}  // namespace schedbench::tests

int main() {
  schedbench::tests::PrintRecording();
  schedbench::tests::PrintOnSchedulers();
  schedbench::tests::PrintExports();
  schedbench::tests::PrintCalibration();
}
