#include "base/atomic.hpp"
#include "config/schema_of.hpp"
#include "executors/submit.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::workloads {

namespace {

using executors::SchedulerHint;

struct StarveLifoParameters {
  // clang-format off
  config::Field<"waits", 1000U, config::Range{1U, 10000000U}, "Waits of the third task"> waits;
  config::Field<"patience", 16U, config::Range{1U, 1000000U},
      "Millions of hand-overs after which the third task counts as starved"> patience;
  // clang-format on
};

constexpr std::array kStarveLifoMetrics{
    registry::Metric{"handovers_mean", "hand-overs", registry::Better::kLower,
                     "Hand-overs between the two tasks before the third ran: mean"},
    registry::Metric{"handovers_max", "hand-overs", registry::Better::kLower,
                     "Hand-overs between the two tasks before the third ran: maximum"},
};

// Two tasks, the players, submit each other with the hint Next, while a third one waits in the
// local queue of their worker: with an unlimited LIFO slot it would never run. One operation is one
// wait of the third task. A wait: a task submits the third, and then the first player with the hint
// Next. Players continue until they see that the third has run. The wait is over when the third and
// the players have ended; the last of them begins the next wait. `patience` ends the round if the
// third starves.
class StarveLifo final : public registry::IWorkload {
 public:
  explicit StarveLifo(const StarveLifoParameters& parameters)
      : patience_(parameters.patience * std::uint64_t{1000000}),
        waits_(parameters.waits) {
  }

  void Prepare() override {
    std::ranges::fill(waits_, Wait{});
    begun_ = 0;
    starved_ = false;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    executor_ = &scheduler;
    done_.Add(1);
    executors::Submit(scheduler, [this] { BeginWait(); });
    done_.Wait();
    return begun_;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (starved_ && i + 1 == begun_) {
        return fmt::format("the third task did not run in wait {} while {} hand-overs were made", i,
                           waits_[i].handovers);
      }
      if (waits_[i].runs != 1) {
        return fmt::format("the third task ran {} times in wait {}", waits_[i].runs, i);
      }
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    double sum = 0;
    std::uint64_t most = 0;
    for (const Wait& wait : waits_) {
      sum += static_cast<double>(wait.handovers);
      most = std::max(most, wait.handovers);
    }
    return {sum / static_cast<double>(waits_.size()), static_cast<double>(most)};
  }

 private:
  // The third task writes it.
  struct Wait {
    std::uint64_t handovers = 0;
    std::uint32_t runs = 0;
  };

  class Player final : public executors::TaskBase {
   public:
    Player(StarveLifo& owner, Player& other)
        : owner_(owner),
          other_(other) {
    }

    void Run() noexcept override {
      owner_.Turn(other_);
    }

   private:
    StarveLifo& owner_;
    Player& other_;
  };

  class Third final : public executors::TaskBase {
   public:
    explicit Third(StarveLifo& owner)
        : owner_(owner) {
    }

    void Run() noexcept override {
      Wait& wait = owner_.waits_[owner_.begun_ - 1];
      ++wait.runs;
      // relaxed: a recent number, which is exact if all are on one worker.
      wait.handovers = owner_.handovers_.Load(memory_order_relaxed);
      owner_.third_ran_.Store(true, memory_order_relaxed);
      owner_.EndPart();
    }

   private:
    StarveLifo& owner_;
  };

  // Called by a task of the executor after the last wait.
  void BeginWait() noexcept {
    ++begun_;
    parts_left_.Store(2, memory_order_relaxed);
    handovers_.Store(0, memory_order_relaxed);
    third_ran_.Store(false, memory_order_relaxed);
    executor_->Submit(&third_, SchedulerHint::UpToYou);
    executor_->Submit(&first_, SchedulerHint::Next);
  }

  // The run of a player; the players take turns.
  void Turn(Player& other) noexcept {
    const std::uint64_t handovers = handovers_.Load(memory_order_relaxed);
    if (third_ran_.Load(memory_order_relaxed)) {
      EndPart();
    } else if (handovers >= patience_) {
      starved_ = true;
      EndPart();
    } else {
      handovers_.Store(handovers + 1, memory_order_relaxed);
      executor_->Submit(&other, SchedulerHint::Next);
    }
  }

  // Ends the part of the players or of the third.
  void EndPart() noexcept {
    // acq_rel: pairs with itself: the last part sees all effects of the other.
    if (parts_left_.FetchSub(1, memory_order_acq_rel) != 1) {
      return;
    }
    if (starved_ || begun_ == waits_.size()) {
      done_.Done();
    } else {
      BeginWait();
    }
  }

  const std::uint64_t patience_;
  executors::IExecutor* executor_ = nullptr;
  Player first_{*this, second_};
  Player second_{*this, first_};
  Third third_{*this};
  std::vector<Wait> waits_;
  // Plain data: the task that begins or ends a wait writes them.
  std::uint64_t begun_ = 0;
  bool starved_ = false;
  // In this wait; the player with the turn writes it. relaxed: the submits order it.
  Atomic<std::uint64_t> handovers_{0};
  Atomic<bool> third_ran_{false};        // in this wait; relaxed: a late player hands over again
  Atomic<std::uint32_t> parts_left_{0};  // relaxed: ordered by the submits
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<StarveLifo, StarveLifoParameters> kStarveLifo{{
    .name = "starve_lifo",
    .doc = "two tasks submit each other with the hint Next while a third task waits",
    .operation = "wait",
    .metrics = kStarveLifoMetrics,
    .presets = {{"smoke", "waits=100"}, {"small", "waits=100000"}, {"full", "waits=1000000"}},
    .spawns_vary = true,  // two tasks hand over until the third has run
}};

}  // namespace

}  // namespace schedbench::workloads
