#include "config/problems.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/critical_sections.hpp"

#include <array>
#include <cstdint>

namespace schedbench::workloads {

namespace {

struct StrandVsMutexParameters {
  // clang-format off
  config::Field<"guard", Guard::kStrand, config::AnyOf{},
      "What serializes sections: strand (lock-free), mutex_strand (behind a lock), mutex (of "
      "fibers) or thread_mutex (blocks the worker)"> guard;
  config::Field<"clients", 16U, config::Range{1U, 1000000U},
      "Fibers that run critical sections"> clients;
  config::Field<"sections", 5000U, config::Range{1U, 1000000000U},
      "Critical sections of each fiber"> sections;
  config::Field<"shared_bytes", 512U, config::Range{1U, 67108864U},
      "Bytes of shared data; each section writes one word in each of its cache lines"> shared_bytes;
  config::Field<"critical_ns", 0U, config::Range{0U, 1000000000U},
      "Nanoseconds of other work inside a section"> critical_ns;
  config::Field<"outside_ns", 100U, config::Range{0U, 1000000000U},
      "Nanoseconds of work after a section, or after its submit"> outside_ns;
  config::Field<"outstanding", 16U, config::Range{1U, 65536U},
      "On a strand: sections that a client submits before it waits for the last one; 1 = it waits "
      "for each, as under a mutex"> outstanding;
  // clang-format on

  static void Check(const StrandVsMutexParameters& parameters, config::Problems& problems) {
    if (parameters.guard == Guard::kMutex || parameters.guard == Guard::kThreadMutex) {
      problems.AddUnused("outstanding",
                         "under a mutex a client waits for each section; this field needs "
                         "guard=strand or guard=mutex_strand");
    }
  }
};

constexpr std::array kStrandVsMutexMetrics{
    registry::Metric{"batch_mean", "tasks", registry::Better::kHigher,
                     "Mean number of sections in a batch of the strand; 0 without a strand"},
    registry::Metric{
        "batch_p50", "tasks", registry::Better::kHigher,
        "Median number of sections in a batch of the strand, rounded down to a power of two"},
    registry::Metric{
        "batch_p99", "tasks", registry::Better::kNone,
        "99th percentile of the sections in a batch of the strand, rounded down to a power of two"},
    registry::Metric{
        "batch_largest", "tasks", registry::Better::kNone,
        "Sections in the largest batch, rounded down to a power of two, at most 32768; 0 "
        "without a strand"},
    kFirstDone,
};

// The same critical sections on a strand, which runs them where the data is, or under a mutex,
// which moves the data between workers. One operation is one critical section.
class StrandVsMutex final : public CriticalSections {
 public:
  explicit StrandVsMutex(const StrandVsMutexParameters& parameters)
      : CriticalSections({.clients_field = "strand_vs_mutex:clients",
                          .guard = parameters.guard,
                          .clients = parameters.clients,
                          .sections = parameters.sections,
                          .critical_ns = parameters.critical_ns,
                          .outside_ns = parameters.outside_ns,
                          .shared_bytes = parameters.shared_bytes,
                          .outstanding = parameters.outstanding}) {
  }

  std::vector<double> Metrics() const override {
    const executors::StrandReading& reading = Batches();
    return {reading.MeanBatch(), static_cast<double>(reading.BatchQuantile(0.5)),
            static_cast<double>(reading.BatchQuantile(0.99)),
            static_cast<double>(reading.BatchQuantile(1)), FirstDone()};
  }
};

const registry::RegistrationOf<StrandVsMutex, StrandVsMutexParameters> kStrandVsMutex{{
    .name = "strand_vs_mutex",
    .doc = "the same critical sections on a strand or under a mutex",
    .operation = "section",
    .metrics = kStrandVsMutexMetrics,
    .presets = {{"smoke", "sections=50"},
                {"small", "sections=20000"},
                {"full", "clients=256,sections=10000"}},
    .spawns_vary = true,  // a strand submits itself as often as it becomes busy
}};

}  // namespace

}  // namespace schedbench::workloads
