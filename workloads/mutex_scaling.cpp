#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/critical_sections.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MutexScalingParameters {
  // clang-format off
  config::Field<"guard", Guard::kMutex, config::AnyOf{},
      "What serializes sections: strand (lock-free), mutex_strand (behind a lock), mutex (of "
      "fibers) or thread_mutex (blocks the worker)"> guard;
  config::Field<"fibers_per_worker", 4U, config::Range{1U, 10000U},
      "Fibers for each active worker of the scheduler"> fibers_per_worker;
  config::Field<"sections", 300000U, config::Range{1U, 1000000000U},
      "Critical sections of each fiber"> sections;
  config::Field<"shared_bytes", 512U, config::Range{1U, 67108864U},
      "Bytes of shared data; each section writes one word in each of its cache lines"> shared_bytes;
  config::Field<"outside_ns", 0U, config::Range{0U, 1000000000U},
      "Nanoseconds of work after a section"> outside_ns;
  // clang-format on
};

constexpr std::array kMutexScalingMetrics{kFirstDone};

// One mutex, and a constant number of fibers per worker: how the critical sections per second
// change with the number of workers. Each section writes shared cache lines, like code that mutexes
// protect. One operation is one critical section.
class MutexScaling final : public CriticalSections {
 public:
  explicit MutexScaling(const MutexScalingParameters& parameters)
      : CriticalSections({
            .clients_field = "mutex_scaling:fibers_per_worker",
            .guard = parameters.guard,
            .clients = parameters.fibers_per_worker,
            .clients_are_per_worker = true,
            .sections = parameters.sections,
            .critical_ns = 0,
            .outside_ns = parameters.outside_ns,
            .shared_bytes = parameters.shared_bytes,
        }) {
  }

  std::vector<double> Metrics() const override {
    return {FirstDone()};
  }
};

const registry::RegistrationOf<MutexScaling, MutexScalingParameters> kMutexScaling{{
    .name = "mutex_scaling",
    .doc = "critical sections under one mutex, with a fixed number of fibers for each worker",
    .operation = "section",
    .metrics = kMutexScalingMetrics,
    .presets = {{"smoke", "sections=200"}, {"small", ""}, {"full", "sections=3000000"}},
    .spawns_vary = true,  // the number of fibers depends on that of the workers
}};

}  // namespace

}  // namespace schedbench::workloads
