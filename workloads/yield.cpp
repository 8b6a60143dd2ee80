#include "fibers/sched/yield.hpp"

#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace schedbench::workloads {

namespace {

struct YieldParameters {
  // clang-format off
  config::Field<"fibers", std::uint32_t{1000}, config::Range{1U, 1000000U}, "Fibers"> fibers;
  config::Field<"yields", std::uint32_t{1000}, config::Range{1U, 1000000000U}, "Times that each fiber gives way"> yields;
  // clang-format on
};

// Fibers that do nothing but give way to each other. One operation is one yield.
class YieldWorkload final : public registry::IWorkload {
 public:
  explicit YieldWorkload(const YieldParameters& parameters)
      : parameters_(parameters),
        yields_done_(parameters.fibers) {
  }

  void Prepare() override {
    std::ranges::fill(yields_done_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint32_t yields = parameters_.yields;
    done_.Add(yields_done_.size());
    for (std::uint64_t& yields_done : yields_done_) {
      fibers::Go(scheduler, [this, yields, &yields_done] {
        // Not counted in the array, whose cache lines fibers of several workers share.
        std::uint64_t count = 0;
        while (count < yields) {
          fibers::Yield();
          ++count;
        }
        yields_done = count;
        done_.Done();
      });
    }
    done_.Wait();
    return std::uint64_t{parameters_.fibers} * yields;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < yields_done_.size(); ++i) {
      if (yields_done_[i] != parameters_.yields) {
        return "fiber " + std::to_string(i) + " went on " + std::to_string(yields_done_[i]) +
               " times of " + std::to_string(parameters_.yields.value);
      }
    }
    return "";
  }

 private:
  const YieldParameters parameters_;
  std::vector<std::uint64_t> yields_done_;  // of each fiber, written by it
  fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kYield{{
    .name = "yield",
    .doc = "fibers give way to each other, again and again",
    .operation = "yield",
    .schema = &config::SchemaOf<YieldParameters>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
      return std::make_unique<YieldWorkload>(settings.As<YieldParameters>());
    },
}};

}  // namespace

}  // namespace schedbench::workloads
