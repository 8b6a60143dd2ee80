#pragma once

#include <cstdint>

namespace schedbench::workloads {

// Work that takes about a given time: a chain of multiplications in registers, each of which depends on the previous one. No
// memory, no clock, no system call. It is an amount of work, not a time: a thread that loses its CPU has as much left to do
// as before.
class SpinWork {
 public:
  // `ns`: calibrated when the process makes its first SpinWork, which takes a millisecond.
  explicit SpinWork(std::uint64_t ns);

  // The amount that another one's Steps() returned.
  static constexpr SpinWork OfSteps(std::uint64_t steps) noexcept {
    return SpinWork(InSteps{steps});
  }

  // Work that takes `ns`, including the fence that ends it; at least LeastNs().
  static SpinWork Lasting(double ns);

  // How long the least work takes: the fence makes later instructions wait for its end. Calibrated as the constructor's.
  static double LeastNs();

  // How long it takes, including the fence.
  double Ns() const;

  void Do() const noexcept {
    if (steps_ == 0) {
      return;
    }
    std::uint64_t value = steps_;
    for (std::uint64_t i = 0; i < steps_; ++i) {
      value = value * kFactor + 1;
      // Hides the value from the compiler.
      asm volatile("" : "+r"(value));
    }
    // No later instruction begins before the chain has ended: a CPU with a large reorder window would overlap a short chain
    // with the next one.
#if defined(__x86_64__)
    asm volatile("lfence" ::: "memory");
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
  }

  constexpr std::uint64_t Steps() const noexcept {
    return steps_;
  }

 private:
  // D. Knuth, MMIX; any odd number would do.
  static constexpr std::uint64_t kFactor = 6364136223846793005U;

  struct InSteps {
    std::uint64_t steps;
  };
  constexpr explicit SpinWork(InSteps amount) noexcept
      : steps_(amount.steps) {
  }

  static double StepsPerNs();

  std::uint64_t steps_;
};

}  // namespace schedbench::workloads
