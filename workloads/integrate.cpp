#include "base/attributes.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace schedbench::workloads {

namespace {

struct IntegrateParameters {
  // clang-format off
  config::Field<"n", 1000U, config::Range{1U, 10000U},
      "The upper bound of the integral of x^3 + x from 0"> n;
  config::Field<"epsilon", 1.0, config::Range{1e-9, 1e9},
      "An interval is halved until that changes its area by less than this"> epsilon;
  ForkField<Fork::kStructured> fork;
  // clang-format on
};

// The curve over an interval, with the area of its trapezoid.
struct Interval {
  double begin;
  double end;
  double at_begin;
  double at_end;
  double area;
};

struct Halves {
  Interval left;
  Interval right;
};

constexpr double Curve(double x) {
  return (x * x + 1) * x;
}

// It is not inlined, so that all recursions round equally: other rounding may change the calls.
SB_NOINLINE Halves Halved(const Interval& whole) noexcept {
  const double half = (whole.end - whole.begin) / 2;
  const double middle = whole.begin + half;
  const double at_middle = Curve(middle);
  return {
      .left = {whole.begin, middle, whole.at_begin, at_middle,
               (whole.at_begin + at_middle) / 2 * half},
      .right = {middle, whole.end, at_middle, whole.at_end, (at_middle + whole.at_end) / 2 * half}};
}

struct Integral {
  double area = 0;
  std::uint64_t calls = 0;
};

// Calls without a fork, to count the right number of calls.
struct NoForks {
  template <typename F, typename G>
  auto Both(const F& f, const G& g) const {
    const Integral first = f();
    return std::pair{first, g()};
  }
};

// Adaptive quadrature: each call halves its interval, and forks the two halves unless the sum of
// their areas is near enough to the area of the whole. Where the curve bends, the tree is deep; its
// shape is unknown in advance. One operation is one call.
class Integrate final : public registry::IWorkload {
 public:
  explicit Integrate(const IntegrateParameters& parameters)
      : parameters_(parameters),
        calls_(Area(NoForks{}, Whole()).calls) {
    if (parameters.fork == Fork::kSpawn) {
      RequireMemoryFor(calls_ / 2, "suspended fibers", Fibers::kBytesPerFiber,
                       fmt::format("integrate:n={},epsilon={},fork=spawn", parameters.n.value,
                                   EpsilonThatFits()));
    }
  }

  void Prepare() override {
    integral_ = {};
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, parameters_.fork, done_,
             [this](const auto& fork) { integral_ = Area(fork, Whole()); });
    return integral_.calls;
  }

  std::string Verify() override {
    if (integral_.calls != calls_) {
      return fmt::format("{} calls computed the integral, not {}", integral_.calls, calls_);
    }
    const double n = parameters_.n;
    const double right = n * n * (n * n + 2) / 4;
    // A third of the change by the last halving remains, and each sum is rounded.
    const double tolerance = static_cast<double>(calls_) * parameters_.epsilon + right * 1e-9;
    if (!(std::abs(integral_.area - right) <= tolerance)) {
      return fmt::format("the integral is {}, not {}", right, integral_.area);
    }
    return "";
  }

 private:
  Interval Whole() const {
    const double n = parameters_.n;
    return {0, n, Curve(0), Curve(n), (Curve(0) + Curve(n)) / 2 * n};
  }

  template <typename ForkHow>
  Integral Area(ForkHow fork, const Interval& whole) const {
    const Halves halves = Halved(whole);
    const double sum = halves.left.area + halves.right.area;
    if (std::abs(sum - whole.area) < parameters_.epsilon) {
      return {sum, 1};
    }
    const auto [left, right] = fork.Both([&] { return Area(fork, halves.left); },
                                         [&] { return Area(fork, halves.right); });
    return {left.area + right.area, left.calls + right.calls + 1};
  }

  // The number of calls grows with the third root of 1 / epsilon.
  double EpsilonThatFits() const {
    const double excess = static_cast<double>(calls_ / 2) /
                          static_cast<double>(CountThatFits(Fibers::kBytesPerFiber));
    return std::pow(10, std::ceil(std::log10(parameters_.epsilon * excess * excess * excess * 8)));
  }

  const IntegrateParameters parameters_;
  const std::uint64_t calls_;
  Integral integral_;  // written by the first fiber, read after the round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Integrate, IntegrateParameters> kIntegrate{{
    .name = "integrate",
    .doc = "the integral of x^3 + x by halves, until they are near enough to the whole",
    .operation = "call",
    .presets = {{"smoke", "n=100,epsilon=10"},
                {"small", "epsilon=1e-4"},
                {"full", "n=10000,epsilon=1e-6"}},
}};

}  // namespace

}  // namespace schedbench::workloads
