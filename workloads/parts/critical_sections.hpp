#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/field.hpp"
#include "executors/strand_metrics.hpp"
#include "registry/metric.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/spin_work.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The means that serializes the critical sections.
enum class Guard : std::uint8_t {
  kStrand,       // executors::Strand: sections are tasks, the fiber continues
  kMutexStrand,  // executors::MutexStrand: a strand with a lock
  kMutex,        // fibers::Mutex: a waiting fiber is suspended
  kThreadMutex,  // platform::Mutex: a waiting fiber blocks its worker
};

constexpr std::array<std::string_view, 4> NamesOf(Guard) {
  return {"strand", "mutex_strand", "mutex", "thread_mutex"};
}

inline constexpr registry::Metric kFirstDone{"first_done", "share", registry::Better::kHigher,
                                             "Share of the round after which the first client had "
                                             "run all its sections; near 1 if clients take turns"};

// A round of fibers, the clients, that run critical sections on shared data: the common part of
// `mutex` and `strand_vs_mutex`.
// Under a mutex a client runs its section and then continues. On a strand it submits the section
// and continues at once, up to `outstanding` sections; then it waits for the last of these, which
// runs after all others, because a strand keeps the order. So a client needs a fixed number of
// tasks for its sections and reuses them.
class CriticalSections : public registry::IWorkload {
 public:
  struct Plan {
    std::string_view clients_field;  // field on the command line, for messages
    Guard guard;
    std::uint32_t clients;
    bool clients_are_per_worker = false;  // `clients` is the number for each active worker
    std::uint64_t sections;               // sections of each client
    std::uint64_t critical_ns;
    std::uint64_t outside_ns;
    std::uint64_t shared_bytes = kCacheLine;
    std::uint32_t outstanding = 1;
  };

  // Throws std::runtime_error when the clients would not fit into RAM.
  explicit CriticalSections(const Plan& plan);

  void Prepare() override;

  // Returns the number of sections.
  std::uint64_t Run(registry::IScheduler& scheduler) override;

  // Returns "" or what is wrong: each section adds 1 to each cache line, so losses are detected.
  std::string Verify() override;

  // Returns kFirstDone of the last round.
  double FirstDone() const noexcept;

  // Returns the reading of the last round's strand; all 0 if there was none.
  const executors::StrandReading& Batches() const noexcept {
    return batches_;
  }

 private:
  // Plain data: the guard protects it.
  struct alignas(kCacheLine) Line {
    std::uint64_t sections = 0;
  };

  template <typename StrandType>
  void RunOnStrand(executors::IExecutor& executor);
  // `Lock` must have Lock() and Unlock().
  template <typename Lock>
  void RunLocked(executors::IExecutor& executor);
  void Section() noexcept;
  void ClientDone() noexcept;

  const Plan plan_;
  std::uint64_t clients_;  // number in the last round
  const SpinWork critical_;
  const SpinWork outside_;
  std::vector<Line> data_;
  Atomic<std::uint64_t> first_done_at_{0};  // time; 0: no client yet; relaxed: read at the end
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
  executors::StrandReading batches_;
  Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
