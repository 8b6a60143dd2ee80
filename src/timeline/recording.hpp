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
  std::uint32_t fiber = 0;  // this and `arg`: see trace::kEventKinds, but without labels
  std::uint16_t arg = 0;
  trace::EventKind kind = trace::EventKind::kSwitch;
};

// Replaces a worker's index for threads that are not workers, which only make fibers ready.
inline constexpr std::uint32_t kExternal = ~std::uint32_t{0};

struct WorkerEvents {
  std::uint32_t worker = 0;          // its index in the pool, or kExternal
  std::vector<TimedEvent> events{};  // order of recording; times never decrease
  std::uint64_t overwritten = 0;     // events before the first one
  // Times that decreased, as CPUs' counters differ slightly, and were set to the previous one.
  std::uint64_t timestamps_corrected = 0;
};

// When the kernel took the CPU from a worker, during a recording.
struct WorkerOffCpu {
  std::uint32_t worker = 0;
  std::vector<platform::OffCpu> off{};
  std::uint64_t complete_from_ns = 0;  // earlier times were overwritten
};

// The kernel's report on the workers' CPUs.
struct CpuTimes {
  std::vector<WorkerOffCpu> workers{};
  std::string refusal{};  // why `workers` lacks some; "" if it has all
  // Replacement: these workers' total wait for a CPU in the recording. None: unknown.
  std::optional<std::uint64_t> queued_ns{};
};

// The events of all workers of a run, and the names of its fibers. One thread uses it.
class Recording {
 public:
  // `start` and `stop` of `clock` enclose the recording: events outside have less exact times.
  explicit Recording(const trace::TickMap& clock)
      : clock_(clock) {
  }

  // Sets trace::Labels::Texts(), made safe (profile::SafeName). Call it before NameFiber().
  void SetLabels(const std::vector<std::string>& texts);

  // Adds a worker's ring, once. Tracks of a timeline have this order, kExternal last.
  void AddWorker(std::uint32_t worker, const trace::RingContent& content);

  // Names a fiber by the user's text, made safe (profile::SafeName); "" leaves it unnamed.
  void NameFiber(std::uint32_t fiber, std::string_view name);

  // Adds the kernel's report. Call it once.
  void SetCpuTimes(CpuTimes times) {
    cpu_times_ = std::move(times);
  }
  const CpuTimes& Cpu() const {
    return cpu_times_;
  }

  // Return when the recording started and stopped, on the monotonic clock.
  std::uint64_t StartNs() const {
    return clock_.StartNs();
  }
  std::uint64_t StopNs() const {
    return clock_.StopNs();
  }

  // Returns the time of the last event; the start if there is none.
  std::uint64_t LastEventNs() const;

  const std::vector<WorkerEvents>& Workers() const {
    return workers_;
  }

  // Returns a fiber's name or origin, otherwise "fiber 12"; "task" for other tasks.
  std::string DisplayName(std::uint32_t fiber) const;

  // Returns the name in a form that distinguishes equal names: "client (fiber 12)".
  std::string FullName(std::uint32_t fiber) const;

 private:
  const trace::TickMap clock_;
  std::vector<WorkerEvents> workers_;
  CpuTimes cpu_times_;
  std::vector<std::string> labels_{std::string()};
  // Label of each fiber: index in labels_, not 0.
  std::unordered_map<std::uint32_t, std::size_t> label_of_;
};

// Returns what a session has recorded, or has so far.
Recording Collect(const trace::Session& session);

}  // namespace schedbench::timeline
