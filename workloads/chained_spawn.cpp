#include "workloads/definitions/chained_spawn.hpp"

#include "executors/submit.hpp"
#include "workloads/definitions/own_fibers.hpp"

#include <cstdint>

namespace schedbench::workloads {

namespace {

class ChainedSpawn final : public ChainedSpawnOf<OwnFibers> {
 public:
  using ChainedSpawnOf::ChainedSpawnOf;

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    if (Parameters().front_end == LinkKind::kTask) {
      return RunChains([this, &scheduler](std::uint32_t depth) {
        StartTask(scheduler, depth);
      });
    }
    return ChainedSpawnOf::Run(scheduler);
  }

 private:
  void StartTask(executors::IExecutor& executor, std::uint32_t left) {
    executors::Submit(executor, [this, &executor, left] {
      Link(left, [&] {
        StartTask(executor, left - 1);
      });
    });
  }
};

const registry::WorkloadRegistration kChainedSpawn{ChainedSpawnEntry<ChainedSpawn>()};

}  // namespace

}  // namespace schedbench::workloads
