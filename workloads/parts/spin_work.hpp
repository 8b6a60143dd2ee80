#pragma once

#include <cstdint>

namespace schedbench::workloads {

// Work that takes about a given time: a chain of multiplications in registers, each of which
// depends on the previous one, without memory, clock or system calls. It is an amount of work, not
// a time: after a loss of its CPU a thread has the same amount left.
class SpinWork {
 public:
  // `ns`: calibrated when the process makes its first SpinWork, which takes a millisecond.
  explicit SpinWork(std::uint64_t ns);

  // Returns the amount that another object's Steps() returned.
  static constexpr SpinWork OfSteps(std::uint64_t steps) noexcept {
    return SpinWork(InSteps{steps});
  }

  // Returns work that takes `ns`, with the fence that ends it; at least LeastNs().
  static SpinWork Lasting(double ns);

  // Returns how long the least work takes: the fence makes later instructions wait for its end.
  // Calibrated like the constructor.
  static double LeastNs();

  // Returns how long it takes, with the fence.
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
    // No later instruction begins before the chain has ended: a CPU with a large reorder window
    // would overlap a short chain with the next one.
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
  // The factor of D. Knuth's MMIX; any odd number would do.
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
