#include "config/schema_of.hpp"
#include "executors/submit.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// The kind of a link.
enum class LinkKind : std::uint8_t { kTask, kFiber };

constexpr std::array<std::string_view, 2> NamesOf(LinkKind) {
  return {"task", "fiber"};
}

namespace {

struct ChainedSpawnParameters {
  // clang-format off
  config::Field<"depth", 1000U, config::Range{1U, 1000000000U},
      "Fibers (or what front_end names) in a chain"> depth;
  config::Field<"chains", 100U, config::Range{1U, 1000000U}, "Chains, one after the other"> chains;
  config::Field<"front_end", LinkKind::kFiber, config::AnyOf{},
      "What a link is: task or fiber"> front_end;
  // clang-format on
};

// Each link starts the next one and ends; after the last one the calling thread starts the next
// chain. There is at most one ready task: the workload shows how soon a worker runs the task that
// it has submitted itself, and whether it unparks another worker for it. One operation is one link.
class ChainedSpawn final : public registry::IWorkload {
 public:
  explicit ChainedSpawn(const ChainedSpawnParameters& parameters)
      : parameters_(parameters) {
    Fibers::RequireFrontEnd(parameters.front_end == LinkKind::kFiber);
  }

  void Prepare() override {
    links_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    for (std::uint32_t chain = 0; chain < parameters_.chains; ++chain) {
      end_.Add(1);
      if (parameters_.front_end == LinkKind::kTask) {
        StartTask(scheduler, parameters_.depth);
      } else {
        StartFiber(scheduler, parameters_.depth);
      }
      end_.Wait();
    }
    return Links();
  }

  std::string Verify() override {
    if (links_ != Links()) {
      return fmt::format("{} links ran of {}", links_, Links());
    }
    return "";
  }

 private:
  std::uint64_t Links() const {
    return std::uint64_t{parameters_.depth} * parameters_.chains;
  }

  // `left`: the number of links to the end of the chain, with this one.
  void StartTask(executors::IExecutor& executor, std::uint32_t left) {
    executors::Submit(
        executor, [this, &executor, left] { Link(left, [&] { StartTask(executor, left - 1); }); });
  }

  void StartFiber(executors::IExecutor& executor, std::uint32_t left) {
    Fibers::Go(executor,
               [this, &executor, left] { Link(left, [&] { StartFiber(executor, left - 1); }); });
  }

  // Runs in each link. `next()` starts the next link; the last link does not call it.
  template <typename Next>
  void Link(std::uint32_t left, Next next) {
    ++links_;
    if (left > 1) {
      next();
    } else {
      end_.Done();
    }
  }

  const ChainedSpawnParameters parameters_;
  std::uint64_t links_ = 0;  // written by the running link
  Fibers::WaitGroup end_;
};

const registry::RegistrationOf<ChainedSpawn, ChainedSpawnParameters> kChainedSpawn{{
    .name = "chained_spawn",
    .doc = "each fiber starts the next one and ends, so that one fiber is ready at a time",
    .operation = "link",
    .presets = {{"smoke", "depth=50,chains=4"}, {"small", "chains=800"}, {"full", "chains=10000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
