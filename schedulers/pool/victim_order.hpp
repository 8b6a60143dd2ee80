#pragma once

#include "base/random_choice.hpp"
#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// The order in which a worker tries the queues of the others.
enum class Victim : std::uint8_t {
  kRandom,       // starts at a random worker, with a random step
  kRoundRobin,   // the ring of workers; starts one after the start of the last sweep
  kLastSuccess,  // starts at the last worker that had tasks, with a random step
  kNearest,      // near indices on the ring first: +1, -1, +2, -2, ...
};

constexpr std::array<std::string_view, 4> NamesOf(Victim) {
  return {"random", "round_robin", "last_success", "nearest"};
}

// The sweeps of one worker over all others; each visits every other once. Belongs to one worker. A
// sweep goes round a ring of places, as many as the smallest prime that is not less than the number
// of others. It moves by a constant step, which shares no factor with a prime, and passes over the
// few places without a worker. With random steps two thieves seldom stay together. The policies
// differ in which worker has which place, and in the start and the step of a sweep. They cost a
// switch per sweep, a branch per victim, and no memory. kNearest compares indices only. A near
// index means a shared cache only where worker i is pinned next to worker i + 1. The pools do not
// pin workers.
//
// The random steps are those of randomOrder in Go's runtime/proc.go. It has a table of the steps
// that share no factor with the number of workers. With a table for each worker, 1,024 workers
// would need 4 MB and a million greatest common divisors.
class VictimOrder {
 public:
  // Makes the sweeps of worker `self` among `workers` workers.
  VictimOrder(Victim policy, std::uint32_t self, std::uint32_t workers, std::uint64_t seed)
      : policy_(policy),
        self_(self),
        workers_(workers),
        places_(PrimeFrom(Others())),
        random_(seed) {
  }

  std::uint32_t Others() const noexcept {
    return workers_ - 1;
  }

  // Begins a sweep. Requires: Others() > 0.
  void BeginSweep() noexcept {
    switch (policy_) {
      case Victim::kRandom:
        next_ = random_.Below(Others());
        step_ = RandomStep();
        break;
      case Victim::kRoundRobin:
        next_ = begin_;
        begin_ = begin_ + 1 < Others() ? begin_ + 1 : 0;
        break;
      case Victim::kLastSuccess:
        // Before the first success this is kRandom.
        next_ = last_success_ < Others() ? last_success_ : random_.Below(Others());
        step_ = RandomStep();
        break;
      case Victim::kNearest:
        next_ = 0;
        break;
    }
  }

  // Returns the next victim. Others() calls after BeginSweep() return each victim once.
  std::uint32_t Next() noexcept {
    last_ = next_;
    do {
      next_ += step_;
      next_ = next_ < places_ ? next_ : next_ - places_;
    } while (next_ >= Others());
    return WorkerAt(last_);
  }

  // Records that the victim which Next() returned last had tasks.
  void RecordSuccess() noexcept {
    last_success_ = last_;
  }

 private:
  static std::uint32_t PrimeFrom(std::uint32_t number) noexcept {
    const auto is_prime = [](std::uint32_t n) {
      for (std::uint32_t factor = 2; factor * factor <= n; ++factor) {
        if (n % factor == 0) {
          return false;
        }
      }
      return true;
    };
    std::uint32_t prime = number < 2 ? 2 : number;
    while (!is_prime(prime)) {
      ++prime;
    }
    return prime;
  }

  // The ring starts at the worker after `self`. For kNearest the distances from `self` are 1, -1,
  // 2, -2, ...
  std::uint32_t WorkerAt(std::uint32_t place) const noexcept {
    std::uint32_t distance = place + 1;
    if (policy_ == Victim::kNearest) {
      const std::uint32_t nearest = place / 2 + 1;
      distance = place % 2 == 0 ? nearest : workers_ - nearest;
    }
    const std::uint32_t worker = self_ + distance;
    return worker < workers_ ? worker : worker - workers_;
  }

  std::uint32_t RandomStep() noexcept {
    return 1 + random_.Below(places_ - 1);
  }

  const Victim policy_;
  const std::uint32_t self_;
  const std::uint32_t workers_;
  const std::uint32_t places_;  // a prime: the number of places on the ring
  std::uint32_t next_ = 0;      // place of the next victim
  std::uint32_t last_ = 0;      // place of the last victim
  std::uint32_t step_ = 1;
  std::uint32_t begin_ = 0;           // kRoundRobin: start of the next sweep
  std::uint32_t last_success_ = ~0U;  // kLastSuccess: a place; ~0U before the first success
  RandomChoice random_;
};

}  // namespace schedbench::schedulers
