// A program of a user: registers a scheduler and workloads, most of which fail, and links
// schedbench::main.
#include "base/intrusive_list.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "metrics/worker_metrics.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::tests {

namespace {

using namespace std::chrono_literals;

struct InlineConfig {
  config::Field<"workers", std::uint32_t{1}, config::Range{0U, 2U}, "Only 1 works"> workers;
};

// The smallest scheduler: the submitter runs the tasks, one after the other.
class RunInline : public registry::IScheduler {
 public:
  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    tasks_.PushBack(task);
    if (running_) {
      metrics_.tasks_submitted.Add();
      return;
    }
    ++external_submissions_;
    running_ = true;
    while (executors::TaskBase* next = tasks_.TryPopFront()) {
      next->Run();
      metrics_.tasks_run.Add();
    }
    running_ = false;
  }

  void WaitIdle() noexcept override {
  }

  void Stop() noexcept override {
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return {{.values = metrics::ReadMetrics(metrics_), .wakeup_ticks = {}, .run_ticks = {}}};
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_submissions_;
  }

 private:
  IntrusiveList<executors::TaskBase> tasks_;
  bool running_ = false;
  std::atomic<std::uint64_t> external_submissions_ = 0;  // read while it runs
  metrics::WorkerMetrics metrics_;
};

const registry::SchedulerRegistration kInline{{
    .name = "inline",
    .doc = "the submitter runs the tasks",
    .schema = &config::SchemaOf<InlineConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      if (settings.As<InlineConfig>().workers != 1) {
        throw std::runtime_error("cannot start a thread: out of luck");
      }
      return std::make_unique<RunInline>();
    },
}};

struct PlantedConfig {
  config::Field<"x", std::uint32_t{7}, config::Range{0U, 9U},
                "3 is the fastest; 9 ends the process">
      x;
  config::Field<"nothing", std::uint32_t{2}, config::Range{1U, 8U}, "Has no effect"> nothing;
};

// A scheduler whose best setting is known: an external submission takes a time that grows with the
// square of the distance of x from 3.
class PlantedScheduler final : public RunInline {
 public:
  explicit PlantedScheduler(std::uint32_t x)
      : x_(x) {
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    if (x_ == 9) {
      std::_Exit(9);
    }
    const std::uint64_t distance = x_ > 3 ? x_ - 3 : 3 - x_;
    // What is tested: a search that finds the shortest sleep. The others are longer than the time
    // that a busy kernel takes from a process: the default sleeps 65 ms a round, x = 3 sleeps 1 ms.
    std::this_thread::sleep_for(100us * (1 + 4 * distance * distance));
    RunInline::Submit(task, hint);
  }

 private:
  const std::uint32_t x_;
};

const registry::SchedulerRegistration kPlanted{{
    .name = "planted",
    .doc = "the fastest at x = 3",
    .schema = &config::SchemaOf<PlantedConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<PlantedScheduler>(settings.As<PlantedConfig>().x);
    },
}};

struct FaultyParameters {
  config::Field<"in_round", std::uint32_t{4}, config::Range{0U, 1000U},
                "Round that fails; 0 = none">
      in_round;
};

// Runs ten fibers a round. `Fault` is called where the fault belongs.
class Faulty : public registry::IWorkload {
 public:
  explicit Faulty(std::uint32_t in_round)
      : in_round_(in_round) {
  }

  void Prepare() override {
    ++round_;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(kFibers);
    for (std::uint32_t i = 0; i < kFibers; ++i) {
      fibers::Go(scheduler,
                 [this, i] {
                   if (i == 7 && IsFaulty()) {
                     InFiber();
                   }
                   done_.Done();
                 },
                 {.name = "fiber of test " + std::to_string(i)});
    }
    done_.Wait();
    return kFibers;
  }

  std::string Verify() override {
    return IsFaulty() ? Answer() : "";
  }

 protected:
  virtual void InFiber() {
  }

  virtual std::string Answer() {
    return "";
  }

 private:
  static constexpr std::uint32_t kFibers = 10;

  bool IsFaulty() const {
    return round_ == in_round_;
  }

  const std::uint32_t in_round_;
  std::uint32_t round_ = 0;
  fibers::WaitGroup done_;
};

class WrongAnswer final : public Faulty {
 public:
  using Faulty::Faulty;

  std::string Answer() override {
    return "2 + 2 gave 5";
  }
};

class ThrowingFiber final : public Faulty {
 public:
  using Faulty::Faulty;

  void InFiber() override {
    throw std::runtime_error("boom");
  }
};

class ThrowingVerify final : public Faulty {
 public:
  using Faulty::Faulty;

  std::string Answer() override {
    throw std::runtime_error("no answer at all");
  }
};

template <typename Workload>
registry::WorkloadEntry Entry(std::string_view name) {
  return {
      .name = name,
      .doc = "fails in one round",
      .operation = "fiber",
      .schema = &config::SchemaOf<FaultyParameters>,
      .make = [](const config::Settings& settings,
                 std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
        return std::make_unique<Workload>(settings.As<FaultyParameters>().in_round);
      },
  };
}

const registry::WorkloadRegistration kWrongAnswer{Entry<WrongAnswer>("wrong_answer")};
const registry::WorkloadRegistration kThrowingFiber{Entry<ThrowingFiber>("throwing_fiber")};
const registry::WorkloadRegistration kThrowingVerify{Entry<ThrowingVerify>("throwing_verify")};

}  // namespace

}  // namespace schedbench::tests
