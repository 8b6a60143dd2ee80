#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct CourseMutexParameters {
  // clang-format off
  config::Field<"clusters", 13U, config::Range{1U, 1000000U},
      "Clusters of fibers; each has two mutexes of its own"> clusters;
  config::Field<"fibers", 100U, config::Range{1U, 1000000U}, "Fibers of a cluster"> fibers;
  config::Field<"sections", 2048U, config::Range{1U, 1000000000U},
      "Critical sections of each fiber under each of the two mutexes"> sections;
  config::Field<"yield_every", 17U, config::Range{0U, 1000000000U}, "Each fiber yields before one "
      "in this many sections under the second mutex; 0 = never"> yield_every;
  // clang-format on
};

// The profiled workload of the Scalable Scheduler task. A fiber of each cluster starts the others
// and waits for them. Each of these locks the first mutex and counts, yields now and then without
// a mutex, locks the second mutex and counts. One operation is one critical section.
class CourseMutex final : public registry::IWorkload {
 public:
  explicit CourseMutex(const CourseMutexParameters& parameters)
      : parameters_(parameters),
        clusters_(parameters.clusters) {
    CheckedCount("course_mutex:fibers", "fibers in each cluster", parameters.fibers,
                 Fibers::kBytesPerFiber * parameters.clusters);
  }

  void Prepare() override {
    for (Cluster& cluster : clusters_) {
      cluster.first = 0;
      cluster.second = 0;
      cluster.first_joined = 0;
      cluster.second_joined = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(clusters_.size());
    for (Cluster& cluster : clusters_) {
      Fibers::Go(scheduler, [this, &scheduler, &cluster] {
        cluster.fibers_done.Add(parameters_.fibers);
        for (std::uint32_t i = 0; i < parameters_.fibers; ++i) {
          Fibers::Go(scheduler, [this, &cluster] {
            RunSections(cluster);
            cluster.fibers_done.Done();
          });
        }
        cluster.fibers_done.Wait();
        cluster.first_joined = cluster.first;
        cluster.second_joined = cluster.second;
        done_.Done();
      });
    }
    done_.Wait();
    return 2 * clusters_.size() * SectionsOfCluster();
  }

  std::string Verify() override {
    const std::uint64_t right = SectionsOfCluster();
    for (std::size_t i = 0; i < clusters_.size(); ++i) {
      const Cluster& cluster = clusters_[i];
      if (cluster.first_joined != right || cluster.second_joined != right) {
        return fmt::format(
            "cluster {} counted {} critical sections under the first mutex and {} under the second "
            "when its fibers had ended, not {}",
            i, cluster.first_joined, cluster.second_joined, right);
      }
    }
    return "";
  }

 private:
  struct alignas(kCacheLine) Cluster {
    Fibers::Mutex first_mutex;
    std::uint64_t first = 0;  // guarded by first_mutex
    Fibers::Mutex second_mutex;
    std::uint64_t second = 0;  // guarded by second_mutex
    Fibers::WaitGroup fibers_done;
    // The fiber that has waited for the others copies these.
    std::uint64_t first_joined = 0;
    std::uint64_t second_joined = 0;
  };

  void RunSections(Cluster& cluster) const {
    const std::uint32_t sections = parameters_.sections;
    const std::uint32_t yield_every = parameters_.yield_every;
    std::uint32_t until_yield = 0;
    for (std::uint32_t i = 0; i < sections; ++i) {
      cluster.first_mutex.Lock();
      ++cluster.first;
      cluster.first_mutex.Unlock();
      if (yield_every != 0) {
        if (until_yield == 0) {
          until_yield = yield_every;
          Fibers::Yield();
        }
        --until_yield;
      }
      cluster.second_mutex.Lock();
      ++cluster.second;
      cluster.second_mutex.Unlock();
    }
  }

  std::uint64_t SectionsOfCluster() const {
    return std::uint64_t{parameters_.fibers} * parameters_.sections;
  }

  const CourseMutexParameters parameters_;
  std::vector<Cluster> clusters_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<CourseMutex, CourseMutexParameters> kCourseMutex{{
    .name = "course_mutex",
    .doc = "Scalable Scheduler task: clusters of fibers run critical sections under two mutexes "
           "and yield",
    .operation = "section",
    .presets = {{"smoke", "fibers=10,sections=20"}, {"small", ""}, {"full", "sections=65536"}},
}};

}  // namespace

}  // namespace schedbench::workloads
