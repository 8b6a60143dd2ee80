#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "executors/hint.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The hint for a fiber that a message resumes.
enum class Wake : std::uint8_t { kNone, kNext };

constexpr std::array<std::string_view, 2> NamesOf(Wake) {
  return {"none", "next"};
}

namespace {

struct PingPongParameters {
  // clang-format off
  config::Field<"pairs", 64U, config::Range{1U, 1000000U}, "Pairs of fibers"> pairs;
  config::Field<"rounds", 10000U, config::Range{1U, 1000000000U},
      "Round trips of each pair"> rounds;
  config::Field<"capacity", 0U, config::Range{0U, 1000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  config::Field<"hint", Wake::kNone, config::AnyOf{}, "Hint for the fiber that a message resumes: "
      "none (it goes to the queue) or next (to the LIFO slot)"> hint;
  // clang-format on
};

// Each pair sends a number there and back; the far end adds one. One operation is one round trip.
class PingPong final : public registry::IWorkload {
 public:
  explicit PingPong(const PingPongParameters& parameters)
      : parameters_(parameters) {
    const executors::SchedulerHint wake = parameters.hint == Wake::kNext
                                              ? executors::SchedulerHint::Next
                                              : executors::SchedulerHint::UpToYou;
    CheckedCount("pingpong:pairs", "pairs of fibers", parameters.pairs,
                 2 * (Fibers::kBytesPerFiber + parameters.capacity * sizeof(std::uint64_t)));
    for (std::uint32_t i = 0; i < parameters.pairs; ++i) {
      pairs_.push_back(std::make_unique<Pair>(parameters.capacity, wake));
    }
  }

  void Prepare() override {
    for (const auto& pair : pairs_) {
      pair->answer = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint32_t rounds = parameters_.rounds;
    done_.Add(2 * pairs_.size());
    for (const auto& owner : pairs_) {
      Pair* const pair = owner.get();
      Fibers::Go(scheduler, [this, pair, rounds] {
        std::uint64_t number = 0;
        for (std::uint32_t i = 0; i < rounds; ++i) {
          pair->there.Send(number);
          number = pair->back.Receive();
        }
        pair->answer = number;
        done_.Done();
      });
      Fibers::Go(scheduler, [this, pair, rounds] {
        for (std::uint32_t i = 0; i < rounds; ++i) {
          pair->back.Send(pair->there.Receive() + 1);
        }
        done_.Done();
      });
    }
    done_.Wait();
    return std::uint64_t{parameters_.pairs} * rounds;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i]->answer != parameters_.rounds) {
        return "pair " + std::to_string(i) + " counted " + std::to_string(pairs_[i]->answer) +
               " round trips of " + std::to_string(parameters_.rounds.value);
      }
    }
    return "";
  }

 private:
  struct alignas(kCacheLine) Pair {
    Pair(std::size_t capacity, executors::SchedulerHint wake)
        : there(capacity, wake),
          back(capacity, wake) {
    }

    Fibers::Channel<std::uint64_t> there;
    Fibers::Channel<std::uint64_t> back;
    std::uint64_t answer = 0;  // written by the near end, read after the round
  };

  const PingPongParameters parameters_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<PingPong, PingPongParameters> kPingPong{{
    .name = "pingpong",
    .doc = "pairs of fibers send a number back and forth over two channels",
    .operation = "round trip",
    .presets = {{"smoke", "pairs=8,rounds=50"}, {"small", "rounds=5000"}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads
