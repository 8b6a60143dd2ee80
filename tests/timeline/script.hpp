#pragma once

#include "timeline/recording.hpp"
#include "timeline/timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::timeline {

// A recording as a list of what happened: a tick is a nanosecond, and the recording began at kBegin
// and lasted until kEnd. Times below are from kBegin.
class Script {
 public:
  static constexpr std::uint64_t kBegin = 5'000'000'000;
  static constexpr std::uint64_t kEnd = 100'000;

  explicit Script(std::size_t workers)
      : contents_(workers) {
  }

  // Runs `fiber`, or the loop where it is 0.
  Script& Switch(std::size_t worker, std::uint64_t at, std::uint32_t fiber,
                 trace::StopReason reason = trace::StopReason::kLoop) {
    return Add(worker, at, trace::EventKind::kSwitch, fiber, static_cast<std::uint16_t>(reason));
  }

  Script& Add(std::size_t worker, std::uint64_t at, trace::EventKind kind, std::uint32_t fiber = 0,
              std::uint16_t arg = 0) {
    contents_[worker].events.push_back({.tsc = kBegin + at,
                                        .fiber = fiber,
                                        .arg = arg,
                                        .kind = kind,
                                        .worker = static_cast<std::uint8_t>(worker)});
    return *this;
  }

  // By a thread that is no worker.
  Script& External(std::uint64_t at, trace::EventKind kind, std::uint32_t fiber) {
    external_.events.push_back({.tsc = kBegin + at, .fiber = fiber, .kind = kind});
    return *this;
  }

  // The kernel takes the CPU from a worker, whose turns come in their order.
  Script& OffCpu(std::uint32_t worker, std::uint64_t from, std::uint64_t to, bool preempted) {
    cpu_.workers.resize(std::max<std::size_t>(cpu_.workers.size(), worker + 1));
    cpu_.workers[worker].worker = worker;
    cpu_.workers[worker].off.push_back(
        {.start_ns = kBegin + from, .end_ns = kBegin + to, .preempted = preempted});
    return *this;
  }

  Script& Overwritten(std::size_t worker, std::uint64_t events) {
    contents_[worker].overwritten = events;
    return *this;
  }

  Script& Name(std::uint32_t fiber, std::string_view name) {
    names_[fiber] = name;
    return *this;
  }

  Recording Recorded() const {
    Recording recording(trace::TickMap({.ticks = kBegin, .ns = kBegin},
                                       {.ticks = kBegin + kEnd, .ns = kBegin + kEnd}));
    for (std::size_t worker = 0; worker < contents_.size(); ++worker) {
      recording.AddWorker(static_cast<std::uint32_t>(worker), contents_[worker]);
    }
    if (!external_.events.empty()) {
      recording.AddWorker(kExternal, external_);
    }
    for (const auto& [fiber, name] : names_) {
      recording.NameFiber(fiber, name);
    }
    recording.SetCpuTimes(cpu_);
    return recording;
  }

  Timeline Built(std::uint64_t last_ns = kWholeRecording) const {
    return BuildTimeline(Recorded(), last_ns);
  }

 private:
  std::vector<trace::RingContent> contents_;
  trace::RingContent external_;
  std::map<std::uint32_t, std::string> names_;
  CpuTimes cpu_;
};

// Two workers: "main" spawns two fibers, the second worker is woken and steals one; "main" waits
// for "child" and continues.
inline Script Example() {
  using enum trace::EventKind;
  using enum trace::StopReason;
  Script script(2);
  script.Name(1, "main").Name(2, "child").Name(3, "child");
  script.Switch(0, 1000, 1)
      .Add(0, 2000, kSpawn, 2)
      .Add(0, 2500, kQueueLength, 1, 0)
      .Add(0, 3000, kSpawn, 3)
      .Add(0, 3500, kQueueLength, 2, 0)
      .Switch(0, 10'000, 2, kSuspended)
      .Switch(0, 30'000, 0, kEnded)
      .Add(0, 31'000, kSearchBegin)
      .Add(0, 35'000, kSearchEnd)
      .Add(0, 35'100, kPark)
      .Add(0, 52'000, kUnpark)
      .Add(0, 52'500, kGrab, 0, 4)
      .Switch(0, 53'000, 1)
      .Add(0, 60'000, kOffload, 0, 7)
      .Switch(0, 70'000, 0, kEnded);
  script.Add(1, 0, kPark)
      .Add(1, 5000, kUnpark)
      .Add(1, 5100, kSearchBegin)
      .Add(1, 6000, kSteal, 0, 1)
      .Add(1, 6100, kSearchEnd, 0, 1)
      .Switch(1, 6200, 3)
      .Add(1, 50'000, kWake, 1)
      .Switch(1, 51'000, 0, kEnded)
      .Add(1, 51'500, kPark);
  return script;
}

}  // namespace schedbench::timeline
