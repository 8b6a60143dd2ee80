#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct CourseRacyParameters {
  // clang-format off
  config::Field<"fibers", 1000000U, config::Range{1U, 100000000U},
      "Fibers that each increment the counter once"> fibers;
  // clang-format on
};

constexpr std::array kCourseRacyMetrics{
    registry::Metric{"lost_updates", "share", registry::Better::kNone,
                     "Share of the increments that another fiber overwrote; 0 on one worker"},
};

// From the Scalable Scheduler task: fibers increment a counter by a load and a store, so increments
// are lost where fibers run in parallel. One operation is one fiber.
class CourseRacy final : public registry::IWorkload {
 public:
  explicit CourseRacy(const CourseRacyParameters& parameters)
      : runs_(CheckedCount("course_racy:fibers", "fibers in a queue", parameters.fibers,
                           Fibers::kBytesPerQueued)) {
  }

  void Prepare() override {
    std::ranges::fill(runs_, 0);
    counter_.Store(0, memory_order_relaxed);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(runs_.size());
    for (std::uint8_t& runs : runs_) {
      Fibers::Go(scheduler, [this, &runs] {
        const std::uint64_t counted = counter_.Load(memory_order_relaxed);
        counter_.Store(counted + 1, memory_order_relaxed);
        ++runs;
        done_.Done();
      });
    }
    done_.Wait();
    return runs_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i] != 1) {
        return fmt::format("fiber {} ran {} times", i, runs_[i]);
      }
    }
    if (Counted() == 0 || Counted() > runs_.size()) {
      return fmt::format("{} fibers counted to {}", runs_.size(), Counted());
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    return {1 - static_cast<double>(Counted()) / static_cast<double>(runs_.size())};
  }

 private:
  std::uint64_t Counted() const {
    return counter_.Load(memory_order_relaxed);
  }

  std::vector<std::uint8_t> runs_;                        // runs of each fiber, written by it
  alignas(kCacheLine) Atomic<std::uint64_t> counter_{0};  // relaxed: the race is the purpose
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<CourseRacy, CourseRacyParameters> kCourseRacy{{
    .name = "course_racy",
    .doc = "Scalable Scheduler task: fibers increment a counter with a load and a store",
    .operation = "fiber",
    .metrics = kCourseRacyMetrics,
    .presets = {{"smoke", "fibers=1000"},
                {"small", ""},
                {"full", "fibers=2000000"},
                {"document", "fibers=100500"}},
}};

}  // namespace

}  // namespace schedbench::workloads
