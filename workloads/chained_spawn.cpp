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

// What a link is written as.
enum class LinkKind : std::uint8_t { kTask, kFiber };

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::LinkKind> {
  static constexpr std::array<std::string_view, 2> value{"task", "fiber"};
};

namespace schedbench::workloads {

namespace {

struct ChainedSpawnParameters {
  // clang-format off
  config::Field<"depth", std::uint32_t{1000}, config::Range{1U, 1000000000U}, "Links of a chain"> depth;
  config::Field<"chains", std::uint32_t{100}, config::Range{1U, 1000000U}, "Chains, one after the other"> chains;
  config::Field<"front_end", LinkKind::kFiber, config::AnyOf{}, "What a link is: task or fiber"> front_end;
  // clang-format on
};

// Each link starts the next one and ends; the last one lets the thread outside begin the next chain. There is never
// more than one thing to do: what counts is how soon a worker goes on with what it has started itself, and that it
// wakes nobody for it. One operation is one link.
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

  // `left`: links to the end of the chain, this one included.
  void StartTask(executors::IExecutor& executor, std::uint32_t left) {
    executors::Submit(executor, [this, &executor, left] {
      Link(left, [&] {
        StartTask(executor, left - 1);
      });
    });
  }

  void StartFiber(executors::IExecutor& executor, std::uint32_t left) {
    Fibers::Go(executor, [this, &executor, left] {
      Link(left, [&] {
        StartFiber(executor, left - 1);
      });
    });
  }

  // What each link does: `next()` starts the one after it, if there is to be one.
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
  std::uint64_t links_ = 0;  // of the link that runs
  Fibers::WaitGroup end_;
};

const registry::WorkloadRegistration kChainedSpawn{{
    .name = "chained_spawn",
    .doc = "each fiber starts the next one and ends: one thing to do at a time",
    .operation = "link",
    .schema = &config::SchemaOf<ChainedSpawnParameters>,
    .make = &registry::MakeWorkload<ChainedSpawn, ChainedSpawnParameters>,
}};

}  // namespace

}  // namespace schedbench::workloads
