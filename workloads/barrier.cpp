#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct BarrierParameters {
  // clang-format off
  config::Field<"fibers", 100U, config::Range{1U, 10000000U},
      "Fibers that wait for each other"> fibers;
  config::Field<"barriers", 3000U, config::Range{1U, 1000000000U},
      "Times that all wait for each other"> barriers;
  // clang-format on
};

// A barrier that fibers use many times: a count, and two events that are used in turn. The last
// fiber to arrive resets the other event, for which no fiber waits: all have arrived here.
class Barrier {
 public:
  // Requires: no fiber waits.
  void Reset(std::uint32_t fibers) {
    fibers_ = fibers;
    missing_.Store(fibers, memory_order_relaxed);
    for (Fibers::Event& event : all_arrived_) {
      event.Reset();
    }
  }

  // `round`: how often the fiber has been here before.
  void ArriveAndWait(std::uint32_t round) {
    Fibers::Event& all_arrived = all_arrived_[round % 2];
    // acq_rel: pairs with itself in the other fibers: the last has seen all leave the other event.
    if (missing_.FetchSub(1, memory_order_acq_rel) != 1) {
      all_arrived.Wait();
      return;
    }
    missing_.Store(fibers_, memory_order_relaxed);
    all_arrived_[(round + 1) % 2].Reset();
    all_arrived.Fire();
  }

 private:
  std::uint32_t fibers_ = 0;
  Atomic<std::uint32_t> missing_{0};  // relaxed: the start of the fibers or the event orders it
  std::array<Fibers::Event, 2> all_arrived_;
};

// Fibers that wait for each other many times. One operation is one fiber that passes a barrier.
class BarrierWorkload final : public registry::IWorkload {
 public:
  explicit BarrierWorkload(const BarrierParameters& parameters)
      : barriers_(parameters.barriers),
        fibers_(CheckedCount("barrier:fibers", "suspended fibers", parameters.fibers,
                             Fibers::kBytesPerFiber + sizeof(Waiting))) {
  }

  void Prepare() override {
    for (Waiting& fiber : fibers_) {
      fiber.arrivals.Store(0, memory_order_relaxed);
      fiber.early = 0;
    }
    barrier_.Reset(static_cast<std::uint32_t>(fibers_.size()));
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(fibers_.size());
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      Fibers::Go(scheduler, [this, i] {
        PassBarriers(fibers_[i], fibers_[(i + 1) % fibers_.size()]);
        done_.Done();
      });
    }
    done_.Wait();
    return fibers_.size() * std::uint64_t{barriers_};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      const std::uint32_t arrivals = fibers_[i].arrivals.Load(memory_order_relaxed);
      if (arrivals != barriers_) {
        return fmt::format("fiber {} arrived at {} barriers of {}", i, arrivals, barriers_);
      }
      if (fibers_[i].early != 0) {
        return fmt::format("fiber {} left {} barriers before the next fiber had arrived", i,
                           fibers_[i].early);
      }
    }
    return "";
  }

 private:
  struct alignas(kCacheLine) Waiting {
    // The fiber writes it, its predecessor reads it. relaxed: the barrier orders it, as is checked.
    Atomic<std::uint32_t> arrivals{0};
    std::uint32_t early = 0;  // barriers that it left before the next fiber had arrived
  };

  void PassBarriers(Waiting& own, const Waiting& next) {
    for (std::uint32_t round = 0; round < barriers_; ++round) {
      own.arrivals.Store(round + 1, memory_order_relaxed);
      barrier_.ArriveAndWait(round);
      const std::uint32_t arrivals = next.arrivals.Load(memory_order_relaxed);
      own.early += arrivals <= round ? 1 : 0;
    }
  }

  const std::uint32_t barriers_;
  std::vector<Waiting> fibers_;
  Barrier barrier_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<BarrierWorkload, BarrierParameters> kBarrier{{
    .name = "barrier",
    .doc = "fibers wait for each other at a barrier many times",
    .operation = "arrival",
    .presets = {{"smoke", "fibers=20,barriers=20"},
                {"small", ""},
                {"full", "fibers=100,barriers=30000"},
                {"document", "fibers=100,barriers=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
