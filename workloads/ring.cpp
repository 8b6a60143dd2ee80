#include "config/problems.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct RingParameters {
  // clang-format off
  config::Field<"fibers", 503U, config::Range{2U, 10000000U}, "Fibers in the ring"> fibers;
  config::Field<"tokens", 1U, config::Range{1U, 1000000000U},
      "Tokens that travel at the same time"> tokens;
  config::Field<"hops", 300000U, config::Range{1U, 1000000000U},
      "Hops of each token from one fiber to the next"> hops;
  config::Field<"capacity", 0U, config::Range{0U, 1000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  // clang-format on

  // Returns the limit of tokens. With more, no fiber could send if all hold one and channels are
  // full.
  static std::uint64_t MostTokens(const RingParameters& parameters) {
    return parameters.fibers * (std::uint64_t{parameters.capacity} + 1) - 1;
  }

  static void Check(const RingParameters& parameters, config::Problems& problems) {
    if (parameters.tokens > MostTokens(parameters)) {
      problems.Add("tokens", fmt::format("a ring with fibers={},capacity={} is full with more than "
                                         "{} tokens: no fiber could send",
                                         parameters.fibers.value, parameters.capacity.value,
                                         MostTokens(parameters)));
    }
  }
};

// Fibers in a circle, each with a channel to the next, pass tokens on. One operation is one hop.
class Ring final : public registry::IWorkload {
 public:
  explicit Ring(const RingParameters& parameters)
      : parameters_(parameters),
        channels_(CheckedCount("ring:fibers", "fibers with a channel", parameters.fibers,
                               Fibers::kBytesPerFiber + sizeof(Channel) +
                                   parameters.capacity * sizeof(std::optional<Token>))),
        ends_(CheckedCount("ring:tokens", "tokens", parameters.tokens, sizeof(End))) {
  }

  void Prepare() override {
    for (auto& channel : channels_) {
      channel = std::make_unique<Channel>(parameters_.capacity);
    }
    std::ranges::fill(ends_, End{});
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    tokens_left_.Add(ends_.size());
    fibers_left_.Add(channels_.size());
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      Fibers::Go(scheduler, [this, i] {
        PassTokens(i);
        fibers_left_.Done();
      });
    }
    tokens_left_.Wait();
    for (const auto& channel : channels_) {
      channel->Close();
    }
    fibers_left_.Wait();
    return ends_.size() * std::uint64_t{parameters_.hops};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const std::uint64_t right = (i + parameters_.hops) % channels_.size();
      if (ends_[i].arrivals != 1 || ends_[i].fiber != right) {
        return fmt::format(
            "token {} ended {} times, the last time at fiber {}, not once at fiber {}", i,
            ends_[i].arrivals, ends_[i].fiber, right);
      }
    }
    return "";
  }

 private:
  struct Token {
    std::uint32_t id;
    std::uint32_t hops_left;
  };
  using Channel = Fibers::Channel<Token>;

  // The end of a token; the last fiber writes it.
  struct End {
    std::uint32_t fiber = 0;
    std::uint32_t arrivals = 0;
  };

  void PassTokens(std::uint32_t self) {
    const auto fibers = static_cast<std::uint32_t>(channels_.size());
    Channel& from = *channels_[self];
    Channel& to = *channels_[(self + 1) % fibers];
    for (std::uint64_t id = self; id < ends_.size(); id += fibers) {
      to.Send({static_cast<std::uint32_t>(id), parameters_.hops - 1});
    }
    while (const auto token = from.ReceiveOrClosed()) {
      if (token->hops_left > 0) {
        to.Send({token->id, token->hops_left - 1});
        continue;
      }
      End& end = ends_[token->id];
      end.fiber = self;
      if (++end.arrivals == 1) {
        tokens_left_.Done();
      }
    }
  }

  const RingParameters parameters_;
  std::vector<std::unique_ptr<Channel>> channels_;  // channel to each fiber
  std::vector<End> ends_;                           // end of each token
  Fibers::WaitGroup tokens_left_;
  Fibers::WaitGroup fibers_left_;
};

const registry::RegistrationOf<Ring, RingParameters> kRing{{
    .name = "ring",
    .doc = "fibers in a circle pass tokens to each other over channels",
    .operation = "hop",
    .presets = {{"smoke", "fibers=50,hops=500"}, {"small", ""}, {"full", "hops=50000000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
