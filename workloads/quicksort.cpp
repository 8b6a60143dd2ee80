#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/fork_sort.hpp"
#include "workloads/parts/sort_input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::workloads {

namespace {

struct QuicksortParameters {
  SortedNumbersField numbers;
  SortCutoffField cutoff;
  ForkField<Fork::kStructured> fork;

  static void Check(const QuicksortParameters& parameters, config::Problems& problems) {
    CheckCutoff(parameters, problems);
  }
};

// Sorts an array in place: each call divides its part at a pivot and forks the two sides, which are
// rarely equal. The first divisions are the longest, and nothing runs in parallel to them: there is
// less parallelism than in mergesort. One operation is one number.
class Quicksort final : public registry::IWorkload {
 public:
  Quicksort(const QuicksortParameters& parameters, std::uint64_t seed)
      : parameters_(parameters),
        input_(CheckedNumbers("quicksort", parameters), seed) {
  }

  void Prepare() override {
    numbers_ = input_.Unsorted();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, parameters_.fork, done_,
             [this](const auto& fork) { Sort(fork, numbers_); });
    return numbers_.size();
  }

  std::string Verify() override {
    return input_.MistakeIn(numbers_);
  }

 private:
  using Numbers = std::span<std::uint32_t>;

  template <Fork kHow>
  void Sort(ForkBy<kHow> fork, Numbers numbers) const {
    if (numbers.size() <= parameters_.cutoff) {
      std::ranges::sort(numbers);
      return;
    }
    const std::size_t lower = Divide(numbers);
    fork.Both([&] { Sort(fork, numbers.first(lower)); },
              [&] { Sort(fork, numbers.subspan(lower)); });
  }

  // Divides at least 3 numbers as C. A. R. Hoare does (1961), at the median of three. Returns how
  // many are on the lower side: at least one, and not all, as one of the three is not below the
  // median.
  static std::size_t Divide(Numbers numbers) noexcept {
    std::uint32_t first = numbers.front();
    std::uint32_t last = numbers.back();
    if (last < first) {
      std::swap(first, last);
    }
    const std::uint32_t pivot = std::clamp(numbers[numbers.size() / 2], first, last);
    std::size_t low = 0;
    std::size_t high = numbers.size() - 1;
    for (;; ++low, --high) {
      while (numbers[low] < pivot) {
        ++low;
      }
      while (numbers[high] > pivot) {
        --high;
      }
      if (low >= high) {
        return high + 1;
      }
      std::swap(numbers[low], numbers[high]);
    }
  }

  const QuicksortParameters parameters_;
  const SortInput input_;
  std::vector<std::uint32_t> numbers_;  // each part is written by its call
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Quicksort, QuicksortParameters> kQuicksort{{
    .name = "quicksort",
    .doc = "a large array is sorted in place, by two sides of a pivot down to a cut-off",
    .operation = "number",
    .presets = {{"smoke", "numbers=10000"}, {"small", ""}, {"full", "numbers=4194304"}},
}};

}  // namespace

}  // namespace schedbench::workloads
