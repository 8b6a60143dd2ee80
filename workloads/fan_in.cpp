#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct FanInParameters {
  // clang-format off
  config::Field<"producers", 8U, config::Range{1U, 100000U},
      "Fibers that send, each over a channel of its own"> producers;
  config::Field<"messages", 20000U, config::Range{1U, 1000000000U},
      "Messages of each producer"> messages;
  config::Field<"capacity", 0U, config::Range{0U, 100000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  // clang-format on
};

// Many producers, and a consumer that selects from their channels. One operation is one message.
class FanIn final : public registry::IWorkload {
 public:
  explicit FanIn(const FanInParameters& parameters)
      : parameters_(parameters),
        lines_(CheckedCount("fan_in:producers", "producers with a channel", parameters.producers,
                            Fibers::kBytesPerFiber + sizeof(Line) +
                                parameters.capacity * sizeof(std::optional<std::uint64_t>))) {
  }

  void Prepare() override {
    cases_.clear();
    for (auto& line : lines_) {
      line = std::make_unique<Line>(parameters_.capacity);
      cases_.push_back(&line->receive);
    }
    by_case_.clear();
    for (auto& line : lines_) {
      by_case_.push_back(line.get());
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(lines_.size() + 1);
    for (const auto& owner : lines_) {
      fibers::Go(scheduler, [this, line = owner.get()] {
        for (std::uint64_t number = 0; number < parameters_.messages; ++number) {
          line->channel.Send(number);
        }
        line->channel.Close();
        done_.Done();
      });
    }
    fibers::Go(scheduler, [this] {
      ReceiveAll();
      done_.Done();
    });
    done_.Wait();
    return lines_.size() * std::uint64_t{parameters_.messages};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = *lines_[i];
      if (line.received != parameters_.messages) {
        return fmt::format("{} messages of {} were received from producer {}", line.received,
                           parameters_.messages.value, i);
      }
      if (line.wrong != 0) {
        return fmt::format("{} messages of producer {} came out of order", line.wrong, i);
      }
    }
    return "";
  }

 private:
  struct Line {
    explicit Line(std::size_t capacity)
        : channel(capacity),
          receive(channel) {
    }

    fibers::Channel<std::uint64_t> channel;
    // The consumer uses these.
    fibers::ReceiveCase<std::uint64_t> receive;
    std::uint64_t received = 0;
    std::uint64_t wrong = 0;
  };

  void ReceiveAll() {
    std::size_t open = cases_.size();
    while (open > 0) {
      const std::size_t fired =
          fibers::Select(std::span<fibers::SelectCase* const>(cases_).first(open));
      Line& line = *by_case_[fired];
      const auto& number = line.receive.Value();
      if (number) {
        line.wrong += *number == line.received ? 0 : 1;
        ++line.received;
        continue;
      }
      // A closed channel is always ready: it leaves the choice.
      --open;
      cases_[fired] = cases_[open];
      by_case_[fired] = by_case_[open];
    }
  }

  const FanInParameters parameters_;
  std::vector<std::unique_ptr<Line>> lines_;  // line of each producer
  // The lines from which the consumer selects: the case of by_case_[i] is cases_[i].
  std::vector<fibers::SelectCase*> cases_;
  std::vector<Line*> by_case_;
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<FanIn, FanInParameters> kFanIn{{
    .name = "fan_in",
    .doc = "one fiber selects from the channels of many producers",
    .operation = "message",
    .presets = {{"smoke", "messages=100"}, {"small", ""}, {"full", "messages=1000000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
