#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/message_sum.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct ChannelMpmcParameters {
  // clang-format off
  config::Field<"producers", 4U, config::Range{1U, 1000000U}, "Fibers that send"> producers;
  config::Field<"consumers", 4U, config::Range{1U, 1000000U}, "Fibers that receive"> consumers;
  config::Field<"messages", 200000U, config::Range{1U, 1000000000U},
      "Messages that all producers send together"> messages;
  config::Field<"capacity", 64U, config::Range{0U, 100000000U},
      "Capacity of the channel; 0 = a sender waits for a receiver"> capacity;
  // clang-format on
};

// Many producers and consumers share a channel, closed at the end. One operation is one message.
class ChannelMpmc final : public registry::IWorkload {
 public:
  explicit ChannelMpmc(const ChannelMpmcParameters& parameters)
      : parameters_(parameters),
        consumers_(CheckedCount("channel_mpmc:consumers", "suspended fibers", parameters.consumers,
                                Fibers::kBytesPerFiber)) {
    CheckedCount("channel_mpmc:producers", "suspended fibers", parameters.producers,
                 Fibers::kBytesPerFiber);
    CheckedCount("channel_mpmc:capacity", "messages in a buffer", parameters.capacity,
                 sizeof(std::optional<std::uint64_t>));
    for (std::uint64_t message = 0; message < parameters.messages; ++message) {
      right_.Add(message);
    }
  }

  void Prepare() override {
    std::ranges::fill(consumers_, MessageSum{});
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    Fibers::Channel<std::uint64_t> channel(parameters_.capacity);
    producing_.Add(parameters_.producers);
    consuming_.Add(parameters_.consumers);
    for (std::uint64_t i = 0; i < parameters_.producers; ++i) {
      Fibers::Go(scheduler, [this, &channel, begin = FirstOf(i), end = FirstOf(i + 1)] {
        for (std::uint64_t message = begin; message < end; ++message) {
          channel.Send(message);
        }
        producing_.Done();
      });
    }
    for (MessageSum& consumer : consumers_) {
      Fibers::Go(scheduler, [this, &channel, &consumer] {
        MessageSum received;
        while (const auto message = channel.ReceiveOrClosed()) {
          received.Add(*message);
        }
        consumer = received;
        consuming_.Done();
      });
    }
    producing_.Wait();
    channel.Close();
    consuming_.Wait();
    return parameters_.messages;
  }

  std::string Verify() override {
    MessageSum all;
    for (const MessageSum& consumer : consumers_) {
      all.Add(consumer);
    }
    return all.Against(right_);
  }

 private:
  // Returns producer `i`'s first message. Two producers' numbers of messages differ by at most one.
  std::uint64_t FirstOf(std::uint64_t i) const {
    return std::uint64_t{parameters_.messages} * i / parameters_.producers;
  }

  const ChannelMpmcParameters parameters_;
  MessageSum right_;                   // what all consumers together must receive
  std::vector<MessageSum> consumers_;  // each written by its consumer at its end
  Fibers::WaitGroup producing_;
  Fibers::WaitGroup consuming_;
};

const registry::RegistrationOf<ChannelMpmc, ChannelMpmcParameters> kChannelMpmc{{
    .name = "channel_mpmc",
    .doc = "many producers and many consumers on one channel",
    .operation = "message",
    .presets = {{"smoke", "messages=1000"},
                {"small", "messages=1000000"},
                {"full", "messages=10000000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
