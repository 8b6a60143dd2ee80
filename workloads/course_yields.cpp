#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct CourseYieldsParameters {
  // clang-format off
  config::Field<"clusters", 30000U, config::Range{1U, 1000000000U},
      "Clusters, one after the other"> clusters;
  config::Field<"fibers", 10U, config::Range{1U, 1000000U},
      "Fibers of a cluster, each of which yields once"> fibers;
  // clang-format on
};

// From the Scalable Scheduler task: a fiber starts a cluster of fibers, which yield once, and waits
// for them; then the next cluster begins. Few fibers are ready at a time. One operation is one
// yield.
class CourseYields final : public registry::IWorkload {
 public:
  explicit CourseYields(const CourseYieldsParameters& parameters)
      : clusters_(parameters.clusters),
        yields_(CheckedCount("course_yields:fibers", "suspended fibers", parameters.fibers,
                             Fibers::kBytesPerFiber)) {
  }

  void Prepare() override {
    std::ranges::fill(yields_, 0);
    incomplete_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(1);
    Fibers::Go(scheduler, [this, &scheduler] {
      for (std::uint32_t cluster = 1; cluster <= clusters_; ++cluster) {
        cluster_done_.Add(1);
        Fibers::Go(scheduler, [this, &scheduler] {
          RunCluster(scheduler);
          cluster_done_.Done();
        });
        cluster_done_.Wait();
        incomplete_ +=
            std::ranges::count(yields_, cluster) == static_cast<std::ptrdiff_t>(yields_.size()) ? 0
                                                                                                : 1;
      }
      done_.Done();
    });
    done_.Wait();
    return yields_.size() * std::uint64_t{clusters_};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < yields_.size(); ++i) {
      if (yields_[i] != clusters_) {
        return fmt::format("fiber {} yielded in {} clusters of {}", i, yields_[i], clusters_);
      }
    }
    if (incomplete_ != 0) {
      return fmt::format("{} of {} clusters ended before all of their fibers", incomplete_,
                         clusters_);
    }
    return "";
  }

 private:
  void RunCluster(executors::IExecutor& executor) {
    fibers_done_.Add(yields_.size());
    for (std::uint32_t& yields : yields_) {
      Fibers::Go(executor, [this, &yields] {
        Fibers::Yield();
        ++yields;
        fibers_done_.Done();
      });
    }
    fibers_done_.Wait();
  }

  const std::uint32_t clusters_;
  // Indexed by the fiber's number in its cluster, for all clusters.
  std::vector<std::uint32_t> yields_;
  std::uint64_t incomplete_ = 0;   // number of clusters
  Fibers::WaitGroup fibers_done_;  // for the running cluster
  Fibers::WaitGroup cluster_done_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<CourseYields, CourseYieldsParameters> kCourseYields{{
    .name = "course_yields",
    .doc = "Scalable Scheduler task: small clusters of fibers that yield once, one cluster after "
           "the other",
    .operation = "yield",
    .presets = {{"smoke", "clusters=40"}, {"small", ""}, {"full", "clusters=100000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
