#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/wait_group.hpp"
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

struct CourseChannelsParameters {
  // clang-format off
  config::Field<"fibers", 50U, config::Range{1U, 1000000U}, "Producers, and consumers"> fibers;
  config::Field<"messages", 10000U, config::Range{1U, 1000000000U},
      "Messages that each producer sends and each consumer receives"> messages;
  config::Field<"first_capacity", 7U, config::Range{1U, 1000000U},
      "Capacity of the first channel"> first_capacity;
  config::Field<"second_capacity", 9U, config::Range{1U, 1000000U},
      "Capacity of the second channel"> second_capacity;
  // clang-format on
};

// From the Scalable Scheduler task: two channels get messages in turn, and receivers select from
// both. One operation is one message.
class CourseChannels final : public registry::IWorkload {
 public:
  explicit CourseChannels(const CourseChannelsParameters& parameters)
      : parameters_(parameters),
        received_(CheckedCount("course_channels:fibers", "producers and consumers",
                               parameters.fibers,
                               2 * Fibers::kBytesPerFiber + sizeof(MessageSum))) {
    for (std::uint64_t message = 0; message < Messages(); ++message) {
      right_.Add(message);
    }
  }

  void Prepare() override {
    std::ranges::fill(received_, MessageSum{});
    first_.emplace(parameters_.first_capacity);
    second_.emplace(parameters_.second_capacity);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(2 * received_.size());
    for (std::uint64_t i = 0; i < received_.size(); ++i) {
      fibers::Go(scheduler, [this, begin = i * parameters_.messages] {
        for (std::uint32_t sent = 0; sent < parameters_.messages; ++sent) {
          (sent % 2 == 0 ? *first_ : *second_).Send(begin + sent);
        }
        done_.Done();
      });
    }
    for (MessageSum& received : received_) {
      fibers::Go(scheduler, [this, &received] {
        received = ReceiveFromBoth();
        done_.Done();
      });
    }
    done_.Wait();
    return Messages();
  }

  std::string Verify() override {
    MessageSum all;
    for (const MessageSum& received : received_) {
      all.Add(received);
    }
    return all.Against(right_);
  }

 private:
  using Channel = fibers::Channel<std::uint64_t>;

  MessageSum ReceiveFromBoth() {
    fibers::ReceiveCase from_first(*first_);
    fibers::ReceiveCase from_second(*second_);
    MessageSum received;
    for (std::uint32_t i = 0; i < parameters_.messages; ++i) {
      const std::size_t fired = fibers::Select(from_first, from_second);
      received.Add(*(fired == 0 ? from_first : from_second).Value());
    }
    return received;
  }

  std::uint64_t Messages() const {
    return std::uint64_t{parameters_.fibers} * parameters_.messages;
  }

  const CourseChannelsParameters parameters_;
  MessageSum right_;                  // what all consumers together must receive
  std::vector<MessageSum> received_;  // each written by its consumer at its end
  std::optional<Channel> first_;
  std::optional<Channel> second_;
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<CourseChannels, CourseChannelsParameters> kCourseChannels{{
    .name = "course_channels",
    .doc = "Scalable Scheduler task: producers send to two channels in turn, consumers select from "
           "both",
    .operation = "message",
    .presets = {{"smoke", "fibers=10,messages=100"}, {"small", ""}, {"full", "messages=100500"}},
}};

}  // namespace

}  // namespace schedbench::workloads
