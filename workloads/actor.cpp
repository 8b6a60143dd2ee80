#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "executors/strand.hpp"
#include "executors/task.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The receiver of the letters in a mailbox.
enum class Mailbox : std::uint8_t { kStrand, kFiber };

constexpr std::array<std::string_view, 2> NamesOf(Mailbox) {
  return {"strand", "fiber"};
}

namespace {

struct ActorParameters {
  // clang-format off
  config::Field<"actors", 1024U, config::Range{1U, 10000000U},
      "Actors, each with a mailbox and a state of its own"> actors;
  config::Field<"letters", 256U, config::Range{1U, 10000000U},
      "Letters that travel at the same time"> letters;
  config::Field<"deliveries", 3000U, config::Range{1U, 100000000U},
      "Deliveries of each letter, each to an actor that is drawn from the seed"> deliveries;
  config::Field<"mailbox", Mailbox::kStrand, config::AnyOf{}, "What an actor is: strand (a letter "
      "is a task) or fiber (it receives letters from a channel)"> mailbox;
  // clang-format on
};

// Actors: a letter changes its recipient's state and is sent on. One operation is one delivery.
class Actors final : public registry::IWorkload {
 public:
  Actors(const ActorParameters& parameters, std::uint64_t seed)
      : parameters_(parameters),
        actors_(
            CheckedCount("actor:actors", "actors", parameters.actors, BytesPerActor(parameters))),
        letters_(CheckedCount("actor:letters", "letters", parameters.letters, sizeof(Letter))),
        right_(parameters.actors) {
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      letters_[i].owner = this;
      letters_[i].first_route = DeriveSeed(seed, i);
      std::uint64_t route = letters_[i].first_route;
      for (std::uint32_t delivery = 0; delivery < parameters.deliveries; ++delivery) {
        right_[RecipientOf(route)].Add(route);
        route = MixSeed(route);
      }
    }
  }

  void Prepare() override {
    for (Actor& actor : actors_) {
      actor.state = {};
      if (parameters_.mailbox == Mailbox::kFiber) {
        // Channels have room for all letters, so waits for mailboxes cannot form a cycle.
        actor.channel = std::make_unique<Fibers::Channel<Letter*>>(letters_.size());
      }
    }
    for (Letter& letter : letters_) {
      letter.route = letter.first_route;
      letter.deliveries_left = parameters_.deliveries;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    letters_left_.Add(letters_.size());
    if (parameters_.mailbox == Mailbox::kStrand) {
      RunOnStrands(scheduler);
    } else {
      RunOnFibers(scheduler);
    }
    return letters_.size() * std::uint64_t{parameters_.deliveries};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      const State& state = actors_[i].state;
      if (state.letters != right_[i].letters || state.mixed != right_[i].mixed) {
        return fmt::format("actor {} received {} letters of {}{}", i, state.letters,
                           right_[i].letters,
                           state.letters == right_[i].letters ? ", of which some were others" : "");
      }
    }
    return "";
  }

 private:
  // Plain data: an actor handles one letter at a time.
  struct State {
    void Add(std::uint64_t route) noexcept {
      ++letters;
      mixed ^= route;
    }

    std::uint64_t letters = 0;
    std::uint64_t mixed = 0;
  };

  // A task of the strand of its next recipient, or a message to a fiber.
  struct Letter final : executors::TaskBase {
    void Run() noexcept override {
      owner->Deliver(*this);
    }

    Actors* owner = nullptr;
    std::uint64_t first_route = 0;
    std::uint64_t route = 0;  // a random number, which determines the recipient and the next route
    std::uint64_t deliveries_left = 0;
  };

  struct alignas(kCacheLine) Actor {
    State state;
    std::optional<executors::Strand> strand;
    std::unique_ptr<Fibers::Channel<Letter*>> channel;
  };

  static std::uint64_t BytesPerActor(const ActorParameters& parameters) {
    const std::uint64_t bytes = sizeof(Actor) + sizeof(State);
    return parameters.mailbox == Mailbox::kStrand
               ? bytes + Fibers::kBytesPerQueued
               : bytes + Fibers::kBytesPerFiber +
                     parameters.letters * sizeof(std::optional<Letter*>);
  }

  void RunOnStrands(executors::IExecutor& executor) {
    for (Actor& actor : actors_) {
      actor.strand.emplace(executor);
    }
    for (Letter& letter : letters_) {
      Send(letter);
    }
    letters_left_.Wait();
    for (Actor& actor : actors_) {
      actor.strand.reset();
    }
  }

  void RunOnFibers(executors::IExecutor& executor) {
    fibers_left_.Add(actors_.size());
    for (Actor& actor : actors_) {
      Fibers::Go(executor, [this, &actor] {
        while (const auto letter = actor.channel->ReceiveOrClosed()) {
          Deliver(**letter);
        }
        fibers_left_.Done();
      });
    }
    Fibers::Go(executor, [this] {
      for (Letter& letter : letters_) {
        Send(letter);
      }
    });
    letters_left_.Wait();
    for (const Actor& actor : actors_) {
      actor.channel->Close();
    }
    fibers_left_.Wait();
  }

  std::size_t RecipientOf(std::uint64_t route) const noexcept {
    return route % parameters_.actors;
  }

  void Send(Letter& letter) {
    Actor& recipient = actors_[RecipientOf(letter.route)];
    if (parameters_.mailbox == Mailbox::kStrand) {
      recipient.strand->Submit(&letter, executors::SchedulerHint::UpToYou);
    } else {
      recipient.channel->Send(&letter);
    }
  }

  // Called by the recipient, one letter at a time.
  void Deliver(Letter& letter) {
    actors_[RecipientOf(letter.route)].state.Add(letter.route);
    letter.route = MixSeed(letter.route);
    if (--letter.deliveries_left == 0) {
      letters_left_.Done();
    } else {
      Send(letter);
    }
  }

  const ActorParameters parameters_;
  std::vector<Actor> actors_;
  std::vector<Letter> letters_;
  std::vector<State> right_;  // expected final state of each actor
  Fibers::WaitGroup letters_left_;
  Fibers::WaitGroup fibers_left_;
};

const registry::RegistrationOf<Actors, ActorParameters> kActor{{
    .name = "actor",
    .doc = "actors with mailboxes send letters to each other",
    .operation = "delivery",
    .presets = {{"smoke", "actors=64,letters=16,deliveries=40"},
                {"small", ""},
                {"full", "letters=1024,deliveries=10000"}},
    .spawns_vary = true,  // a strand submits itself as often as it becomes busy
}};

}  // namespace

}  // namespace schedbench::workloads
