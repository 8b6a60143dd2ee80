#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/field.hpp"
#include "executors/strand_metrics.hpp"
#include "registry/figure.hpp"
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

// What keeps two critical sections apart.
enum class Guard : std::uint8_t {
  kStrand,       // executors::Strand: sections are tasks, the fiber goes on
  kMutexStrand,  // executors::MutexStrand: the same behind a lock
  kMutex,        // fibers::Mutex: who waits suspends
  kThreadMutex,  // platform::Mutex: who waits blocks his worker
};

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::Guard> {
  static constexpr std::array<std::string_view, 4> value{"strand", "mutex_strand", "mutex",
                                                         "thread_mutex"};
};

namespace schedbench::workloads {

inline constexpr registry::Figure kFirstDone{"first_done", "share", registry::Better::kHigher,
                                             "Share of the round after which the first client had "
                                             "all its sections: near 1 where they take turns"};

// A round of fibers that do critical sections on the same data: what `mutex` and `strand_vs_mutex` have in common.
//
// Under a mutex a client has its section before it goes on. On a strand it submits the section and goes on at once, up to
// `outstanding` of them; then it waits until the last of these has run, and with it, in the order of a strand, all. So
// the tasks of its sections are a fixed number and used again; a round allocates nothing for them.
class CriticalSections : public registry::IWorkload {
 public:
  struct Plan {
    std::string_view clients_field;  // of the command line, for messages
    Guard guard;
    std::uint32_t clients;
    std::uint64_t sections;  // of each client
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

  // Returns "" or what is wrong: each section adds 1 to each cache line of the data, and no lost one goes unseen.
  std::string Verify() override;

  // kFirstDone, of the last round.
  double FirstDone() const noexcept;

  // Of the last round's strand; all 0 where there was none.
  const executors::StrandReading& Batches() const noexcept {
    return batches_;
  }

 private:
  // Plain data, for the guard to guard.
  struct alignas(kCacheLine) Line {
    std::uint64_t sections = 0;
  };

  template <typename StrandType>
  void RunOnStrand(executors::IExecutor& executor);
  // `Lock`: has Lock() and Unlock().
  template <typename Lock>
  void RunLocked(executors::IExecutor& executor);
  void Section() noexcept;
  void ClientDone() noexcept;

  const Plan plan_;
  const SpinWork critical_;
  const SpinWork outside_;
  std::vector<Line> data_;
  Atomic<std::uint64_t> first_done_at_{0};  // time; 0: no client yet
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
  executors::StrandReading batches_;
  Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
