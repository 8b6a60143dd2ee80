#pragma once

#include "config/schema_of.hpp"
#include "config/settings.hpp"
#include "executors/executor.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <memory>
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
template <typename Fibers>
class ChainedSpawnOf : public registry::IWorkload {
 public:
  explicit ChainedSpawnOf(const ChainedSpawnParameters& parameters)
      : parameters_(parameters) {
  }

  void Prepare() override {
    links_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    return RunChains([this, &scheduler](std::uint32_t depth) {
      StartFiber(scheduler, depth);
    });
  }

  std::string Verify() override {
    if (links_ != Links()) {
      return fmt::format("{} links ran of {}", links_, Links());
    }
    return "";
  }

 protected:
  const ChainedSpawnParameters& Parameters() const {
    return parameters_;
  }

  // One chain after the other. `start(depth)` starts the first link of one. Returns the operations.
  template <typename Start>
  std::uint64_t RunChains(Start start) {
    for (std::uint32_t chain = 0; chain < parameters_.chains; ++chain) {
      end_.Add(1);
      start(parameters_.depth.value);
      end_.Wait();
    }
    return Links();
  }

  // What each link does: `next()` starts the one after it, if there is to be one. `left`: links to the end, this one included.
  template <typename Next>
  void Link(std::uint32_t left, Next next) {
    ++links_;
    if (left > 1) {
      next();
    } else {
      end_.Done();
    }
  }

 private:
  std::uint64_t Links() const {
    return std::uint64_t{parameters_.depth} * parameters_.chains;
  }

  void StartFiber(executors::IExecutor& executor, std::uint32_t left) {
    Fibers::Go(executor, [this, &executor, left] {
      Link(left, [&] {
        StartFiber(executor, left - 1);
      });
    });
  }

  const ChainedSpawnParameters parameters_;
  std::uint64_t links_ = 0;  // of the link that runs
  typename Fibers::WaitGroup end_;
};

// `Workload`: made of ChainedSpawnParameters.
template <typename Workload>
registry::WorkloadEntry ChainedSpawnEntry() {
  return {
      .name = "chained_spawn",
      .doc = "each fiber starts the next one and ends: one thing to do at a time",
      .operation = "link",
      .schema = &config::SchemaOf<ChainedSpawnParameters>,
      .make = [](const config::Settings& settings,
                 std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
        return std::make_unique<Workload>(settings.As<ChainedSpawnParameters>());
      },
  };
}

}  // namespace schedbench::workloads
