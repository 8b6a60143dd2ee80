// What a user may write that hangs where no worker does: on the thread that makes, prepares, checks
// and destroys it.
#include "config/schema_of.hpp"
#include "fibers/sync/event.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedbench::tests {

namespace {

using fibers::Event;

struct NoParameters {
  config::Field<"unused", std::uint32_t{0}, config::Range{0U, 1U}, "Unused"> unused;
};

void WaitForever() {
  (new Event)->Wait();
}

enum class Place { kMaking, kPreparing, kVerifying, kDestroying };

// Hangs in its second round, or before the first, or after the last.
template <Place Where>
class Stuck final : public registry::IWorkload {
 public:
  Stuck() {
    WaitIf(Place::kMaking);
  }

  ~Stuck() override {
    WaitIf(Place::kDestroying);
  }

  void Prepare() override {
    if (++round_ == 2) {
      WaitIf(Place::kPreparing);
    }
  }

  std::uint64_t Run(registry::IScheduler& /*scheduler*/) override {
    return 1;
  }

  std::string Verify() override {
    if (round_ == 2) {
      WaitIf(Place::kVerifying);
    }
    return "";
  }

 private:
  void WaitIf(Place place) {
    if (place == Where) {
      WaitForever();
    }
  }

  int round_ = 0;
};

template <Place Where>
registry::WorkloadEntry StuckEntry(std::string_view name) {
  return {.name = name,
          .doc = "hangs on the thread of the run",
          .operation = "thing",
          .schema = &config::SchemaOf<NoParameters>,
          .make = [](const config::Settings& /*settings*/, std::uint64_t /*seed*/)
              -> std::unique_ptr<registry::IWorkload> { return std::make_unique<Stuck<Where>>(); }};
}

const registry::WorkloadRegistration kMaking{StuckEntry<Place::kMaking>("stuck_making")};
const registry::WorkloadRegistration kPreparing{StuckEntry<Place::kPreparing>("stuck_preparing")};
const registry::WorkloadRegistration kVerifying{StuckEntry<Place::kVerifying>("stuck_verifying")};
const registry::WorkloadRegistration kDestroying{
    StuckEntry<Place::kDestroying>("stuck_destroying")};

const registry::SchedulerRegistration kNeverMade{{
    .name = "never_made",
    .doc = "hangs when it is made",
    .schema = &config::SchemaOf<NoParameters>,
    .make = [](const config::Settings& /*settings*/,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      WaitForever();
      throw std::logic_error("not reached");
    },
}};

}  // namespace

}  // namespace schedbench::tests
