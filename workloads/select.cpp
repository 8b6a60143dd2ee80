#include "fibers/sync/select.hpp"

#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct SelectParameters {
  // clang-format off
  config::Field<"fibers", 4U, config::Range{1U, 1000000U}, "Fibers that select"> fibers;
  config::Field<"channels", 8U, config::Range{1U, 100000U},
      "Channels that each fiber selects from; it is their only user"> channels;
  config::Field<"selects", 60000U, config::Range{1U, 1000000000U}, "Selects of each fiber"> selects;
  config::Field<"yield_every", 16U, config::Range{0U, 1000000000U},
      "A fiber yields after this many selects; 0 = never"> yield_every;
  // clang-format on
};

constexpr std::array kSelectMetrics{
    registry::Metric{"choice_chi_square", "x", registry::Better::kNone,
                     "Chi-square statistic of how often each channel was chosen, divided by its "
                     "expected value: about 1 if each is chosen with the same probability, less if "
                     "they are chosen in turn"},
    registry::Metric{"rarest_choice", "x", registry::Better::kHigher,
                     "How often a fiber chose the channel that it chose least, divided by the mean "
                     "of its channels: minimum of all fibers"},
};

// Fibers that select from channels that are all ready, and refill the chosen one: the cost and
// fairness of a choice without a wait. fan_in has waits. One operation is one select.
class SelectWorkload final : public registry::IWorkload {
 public:
  explicit SelectWorkload(const SelectParameters& parameters)
      : parameters_(parameters),
        selectors_(parameters.fibers) {
    CheckedCount("select:channels", "channels of each fiber", parameters.channels,
                 parameters.fibers * (sizeof(Line) + 2 * sizeof(std::uint64_t)));
    CheckedCount("select:fibers", "suspended fibers", parameters.fibers, Fibers::kBytesPerFiber);
    for (Selector& selector : selectors_) {
      for (std::uint32_t i = 0; i < parameters.channels; ++i) {
        selector.lines.push_back(std::make_unique<Line>());
        selector.cases.push_back(&selector.lines.back()->receive);
      }
    }
  }

  void Prepare() override {
    for (Selector& selector : selectors_) {
      selector.wrong = 0;
      for (const auto& line : selector.lines) {
        line->channel.TryReceive();
        line->chosen = 0;
        line->channel.TrySend(0);
      }
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(selectors_.size());
    for (Selector& selector : selectors_) {
      fibers::Go(scheduler, [this, &selector] {
        SelectAll(selector);
        done_.Done();
      });
    }
    done_.Wait();
    return selectors_.size() * std::uint64_t{parameters_.selects};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < selectors_.size(); ++i) {
      const Selector& selector = selectors_[i];
      std::uint64_t chosen = 0;
      for (const auto& line : selector.lines) {
        chosen += line->chosen;
      }
      if (chosen != parameters_.selects || selector.wrong != 0) {
        return fmt::format("fiber {} received {} values of {}, of which {} were wrong", i, chosen,
                           parameters_.selects.value, selector.wrong);
      }
    }
    if (HasEnough() && ChiSquare() > LargestCredible()) {
      return fmt::format(
          "the choices are not equally probable: chi-square is {:.0f} with {:.0f} degrees of "
          "freedom, and at most {:.0f} in all but one of 10^13 rounds",
          ChiSquare(), Freedom(), LargestCredible());
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    double rarest = 1;
    for (const Selector& selector : selectors_) {
      for (const auto& line : selector.lines) {
        rarest = std::min(rarest, static_cast<double>(line->chosen) / Expected());
      }
    }
    return {Freedom() == 0 ? 1 : ChiSquare() / Freedom(), rarest};
  }

 private:
  struct Line {
    fibers::Channel<std::uint64_t> channel{1};
    fibers::ReceiveCase<std::uint64_t> receive{channel};
    std::uint64_t chosen = 0;
  };

  struct Selector {
    std::vector<std::unique_ptr<Line>> lines;
    std::vector<fibers::SelectCase*> cases;
    std::uint64_t wrong = 0;
  };

  void SelectAll(Selector& selector) const {
    const std::uint32_t yield_every = parameters_.yield_every;
    for (std::uint32_t i = 1; i <= parameters_.selects; ++i) {
      const std::size_t fired =
          fibers::Select(std::span<fibers::SelectCase* const>(selector.cases));
      Line& line = *selector.lines[fired];
      // Each value is the number of values before it.
      selector.wrong += line.receive.Value() == line.chosen ? 0 : 1;
      ++line.chosen;
      line.channel.TrySend(std::uint64_t{line.chosen});
      if (yield_every != 0 && i % yield_every == 0) {
        fibers::Yield();
      }
    }
  }

  // Returns the expected choices of one channel by one fiber.
  double Expected() const {
    return static_cast<double>(parameters_.selects) / parameters_.channels;
  }

  double Freedom() const {
    return static_cast<double>(selectors_.size()) * (parameters_.channels - 1.0);
  }

  double ChiSquare() const {
    double sum = 0;
    for (const Selector& selector : selectors_) {
      for (const auto& line : selector.lines) {
        const double difference = static_cast<double>(line->chosen) - Expected();
        sum += difference * difference / Expected();
      }
    }
    return sum;
  }

  // Applies the usual rule for when the statistic has its limit distribution.
  bool HasEnough() const {
    return parameters_.channels > 1 && Expected() >= 5;
  }

  // P(X >= f + 2 sqrt(f x) + 2 x) <= exp(-x) for chi-square with f degrees of freedom (Laurent and
  // Massart, 2000, lemma 1); x = 30.
  double LargestCredible() const {
    constexpr double kX = 30;
    return Freedom() + 2 * std::sqrt(Freedom() * kX) + 2 * kX;
  }

  const SelectParameters parameters_;
  std::vector<Selector> selectors_;  // each used by its fiber
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<SelectWorkload, SelectParameters> kSelect{{
    .name = "select",
    .doc = "fibers select from channels that are all ready; measures the fairness of the choice",
    .operation = "select",
    .metrics = kSelectMetrics,
    .presets = {{"smoke", "selects=1000"}, {"small", ""}, {"full", "channels=64,selects=250000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
