#pragma once

#include "platform/threads/cpu_switches.hpp"
#include "trace/event.hpp"
#include "trace/event_ring.hpp"
#include "trace/session.hpp"
#include "trace/tick_map.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::timeline {

// An event of a worker, in nanoseconds of the monotonic clock.
struct TimedEvent {
  std::uint64_t ns = 0;
  std::uint32_t fiber = 0;  // this and `arg`: as trace::kEventKinds says, but without labels
  std::uint16_t arg = 0;
  trace::EventKind kind = trace::EventKind::kSwitch;
};

// In place of a worker's index: threads that are no workers, which only make fibers ready.
inline constexpr std::uint32_t kExternal = ~std::uint32_t{0};

struct WorkerEvents {
  std::uint32_t worker = 0;  // its index in the pool, or kExternal
  std::vector<TimedEvent>
      events{};                   // in the order in which they were recorded; times never go back
  std::uint64_t overwritten = 0;  // before the first
  // Times that went back, by the little that the counters of two CPUs differ, and were made equal to the one before.
  std::uint64_t timestamps_corrected = 0;
};

// When the kernel took the CPU from a worker, during a recording.
struct WorkerOffCpu {
  std::uint32_t worker = 0;
  std::vector<platform::OffCpu> off{};
  std::uint64_t complete_from_ns = 0;  // before it, times were overwritten
};

// What the kernel reports of the workers' CPUs.
struct CpuTimes {
  std::vector<WorkerOffCpu> workers{};
  std::string refusal{};  // why `workers` lacks some; "" where it has all
  // In its place: how long those workers waited for a CPU in the whole recording, together. None: not known either.
  std::optional<std::uint64_t> queued_ns{};
};

// The events of all workers of a run, and the names of its fibers. Used by one thread.
class Recording {
 public:
  // `start` and `stop` of `clock` enclose the recording: events outside of them are kept, with less exact times.
  explicit Recording(const trace::TickMap& clock)
      : clock_(clock) {
  }

  // What the labels of events say, made safe (profile::SafeName): trace::Labels::Texts(). Before NameFiber().
  void SetLabels(const std::vector<std::string>& texts);

  // Takes in what the ring of a worker held. Once for each; the tracks of a timeline are in this order, kExternal last.
  void AddWorker(std::uint32_t worker, const trace::RingContent& content);

  // Names a fiber, by the user's text made safe (profile::SafeName). Fibers may share a name; "" leaves it unnamed.
  void NameFiber(std::uint32_t fiber, std::string_view name);

  // Adds what the kernel reports. Once.
  void SetCpuTimes(CpuTimes times) {
    cpu_times_ = std::move(times);
  }
  const CpuTimes& Cpu() const {
    return cpu_times_;
  }

  // When the recording started and stopped, on the monotonic clock.
  std::uint64_t StartNs() const {
    return clock_.StartNs();
  }
  std::uint64_t StopNs() const {
    return clock_.StopNs();
  }

  // When the last event of all was; the start where there is none.
  std::uint64_t LastEventNs() const;

  const std::vector<WorkerEvents>& Workers() const {
    return workers_;
  }

  // Returns what a fiber is called: by its name or where it was started, else "fiber 12"; a task that is no fiber "task".
  std::string DisplayName(std::uint32_t fiber) const;

  // The same so that it can be distinguished from others of that name: "client (fiber 12)".
  std::string FullName(std::uint32_t fiber) const;

 private:
  const trace::TickMap clock_;
  std::vector<WorkerEvents> workers_;
  CpuTimes cpu_times_;
  std::vector<std::string> labels_{std::string()};
  std::unordered_map<std::uint32_t, std::size_t> label_of_;  // of fibers: place in labels_, not 0
};

// Returns what a session has recorded, or has so far.
Recording Collect(const trace::Session& session);

}  // namespace schedbench::timeline
