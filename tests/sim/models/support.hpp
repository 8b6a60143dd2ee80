#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"
#include "platform/threads/thread.hpp"
#include "tests/sim/explorer/model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// Tasks that are only passed around, distinguished by their number.
class Token final : public executors::TaskBase {
 public:
  void Run() noexcept override {
  }

  std::size_t number = 0;
};

template <std::size_t N>
class Tokens {
 public:
  Tokens() {
    for (std::size_t i = 0; i < N; ++i) {
      tokens_[i].number = i;
    }
  }

  executors::TaskBase* operator[](std::size_t i) noexcept {
    return &tokens_[i];
  }

  // Notes that a thread has got `task`.
  void Take(executors::TaskBase* task) {
    const std::size_t number = static_cast<Token*>(task)->number;
    Check(!taken_[number], "a task is taken twice");
    taken_[number] = true;
  }

  bool IsTaken(std::size_t i) const {
    return taken_[i];
  }

  void CheckAllTaken() const {
    for (const bool taken : taken_) {
      Check(taken, "a task is lost");
    }
  }

 private:
  std::array<Token, N> tokens_;
  std::array<bool, N> taken_{};
};

inline std::size_t NumberOf(executors::TaskBase* task) {
  return static_cast<Token*>(task)->number;
}

}  // namespace schedbench::sim
