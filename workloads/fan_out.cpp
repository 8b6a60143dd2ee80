#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/message_sum.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The choice of a message's consumer.
enum class Recipient : std::uint8_t { kNext, kReady };

constexpr std::array<std::string_view, 2> NamesOf(Recipient) {
  return {"next", "ready"};
}

namespace {

struct FanOutParameters {
  // clang-format off
  config::Field<"consumers", 8U, config::Range{1U, 100000U},
      "Fibers that receive, each over a channel of its own"> consumers;
  config::Field<"messages", 500000U, config::Range{1U, 1000000000U},
      "Messages to all consumers together"> messages;
  config::Field<"capacity", 0U, config::Range{0U, 100000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  config::Field<"recipient", Recipient::kNext, config::AnyOf{}, "To which consumer a message goes: "
      "next (in turn) or ready (selected from those that can receive it)"> recipient;
  // clang-format on
};

// One producer, and many consumers with channels of their own. One operation is one message.
class FanOut final : public registry::IWorkload {
 public:
  explicit FanOut(const FanOutParameters& parameters)
      : parameters_(parameters),
        lines_(CheckedCount("fan_out:consumers", "consumers with a channel", parameters.consumers,
                            Fibers::kBytesPerFiber + sizeof(Line) +
                                parameters.capacity * sizeof(std::optional<std::uint64_t>))) {
    for (std::uint64_t message = 0; message < parameters.messages; ++message) {
      right_.Add(message);
    }
  }

  void Prepare() override {
    cases_.clear();
    for (auto& line : lines_) {
      line = std::make_unique<Line>(parameters_.capacity);
      cases_.push_back(&line->send);
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(lines_.size() + 1);
    for (const auto& owner : lines_) {
      fibers::Go(scheduler, [this, line = owner.get()] {
        MessageSum received;
        while (const auto message = line->channel.ReceiveOrClosed()) {
          received.Add(*message);
        }
        line->received = received;
        done_.Done();
      });
    }
    fibers::Go(scheduler, [this] {
      if (parameters_.recipient == Recipient::kNext) {
        SendInTurn();
      } else {
        SendToReady();
      }
      for (const auto& line : lines_) {
        line->channel.Close();
      }
      done_.Done();
    });
    done_.Wait();
    return parameters_.messages;
  }

  std::string Verify() override {
    MessageSum all;
    for (const auto& line : lines_) {
      all.Add(line->received);
    }
    return all.Against(right_);
  }

 private:
  struct Line {
    explicit Line(std::size_t capacity)
        : channel(capacity),
          send(channel, 0) {
    }

    fibers::Channel<std::uint64_t> channel;
    fibers::SendCase<std::uint64_t> send;  // used by the producer
    MessageSum received;                   // written by the consumer at its end
  };

  void SendInTurn() {
    std::size_t turn = 0;
    for (std::uint64_t message = 0; message < parameters_.messages; ++message) {
      lines_[turn]->channel.Send(message);
      turn = turn + 1 == lines_.size() ? 0 : turn + 1;
    }
  }

  void SendToReady() {
    for (std::uint64_t message = 0; message < parameters_.messages; ++message) {
      for (const auto& line : lines_) {
        line->send.Set(message);
      }
      fibers::Select(std::span<fibers::SelectCase* const>(cases_));
    }
  }

  const FanOutParameters parameters_;
  MessageSum right_;                          // what all consumers together must receive
  std::vector<std::unique_ptr<Line>> lines_;  // line to each consumer
  std::vector<fibers::SelectCase*> cases_;    // case of each line
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<FanOut, FanOutParameters> kFanOut{{
    .name = "fan_out",
    .doc = "one producer sends to many consumers, in turn or to one that is ready",
    .operation = "message",
    .presets = {{"smoke", "messages=1000"}, {"small", ""}, {"full", "messages=10000000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
