// A workload whose best parameter is known, and the field of a config that makes it slower.
#include "config/schema_of.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace schedbench::tests {

namespace {

using namespace std::chrono_literals;

struct PlantedParameters {
  config::Field<"x", std::uint32_t{3}, config::Range{0U, 9U}, "3 is the fastest; 9 is wrong"> x;
  config::Field<"by_workers", false, config::AnyOf{}, "Sleep once for each worker"> by_workers;
};

// Sleeps for a time that grows with the square of the distance of x from 3. It does not spin, so
// that other processes have the CPU. The differences are longer than the time that a busy kernel
// takes from a process.
class Planted final : public registry::IWorkload {
 public:
  explicit Planted(const PlantedParameters& parameters)
      : x_(parameters.x),
        by_workers_(parameters.by_workers) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t distance = x_ > 3 ? x_ - 3 : 3 - x_;
    const std::uint64_t times = by_workers_ ? scheduler.ActiveWorkers() : 1;
    // What is tested: a search that finds the shortest sleep.
    std::this_thread::sleep_for(times * 2ms * (1 + 4 * distance * distance));
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
    .doc = "sleeps, the least at x = 3",
    .operation = "sleep",
    .schema = &config::SchemaOf<PlantedParameters>,
    .make = &registry::MakeWorkload<Planted, PlantedParameters>,
}};

}  // namespace

}  // namespace schedbench::tests
