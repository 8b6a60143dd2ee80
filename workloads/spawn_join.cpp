#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace schedbench::workloads {

namespace {

// Who starts the fibers.
enum class Origin : std::uint8_t { kInside, kOutside };

}  // namespace

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::Origin> {
  static constexpr std::array<std::string_view, 2> value{"inside", "outside"};
};

namespace schedbench::workloads {

namespace {

struct SpawnJoinParameters {
  // clang-format off
  config::Field<"tasks", std::uint32_t{1000000}, config::Range{1U, 100000000U}, "Fibers to start"> tasks;
  config::Field<"from", Origin::kInside, config::AnyOf{}, "Who starts them: inside (one fiber) or outside (a thread that is no worker)"> from;
  // clang-format on
};

// One spawner starts fibers that do next to nothing and waits for all of them. One operation is one fiber,
// started, run and joined.
class SpawnJoin final : public registry::IWorkload {
 public:
  explicit SpawnJoin(const SpawnJoinParameters& parameters)
      : parameters_(parameters),
        runs_(parameters.tasks) {
  }

  void Prepare() override {
    std::ranges::fill(runs_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    if (parameters_.from == Origin::kOutside) {
      SpawnAndJoin(scheduler);
    } else {
      done_.Add(1);
      fibers::Go(scheduler, [this, &scheduler] {
        SpawnAndJoin(scheduler);
        done_.Done();
      });
      done_.Wait();
    }
    return parameters_.tasks;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i] != 1) {
        return "task " + std::to_string(i) + " ran " + std::to_string(runs_[i]) + " times";
      }
    }
    return "";
  }

 private:
  void SpawnAndJoin(executors::IExecutor& executor) {
    tasks_.Add(runs_.size());
    for (std::uint8_t& runs : runs_) {
      fibers::Go(executor, [this, &runs] {
        ++runs;
        tasks_.Done();
      });
    }
    tasks_.Wait();
  }

  const SpawnJoinParameters parameters_;
  std::vector<std::uint8_t> runs_;  // of each fiber, written by it
  fibers::WaitGroup tasks_;
  fibers::WaitGroup done_;
};

const registry::WorkloadRegistration kSpawnJoin{{
    .name = "spawn_join",
    .doc = "one spawner starts many short fibers and waits for all of them",
    .operation = "task",
    .schema = &config::SchemaOf<SpawnJoinParameters>,
    .make = [](const config::Settings& settings,
               std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
      return std::make_unique<SpawnJoin>(settings.As<SpawnJoinParameters>());
    },
}};

}  // namespace

}  // namespace schedbench::workloads
