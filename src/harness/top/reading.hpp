#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::harness {

// The action of a worker (Go: a P) at a moment.
enum class WorkerState : std::uint8_t {
  kRun,
  kSearch,
  kSteal,
  kPark,
  kSystemCall,
  kStopped,
  kUnknown
};

// A worker at a moment. Counts are totals since the start. None: the source does not report it.
struct TopWorkerReading {
  WorkerState state = WorkerState::kUnknown;
  std::optional<bool> slot_is_full{};  // the LIFO slot
  std::uint64_t queue = 0;             // tasks in the local queue
  std::uint64_t switches = 0;          // tasks run; for Go: schedtick
  std::optional<std::uint64_t> steals{};
  std::optional<std::uint64_t> parks{};
  std::optional<std::uint64_t> system_calls{};
  std::optional<std::uint64_t> not_busy_ns{};  // time parked or searching
};

// Fibers (Go: goroutines) by state.
struct FiberStates {
  std::uint64_t waiting = 0;
  std::uint64_t runnable = 0;
  std::uint64_t executing = 0;
  std::optional<std::uint64_t> in_system_call{};
};

// A scheduler at a moment, as `schedbench top` shows it.
struct TopReading {
  std::uint64_t time_ns = 0;  // since an arbitrary moment
  std::vector<TopWorkerReading> workers{};
  std::uint64_t global_queue = 0;
  std::uint64_t threads = 0;
  std::uint64_t idle = 0;       // number of workers
  std::uint64_t searching = 0;  // number of workers
  FiberStates fibers;
  std::optional<std::uint64_t> rounds{};  // number of finished rounds
  std::optional<double> throughput{};     // operations per second in the last finished round
};

}  // namespace schedbench::harness
