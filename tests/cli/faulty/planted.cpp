// A workload whose best parameter is known, and the field of a config that makes it slower.
#include "config/schema_of.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <string>

namespace schedbench::tests {

namespace {

struct PlantedParameters {
  config::Field<"x", std::uint32_t{3}, config::Range{0U, 9U}, "3 is the fastest; 9 is wrong"> x;
  config::Field<"by_workers", false, config::AnyOf{}, "Spin once for each worker"> by_workers;
};

// Spins for a time that grows with the square of the distance of x from 3.
class Planted final : public registry::IWorkload {
 public:
  explicit Planted(const PlantedParameters& parameters)
      : x_(parameters.x),
        by_workers_(parameters.by_workers) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t distance = x_ > 3 ? x_ - 3 : 3 - x_;
    const std::uint64_t times = by_workers_ ? scheduler.ActiveWorkers() : 1;
    const std::uint64_t end = platform::NowNs() + times * 100'000 * (1 + 4 * distance * distance);
    while (platform::NowNs() < end) {
    }
    return 1;
  }

  std::string Verify() override {
    return x_ == 9 ? "9 is wrong" : "";
  }

 private:
  const std::uint32_t x_;
  const bool by_workers_;
};

const registry::WorkloadRegistration kPlanted{{
    .name = "planted",
    .doc = "spins, the least at x = 3",
    .operation = "spin",
    .schema = &config::SchemaOf<PlantedParameters>,
    .make = &registry::MakeWorkload<Planted, PlantedParameters>,
}};

}  // namespace

}  // namespace schedbench::tests
