#include "config/schema_of.hpp"
#include "executors/executor.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// The branches of a call that are forked.
enum class Branches : std::uint8_t { kOne, kBoth };

constexpr std::array<std::string_view, 2> NamesOf(Branches) {
  return {"one", "both"};
}

namespace {

struct FibParameters {
  // clang-format off
  config::Field<"n", 20U, config::Range{2U, 42U}, "The Fibonacci number to compute"> n;
  config::Field<"branches", Branches::kOne, config::AnyOf{}, "Which recursive calls are forked: "
      "one (fib(n-1); fib(n-2) is called inline) or both"> branches;
  ForkField<Fork::kSpawn> fork;
  // clang-format on
};

constexpr std::uint64_t Fibonacci(std::uint32_t n) {
  std::uint64_t previous = 0;
  std::uint64_t number = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    number += previous;
    previous = number - previous;
  }
  return previous;
}

static_assert(Fibonacci(0) == 0 && Fibonacci(1) == 1 && Fibonacci(20) == 6765);

// Returns a round's forked calls. Each of the F(n + 1) - 1 calls above fib(1) has two branches.
constexpr std::uint64_t Forks(std::uint32_t n, Branches branches) {
  return (Fibonacci(n + 1) - 1) * (branches == Branches::kBoth ? 2 : 1);
}

// The Fibonacci numbers by their definition, the classic example of fork and join: the only work is
// starting, switching and joining. A scheduler that runs the newest fiber first has about n live
// fibers, one that runs the oldest first has most of them. One operation is one fork.
class Fib final : public registry::IWorkload {
 public:
  explicit Fib(const FibParameters& parameters)
      : parameters_(parameters),
        forks_(Forks(parameters.n, parameters.branches)) {
    if (parameters.fork == Fork::kStructured) {
      return;  // fibers of stolen calls, and of their parents: some hundred
    }
    std::uint32_t fits = parameters.n;
    while (fits > 2 && Forks(fits, parameters.branches) > CountThatFits(Fibers::kBytesPerFiber)) {
      --fits;
    }
    RequireMemoryFor(forks_, "suspended fibers", Fibers::kBytesPerFiber,
                     fmt::format("fib:n={}", fits));
  }

  void Prepare() override {
    answer_ = {};
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(1);
    Fibers::Go(scheduler, [this, &scheduler] {
      answer_ = Compute(scheduler);
      done_.Done();
    });
    done_.Wait();
    return forks_;
  }

  std::string Verify() override {
    const std::uint64_t right = Fibonacci(parameters_.n);
    if (answer_.number != right) {
      return fmt::format("fib({}) is {}, not {}", parameters_.n.value, right, answer_.number);
    }
    return "";
  }

  std::uint64_t InlineCalls() const override {
    return answer_.inline_calls;
  }

 private:
  struct Answer {
    std::uint64_t number = 0;
    std::uint64_t inline_calls = 0;  // inline calls for this number
  };

  Answer Compute(executors::IExecutor& executor) const {
    const bool both = parameters_.branches == Branches::kBoth;
    if (parameters_.fork == Fork::kSpawn) {
      return both ? ForkBoth(executor, parameters_.n) : ForkOne(executor, parameters_.n);
    }
    return both ? Answer{.number = ForkBothStructured(executor, parameters_.n)}
                : Answer{.number = ForkOneStructured(executor, parameters_.n),
                         .inline_calls = forks_};  // a fork has one inline call
  }

  static std::uint64_t ForkOneStructured(executors::IExecutor& executor, std::uint32_t n) {
    if (n < 2) {
      return n;
    }
    const auto [first, second] = Fibers::ForkJoin(
        executor, [&executor, n] { return ForkOneStructured(executor, n - 2); },
        [&executor, n] { return ForkOneStructured(executor, n - 1); });
    return first + second;
  }

  // The parent does nothing while its two calls run, if other workers take both.
  static std::uint64_t ForkBothStructured(executors::IExecutor& executor, std::uint32_t n) {
    if (n < 2) {
      return n;
    }
    std::uint64_t numbers[2];
    Fibers::ParallelFor(executor, std::uint32_t{0}, std::uint32_t{2}, [&](std::uint32_t i) {
      numbers[i] = ForkBothStructured(executor, n - 1 - i);
    });
    return numbers[0] + numbers[1];
  }

  static Answer ForkOne(executors::IExecutor& executor, std::uint32_t n) {
    if (n < 2) {
      return {.number = n};
    }
    Answer first;
    Fibers::Child child(executor, [&executor, &first, n] { first = ForkOne(executor, n - 1); });
    const Answer second = ForkOne(executor, n - 2);
    child.Join();
    return {.number = first.number + second.number,
            .inline_calls = first.inline_calls + second.inline_calls + 1};
  }

  static Answer ForkBoth(executors::IExecutor& executor, std::uint32_t n) {
    if (n < 2) {
      return {.number = n};
    }
    Answer first;
    Answer second;
    Fibers::Child one(executor, [&executor, &first, n] { first = ForkBoth(executor, n - 1); });
    Fibers::Child other(executor, [&executor, &second, n] { second = ForkBoth(executor, n - 2); });
    one.Join();
    other.Join();
    return {.number = first.number + second.number};
  }

  const FibParameters parameters_;
  const std::uint64_t forks_;
  Answer answer_;  // written by the first fiber, read after the round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Fib, FibParameters> kFib{{
    .name = "fib",
    .doc = "the n-th Fibonacci number by its recursion: only forks and joins",
    .operation = "fork",
    .presets = {{"smoke", "n=12"}, {"small", "n=24"}, {"full", "n=30"}},
    .spawns_vary_with = {"fork", "structured"},  // a call that no worker takes is not a fiber
}};

}  // namespace

}  // namespace schedbench::workloads
