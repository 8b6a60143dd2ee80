#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "futures/then.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::workloads {

namespace {

struct CourseFuturesParameters {
  // clang-format off
  config::Field<"roots", 14U, config::Range{1U, 1000000U}, "Fibers that start chains"> roots;
  config::Field<"chains", 10000U, config::Range{1U, 100000000U},
      "Chains that each root starts"> chains;
  config::Field<"continuations", 5U, config::Range{1U, 1000U},
      "Continuations of a chain, after its first task"> continuations;
  config::Field<"yield_every", 512U, config::Range{0U, 1000000000U},
      "A root yields after this many chains; 0 = never"> yield_every;
  // clang-format on
};

// From the Scalable Scheduler task: fibers start chains of futures, and wait until all of their
// chains have ended. One operation is one task of a chain.
class CourseFutures final : public registry::IWorkload {
 public:
  explicit CourseFutures(const CourseFuturesParameters& parameters)
      : parameters_(parameters),
        roots_(parameters.roots) {
    CheckedCount("course_futures:chains", "chains of each root", parameters.chains,
                 parameters.roots * TasksOfChain() * Fibers::kBytesPerQueued);
    for (Root& root : roots_) {
      root.steps.resize(parameters.chains);
    }
  }

  void Prepare() override {
    for (Root& root : roots_) {
      root.steps.assign(root.steps.size(), 0);
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(roots_.size());
    for (Root& root : roots_) {
      Fibers::Go(scheduler, [this, &scheduler, &root] {
        RunRoot(scheduler, root);
        done_.Done();
      });
    }
    done_.Wait();
    return roots_.size() * parameters_.chains * TasksOfChain();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      for (std::size_t chain = 0; chain < roots_[i].steps.size(); ++chain) {
        if (roots_[i].steps[chain] != TasksOfChain()) {
          return fmt::format("chain {} of root {} made {} steps of {}", chain, i,
                             roots_[i].steps[chain], TasksOfChain());
        }
      }
    }
    return "";
  }

 private:
  struct alignas(kCacheLine) Root {
    std::vector<std::uint32_t> steps;  // steps of each chain, written at its end
    Fibers::WaitGroup chains_left;
  };

  void RunRoot(executors::IExecutor& executor, Root& root) const {
    root.chains_left.Add(root.steps.size());
    const std::uint32_t yield_every = parameters_.yield_every;
    std::uint32_t started = 0;
    for (std::uint32_t& steps : root.steps) {
      auto chain = futures::Submit(executor, [] { return std::uint32_t{1}; });
      for (std::uint32_t i = 1; i < parameters_.continuations; ++i) {
        chain = futures::Then(std::move(chain), executor,
                              [](std::uint32_t before) { return before + 1; });
      }
      futures::Then(std::move(chain), executor, [&root, &steps](std::uint32_t before) {
        steps = before + 1;
        root.chains_left.Done();
      }).Detach();
      ++started;
      if (yield_every != 0 && started % yield_every == 0) {
        Fibers::Yield();
      }
    }
    root.chains_left.Wait();
  }

  std::uint64_t TasksOfChain() const {
    return std::uint64_t{parameters_.continuations} + 1;
  }

  const CourseFuturesParameters parameters_;
  std::vector<Root> roots_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<CourseFutures, CourseFuturesParameters> kCourseFutures{{
    .name = "course_futures",
    .doc = "Scalable Scheduler task: fibers start many chains of futures and continuations",
    .operation = "task",
    .presets = {{"smoke", "chains=8"}, {"small", ""}, {"full", "chains=100500"}},
}};

}  // namespace

}  // namespace schedbench::workloads
