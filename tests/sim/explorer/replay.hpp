#pragma once

#include "tests/sim/machine/chooser.hpp"
#include "tests/sim/machine/machine.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace schedbench::sim {

// Follows a schedule. Requires: Machine::ForgetShared(true), so that each operation is a point of
// decision.
class Replay final : public IChooser {
 public:
  explicit Replay(Schedule schedule)
      : schedule_(std::move(schedule)) {
  }

  unsigned ChooseThread(unsigned current, std::uint32_t ready) override {
    const bool can_continue = (ready >> current & 1U) != 0;
    const Decision* const decision =
        Next(can_continue ? Decision::Kind::kSwitch : Decision::Kind::kNext);
    if (decision != nullptr && decision->choice < kMaxThreads &&
        (ready >> decision->choice & 1U) != 0) {
      return decision->choice;
    }
    impossible_ |= decision != nullptr;
    return can_continue ? current : static_cast<unsigned>(std::countr_zero(ready));
  }

  unsigned ChooseValue(unsigned count, bool rare) override {
    const Decision* const decision = Next(rare ? Decision::Kind::kRare : Decision::Kind::kValue);
    if (decision != nullptr && decision->choice < count) {
      return decision->choice;
    }
    impossible_ |= decision != nullptr;
    return 0;
  }

  bool IsWorthwhile(std::uint64_t /*state*/, unsigned /*preemptions*/) override {
    return true;
  }

  // Whether all decisions were met and could be followed. If not, the schedule is not one of this
  // model.
  bool IsFollowed() const noexcept {
    return next_ == schedule_.size() && !impossible_;
  }

 private:
  const Decision* Next(Decision::Kind kind) {
    const Machine& machine = Machine::Instance();
    if (next_ == schedule_.size()) {
      return nullptr;
    }
    const Decision& decision = schedule_[next_];
    if (decision.thread != machine.CurrentThread() ||
        decision.operation != machine.CurrentOperation() || decision.kind != kind) {
      return nullptr;
    }
    ++next_;
    return &decision;
  }

  const Schedule schedule_;
  std::size_t next_ = 0;
  bool impossible_ = false;
};

}  // namespace schedbench::sim
