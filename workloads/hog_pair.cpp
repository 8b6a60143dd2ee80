#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/one_thread.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

namespace {

struct HogPairParameters {
  // clang-format off
  config::Field<"turns", 150U, config::Range{2U, 1000000U}, "Turns of the heavy pair; the round "
      "ends earlier if the light pair has counted as much by then"> turns;
  config::Field<"heavy", 1000000U, config::Range{1U, 1000000000U},
      "Increments in a turn of the heavy pair"> heavy;
  config::Field<"light", 1000U, config::Range{1U, 1000000000U},
      "Increments in a turn of the light pair"> light;
  // clang-format on
};

constexpr std::array kHogPairMetrics{
    registry::Metric{
        "turn_ratio", "x", registry::Better::kNone,
        "Turns of the light pair, divided by those of the heavy pair; 1 if the pairs take turns"},
    registry::Metric{"increment_ratio", "x", registry::Better::kLower,
                     "Increments of the heavy pair, divided by those of the light pair; 1 if the "
                     "scheduler divides CPU time equally, heavy/light if the pairs take turns"},
};

// Two pairs of fibers: the fibers of a pair wake each other in turn, and count in each turn, one
// pair much longer than the other. It is the test PingPongHog of Go's runtime. One operation is a
// turn of the heavy pair, or an equal number of increments of the light pair if that ends the
// round: each round has the same number.
class HogPair final : public registry::IWorkload {
 public:
  explicit HogPair(const HogPairParameters& parameters)
      : turns_(parameters.turns),
        pairs_{Pair(parameters.heavy, std::uint64_t{parameters.turns} * parameters.heavy),
               Pair(parameters.light, std::uint64_t{parameters.turns} * parameters.heavy)} {
  }

  void Prepare() override {
    is_over_.Store(false, memory_order_relaxed);
    for (Pair& pair : pairs_) {
      pair.turns = 0;
      pair.increments = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    one_thread_.Begin(scheduler);
    done_.Add(2 * pairs_.size());
    // A fiber starts them, so that a single worker runs none before all are started.
    Fibers::Go(scheduler, [this, &scheduler] {
      one_thread_.Note();  // on another thread the first pair would begin alone
      for (Pair& pair : pairs_) {
        Fibers::Go(scheduler, [this, &pair] {
          while (TakeTurn(pair)) {
            pair.there.Send(true);
            if (!pair.back.Receive()) {
              done_.Done();
              return;
            }
          }
          pair.there.Send(false);
          done_.Done();
        });
        Fibers::Go(scheduler, [this, &pair] {
          while (pair.there.Receive()) {
            if (!TakeTurn(pair)) {
              pair.back.Send(false);
              break;
            }
            pair.back.Send(true);
          }
          done_.Done();
        });
      }
    });
    done_.Wait();
    return turns_;
  }

  std::string Verify() override {
    for (const Pair& pair : pairs_) {
      const std::string_view name = &pair == pairs_.data() ? "heavy" : "light";
      if (pair.increments != pair.turns * pair.increments_per_turn) {
        return fmt::format("the {} pair counted {} increments in {} turns of {}", name,
                           pair.increments, pair.turns, pair.increments_per_turn);
      }
    }
    if (pairs_[0].turns != pairs_[0].most_turns && pairs_[1].turns != pairs_[1].most_turns) {
      return fmt::format("the round ended after {} turns of {} and {} of {}", pairs_[0].turns,
                         pairs_[0].most_turns, pairs_[1].turns, pairs_[1].most_turns);
    }
    if (one_thread_.Holds() && std::max(pairs_[0].turns, pairs_[1].turns) >= kEnoughTurns &&
        (2 * pairs_[0].turns < pairs_[1].turns || 2 * pairs_[1].turns < pairs_[0].turns)) {
      return fmt::format(
          "on one worker, the heavy pair had {} turns and the light pair {}: one had more than "
          "twice as many as the other",
          pairs_[0].turns, pairs_[1].turns);
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    // A pair without a turn counts as one with one turn, so that the ratios are numbers.
    const auto heavy = static_cast<double>(std::max<std::uint64_t>(pairs_[0].turns, 1));
    const auto light = static_cast<double>(std::max<std::uint64_t>(pairs_[1].turns, 1));
    return {light / heavy, heavy * static_cast<double>(pairs_[0].increments_per_turn) /
                               (light * static_cast<double>(pairs_[1].increments_per_turn))};
  }

 private:
  // Below this number, a worker that picks tasks at random may exceed the bound by chance; with it
  // the probability is below 10^-5 per round.
  static constexpr std::uint64_t kEnoughTurns = 128;

  struct alignas(kCacheLine) Pair {
    Pair(std::uint64_t each_turn, std::uint64_t increments_of_round)
        : increments_per_turn(each_turn),
          most_turns((increments_of_round + each_turn - 1) / each_turn) {
    }

    const std::uint64_t increments_per_turn;
    const std::uint64_t most_turns;  // the round ends with the last of them
    Fibers::Channel<bool> there{0};  // false: the round is over
    Fibers::Channel<bool> back{0};
    // The fiber with the turn writes these.
    std::uint64_t turns = 0;
    std::uint64_t increments = 0;
  };

  // Takes a turn. Returns false, without one, when the round is over.
  bool TakeTurn(Pair& pair) {
    one_thread_.Note();
    if (is_over_.Load(memory_order_relaxed)) {
      return false;
    }
    std::uint64_t count = pair.increments;
    for (std::uint64_t i = 0; i < pair.increments_per_turn; ++i) {
      ++count;
      // Hides the value from the compiler, which would add all at once.
      asm volatile("" : "+r"(count));
    }
    pair.increments = count;
    if (++pair.turns == pair.most_turns) {
      is_over_.Store(true, memory_order_relaxed);
    }
    return true;
  }

  const std::uint64_t turns_;
  std::array<Pair, 2> pairs_;    // heavy, light
  Atomic<bool> is_over_{false};  // relaxed: a pair that sees it late has another turn
  OneThread one_thread_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<HogPair, HogPairParameters> kHogPair{{
    .name = "hog_pair",
    .doc = "two pairs of fibers take turns, one with a thousand times as much work",
    .operation = "turn",
    .metrics = kHogPairMetrics,
    .presets = {{"smoke", "turns=20,heavy=100000"}, {"small", ""}, {"full", "turns=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads
