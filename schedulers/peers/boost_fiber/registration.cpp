#include "registry/runtime.hpp"
#include "schedulers/peers/boost_fiber/pool.hpp"

#include <boost/version.hpp>

#include <memory>
#include <vector>

namespace schedbench::schedulers::peers {

namespace {

// The pool of one kind, which one session uses.
class BoostFiberScheduler final : public registry::IScheduler {
 public:
  BoostFiberScheduler(Sharing sharing, const BoostFiberConfig& config)
      : pool_(BoostFiberPool::Get(sharing, config)) {
  }

  ~BoostFiberScheduler() override {
    pool_.Park();
  }

  BoostFiberScheduler(const BoostFiberScheduler&) = delete;
  BoostFiberScheduler& operator=(const BoostFiberScheduler&) = delete;

  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    submitted_.Add();
    pool_.Submit(task);
  }

  // Workloads wait for their fibers themselves.
  void WaitIdle() noexcept override {
    pool_.Park();
  }

  void Stop() noexcept override {
    pool_.Park();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return pool_.ReadWorkers();
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return submitted_.Get();
  }

 private:
  BoostFiberPool& pool_;
  metrics::Tally submitted_;  // written by the thread that runs the workload
};

template <Sharing How>
std::unique_ptr<registry::IScheduler> Make(const config::Settings& settings,
                                           std::uint64_t /*seed*/) {
  return std::make_unique<BoostFiberScheduler>(How, settings.As<BoostFiberConfig>());
}

const registry::RuntimeRegistration kRuntime{
    {.name = "Boost.Fiber", .version = BOOST_LIB_VERSION, .tasks = "fibers"}};

const registry::SchedulerRegistration kStealing{
    {.name = "boost_fiber_stealing",
     .doc = "Boost.Fiber, algorithm work_stealing: a queue for each thread",
     .schema = &config::SchemaOf<BoostFiberConfig>,
     .make = &Make<Sharing::kWorkStealing>}};

const registry::SchedulerRegistration kShared{
    {.name = "boost_fiber_shared",
     .doc = "Boost.Fiber, algorithm shared_work: one queue for all threads",
     .schema = &config::SchemaOf<BoostFiberConfig>,
     .make = &Make<Sharing::kSharedWork>}};

}  // namespace

}  // namespace schedbench::schedulers::peers
