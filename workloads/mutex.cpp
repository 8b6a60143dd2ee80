#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/critical_sections.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MutexParameters {
  // clang-format off
  config::Field<"fibers", 16U, config::Range{1U, 1000000U}, "Fibers that share the mutex"> fibers;
  config::Field<"sections", 2000U, config::Range{1U, 1000000000U},
      "Critical sections of each fiber"> sections;
  config::Field<"critical_ns", 100U, config::Range{0U, 1000000000U},
      "Nanoseconds of work inside a section"> critical_ns;
  config::Field<"outside_ns", 100U, config::Range{0U, 1000000000U},
      "Nanoseconds of work after a section"> outside_ns;
  // clang-format on
};

constexpr std::array kMutexMetrics{kFirstDone};

// Fibers that lock one mutex repeatedly: the cost of a wait for it and of a resumption. One
// operation is one critical section.
class MutexWorkload final : public CriticalSections {
 public:
  explicit MutexWorkload(const MutexParameters& parameters)
      : CriticalSections({.clients_field = "mutex:fibers",
                          .guard = Guard::kMutex,
                          .clients = parameters.fibers,
                          .sections = parameters.sections,
                          .critical_ns = parameters.critical_ns,
                          .outside_ns = parameters.outside_ns}) {
  }

  std::vector<double> Metrics() const override {
    return {FirstDone()};
  }
};

const registry::RegistrationOf<MutexWorkload, MutexParameters> kMutex{{
    .name = "mutex",
    .doc = "many fibers run critical sections under one mutex",
    .operation = "section",
    .metrics = kMutexMetrics,
    .presets = {{"smoke", "sections=50"},
                {"small", "sections=15000"},
                {"full", "fibers=256,sections=10000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
