#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct PipelineParameters {
  // clang-format off
  config::Field<"pipelines", 1U, config::Range{1U, 1000000U},
      "Pipelines that are independent of each other"> pipelines;
  config::Field<"stages", 8U, config::Range{1U, 1000000U},
      "Fibers of a pipeline between its source and its end"> stages;
  config::Field<"messages", 200000U, config::Range{1U, 1000000000U},
      "Messages through each pipeline"> messages;
  config::Field<"capacity", 64U, config::Range{0U, 100000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  // clang-format on
};

// A source sends numbers through a chain of fibers that add one. One operation is one message.
class PipelineWorkload final : public registry::IWorkload {
 public:
  explicit PipelineWorkload(const PipelineParameters& parameters)
      : parameters_(parameters),
        pipelines_(parameters.pipelines) {
    CheckedCount(
        "pipeline:stages", "stages of each pipeline", parameters.stages,
        parameters.pipelines * (Fibers::kBytesPerFiber + sizeof(Channel) +
                                parameters.capacity * sizeof(std::optional<std::uint64_t>)));
  }

  void Prepare() override {
    for (Pipeline& pipeline : pipelines_) {
      pipeline.channels.resize(std::size_t{parameters_.stages} + 1);
      for (auto& channel : pipeline.channels) {
        channel = std::make_unique<Channel>(parameters_.capacity);
      }
      pipeline.received = 0;
      pipeline.wrong = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(pipelines_.size() * (std::uint64_t{parameters_.stages} + 2));
    for (Pipeline& pipeline : pipelines_) {
      Fibers::Go(scheduler, [this, &pipeline] {
        Channel& to = *pipeline.channels.front();
        for (std::uint64_t number = 0; number < parameters_.messages; ++number) {
          to.Send(number);
        }
        to.Close();
        done_.Done();
      });
      for (std::uint32_t i = 0; i < parameters_.stages; ++i) {
        Fibers::Go(scheduler, [this, &from = *pipeline.channels[i],
                               &to = *pipeline.channels[std::size_t{i} + 1]] {
          while (const auto number = from.ReceiveOrClosed()) {
            to.Send(*number + 1);
          }
          to.Close();
          done_.Done();
        });
      }
      Fibers::Go(scheduler, [this, &pipeline] {
        ReceiveAll(pipeline);
        done_.Done();
      });
    }
    done_.Wait();
    return pipelines_.size() * std::uint64_t{parameters_.messages};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < pipelines_.size(); ++i) {
      const Pipeline& pipeline = pipelines_[i];
      if (pipeline.received != parameters_.messages) {
        return fmt::format("{} messages of {} came through pipeline {}", pipeline.received,
                           parameters_.messages.value, i);
      }
      if (pipeline.wrong != 0) {
        return fmt::format("{} messages of pipeline {} came out of order or left out a stage",
                           pipeline.wrong, i);
      }
    }
    return "";
  }

 private:
  using Channel = Fibers::Channel<std::uint64_t>;

  struct Pipeline {
    std::vector<std::unique_ptr<Channel>> channels;  // channels to each stage, and to the end
    // The fiber at the end writes these.
    std::uint64_t received = 0;
    std::uint64_t wrong = 0;
  };

  void ReceiveAll(Pipeline& pipeline) const {
    std::uint64_t received = 0;
    std::uint64_t wrong = 0;
    while (const auto number = pipeline.channels.back()->ReceiveOrClosed()) {
      wrong += *number == received + parameters_.stages ? 0 : 1;
      ++received;
    }
    pipeline.received = received;
    pipeline.wrong = wrong;
  }

  const PipelineParameters parameters_;
  std::vector<Pipeline> pipelines_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<PipelineWorkload, PipelineParameters> kPipeline{{
    .name = "pipeline",
    .doc = "messages pass through a chain of fibers over channels",
    .operation = "message",
    .presets = {{"smoke", "messages=200"}, {"small", ""}, {"full", "messages=10000000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
