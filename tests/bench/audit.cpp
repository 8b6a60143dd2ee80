// Compares the shares that `audit` reports with shares that a workload has measured itself, in
// points (percent of the workers' time).
#include "harness/audit/audit.hpp"

#include "cli/output/observed_run.hpp"
#include "config/assignment.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "metrics/metric_list.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/spin_work.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

// Outside of schedbench, so that it counts as a workload.
namespace planted {

namespace {

using schedbench::harness::TimeUse;
namespace config = schedbench::config;
namespace platform = schedbench::platform;
namespace registry = schedbench::registry;

struct Parameters {
  // clang-format off
  config::Field<"steps", std::uint32_t{500}, config::Range{1U, 1000000U}, "Steps of each fiber"> steps;
  config::Field<"body_ns", std::uint32_t{0}, config::Range{0U, 1000000000U}, "Work of a step"> body_ns;
  config::Field<"sleep_ns", std::uint32_t{0}, config::Range{0U, 1000000000U}, "Sleep of a step"> sleep_ns;
  config::Field<"locked_ns", std::uint32_t{0}, config::Range{0U, 1000000000U}, "Work of a step under a lock that all share"> locked_ns;
  // clang-format on
};

// Nanoseconds of all rounds, of all fibers.
struct Measured {
  std::uint64_t body = 0;
  std::uint64_t sleep = 0;
  std::uint64_t lock = 0;
  std::uint64_t all = 0;  // of the workers
};
Measured measured;

constexpr std::uint32_t kFibers = 2;  // one for each worker

class Planted final : public registry::IWorkload {
 public:
  explicit Planted(const Parameters& parameters)
      : parameters_(parameters),
        body_(parameters.body_ns),
        locked_(parameters.locked_ns) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t start = platform::NowNs();
    done_.Add(kFibers);
    for (std::uint32_t i = 0; i < kFibers; ++i) {
      schedbench::fibers::Go(scheduler, [this] {
        Fiber();
        done_.Done();
      });
    }
    done_.Wait();
    measured.all += (platform::NowNs() - start) * kFibers;
    return std::uint64_t{kFibers} * parameters_.steps;
  }

  std::string Verify() override {
    return "";
  }

 private:
  // All CPU time between two waits is the body's, this fiber's clock readings included.
  void Fiber() {
    const int thread = platform::KernelThreadId();
    Measured mine;
    std::uint64_t body_from = platform::ThreadCpuNs(thread);
    const auto end_body = [&] {
      mine.body += platform::ThreadCpuNs(thread) - body_from;
      return platform::NowNs();
    };
    const auto end_wait = [&](std::uint64_t& waited, std::uint64_t from) {
      waited += platform::NowNs() - from;
      body_from = platform::ThreadCpuNs(thread);
    };
    for (std::uint32_t i = 0; i < parameters_.steps; ++i) {
      body_.Do();
      if (parameters_.sleep_ns > 0) {
        const std::uint64_t from = end_body();
        platform::SleepForNs(parameters_.sleep_ns);
        end_wait(mine.sleep, from);
      }
      if (parameters_.locked_ns > 0) {
        const std::uint64_t from = end_body();
        mutex_.Lock();
        end_wait(mine.lock, from);
        locked_.Do();
        end_body();
        mutex_.Unlock();  // wakes, and is no body
        body_from = platform::ThreadCpuNs(thread);
      }
    }
    end_body();
    const platform::MutexLock lock(sum_);
    measured.body += mine.body;
    measured.sleep += mine.sleep;
    measured.lock += mine.lock;
  }

  const Parameters parameters_;
  const schedbench::workloads::SpinWork body_;
  const schedbench::workloads::SpinWork locked_;
  platform::Mutex mutex_;
  platform::Mutex sum_;
  schedbench::fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kPlanted{{
    .name = "planted",
    .doc = "known shares of work, sleep and locks",
    .operation = "step",
    .schema = &config::SchemaOf<Parameters>,
    .make = &registry::MakeWorkload<Planted, Parameters>,
}};

void Audit(const std::string& parameters) {
  const registry::SchedulerEntry& scheduler = *registry::FindScheduler("fast");
  const registry::WorkloadEntry& workload = *registry::FindWorkload("planted");
  schedbench::harness::RunPlan plan{.scheduler = &scheduler,
                                    .config = config::Settings(scheduler.schema()),
                                    .workload = &workload,
                                    .parameters = config::Settings(workload.schema()),
                                    .rounds = 1,
                                    .warmup = 0};
  config::Problems problems;
  config::ApplySet(fmt::format("workers={}", kFibers), plan.config, problems);
  config::ApplySpec(*config::ParseSpec("planted:" + parameters, "", problems), plan.parameters,
                    problems);
  problems.ThrowIfAny();
  // The first part of an observed run finds out how many rounds take the time: its shares are in
  // `measured` too, and are the same.
  measured = {};
  const auto run = schedbench::cli::ObservedRun(
      plan, std::chrono::seconds(3), {.blocked_calls = true}, [] {}, "");
  const auto audited = schedbench::cli::Audited("fast", run);
  const double inside = 1 - audited.split[TimeUse::kHarness];
  const auto line = [&](const char* name, std::uint64_t planted_ns, double audited_share) {
    const double share = static_cast<double>(planted_ns) / static_cast<double>(measured.all);
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:+.1f} |\n", parameters, name, 100 * share,
               100 * audited_share, 100 * (audited_share - share));
  };
  // A thread that a timer or an unlock has woken waits for a CPU: the workload sees that as part of
  // its wait, and the audit as preempted.
  const double preempted = audited.split[TimeUse::kPreempted];
  const bool sleeps = measured.sleep > 0;
  const bool locks = measured.lock > 0;
  line("task body", measured.body, audited.split[TimeUse::kBody] / inside);
  line(sleeps ? "kernel sleep, preempted" : "kernel sleep", measured.sleep,
       (audited.split[TimeUse::kSleep] + (sleeps ? preempted : 0)) / inside);
  line(locks ? "locks, preempted" : "locks", measured.lock,
       (audited.split[TimeUse::kLock] + (locks ? preempted : 0)) / inside);
}

}  // namespace

}  // namespace planted

int main() {
  fmt::print(
      "| planted | use | planted, % | audit, % | difference, points |\n|---|---|---|---|---|\n");
  for (const char* const parameters :
       {"body_ns=100000", "body_ns=100000,sleep_ns=100000", "body_ns=20000,sleep_ns=300000",
        "body_ns=50000,locked_ns=50000", "locked_ns=100000"}) {
    planted::Audit(parameters);
  }
}
