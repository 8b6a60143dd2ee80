#pragma once

#include "config/schema_of.hpp"
#include "config/settings.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/memory_need.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// What gives way.
enum class Yielder : std::uint8_t { kTask, kFiber, kCoroutine };

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::Yielder> {
  static constexpr std::array<std::string_view, 3> value{"task", "fiber", "coroutine"};
};

namespace schedbench::workloads {

struct YieldParameters {
  // clang-format off
  config::Field<"fibers", std::uint32_t{1000}, config::Range{1U, 1000000U}, "Fibers (or what front_end says)"> fibers;
  config::Field<"yields", std::uint32_t{1000}, config::Range{1U, 1000000000U}, "Times that each gives way"> yields;
  config::Field<"front_end", Yielder::kFiber, config::AnyOf{}, "What gives way: task (submits itself again with the hint Yield), fiber or coroutine"> front_end;
  // clang-format on
};

// Fibers that do nothing but give way to each other. One operation is one yield.
template <typename Fibers>
class YieldOf : public registry::IWorkload {
 public:
  // `bytes_each`: what a fiber holds, or what stands in for it.
  explicit YieldOf(const YieldParameters& parameters,
                   std::uint64_t bytes_each = Fibers::kBytesPerFiber)
      : parameters_(parameters),
        yields_done_(CheckedCount("yield:fibers", "fibers", parameters.fibers, bytes_each)) {
  }

  void Prepare() override {
    std::ranges::fill(yields_done_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    return RunEach([this, &scheduler](std::uint64_t& yields_done) {
      Fibers::Go(scheduler, [this, yields = parameters_.yields.value, &yields_done] {
        std::uint64_t count =
            0;  // not in the array, whose cache lines those of several workers share
        while (count < yields) {
          Fibers::Yield();
          ++count;
        }
        yields_done = count;
        done_.Done();
      });
    });
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < yields_done_.size(); ++i) {
      if (yields_done_[i] != parameters_.yields) {
        return "fiber " + std::to_string(i) + " went on " + std::to_string(yields_done_[i]) +
               " times of " + std::to_string(parameters_.yields.value);
      }
    }
    return "";
  }

 protected:
  const YieldParameters& Parameters() const {
    return parameters_;
  }

  // What each calls at its end, when it has written how often it gave way.
  void OneDone() noexcept {
    done_.Done();
  }

  // Starts as many as there are to be and waits for all. `start(yields_done)` starts one. Returns the operations.
  template <typename Start>
  std::uint64_t RunEach(Start start) {
    done_.Add(yields_done_.size());
    for (std::uint64_t& yields_done : yields_done_) {
      start(yields_done);
    }
    done_.Wait();
    return std::uint64_t{parameters_.fibers} * parameters_.yields;
  }

 private:
  const YieldParameters parameters_;
  std::vector<std::uint64_t> yields_done_;  // of each fiber, written by it
  typename Fibers::WaitGroup done_;
};

// `Workload`: made of YieldParameters.
template <typename Workload>
registry::WorkloadEntry YieldEntry() {
  return {
      .name = "yield",
      .doc = "fibers give way to each other, again and again",
      .operation = "yield",
      .schema = &config::SchemaOf<YieldParameters>,
      .make = [](const config::Settings& settings,
                 std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
        return std::make_unique<Workload>(settings.As<YieldParameters>());
      },
  };
}

}  // namespace schedbench::workloads
