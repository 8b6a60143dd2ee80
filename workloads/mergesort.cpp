#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/fork_sort.hpp"
#include "workloads/parts/sort_input.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// The merge of two sorted halves.
enum class Merge : std::uint8_t { kParallel, kSerial };

constexpr std::array<std::string_view, 2> NamesOf(Merge) {
  return {"parallel", "serial"};
}

namespace {

struct MergesortParameters {
  // clang-format off
  SortedNumbersField numbers;
  SortCutoffField cutoff;
  config::Field<"merge", Merge::kParallel, config::AnyOf{}, "How two sorted halves become one: "
      "parallel (in parts that are forked, down to the cut-off) or serial (by one call)"> merge;
  ForkField<Fork::kStructured> fork;
  // clang-format on

  static void Check(const MergesortParameters& parameters, config::Problems& problems) {
    CheckCutoff(parameters, problems);
  }
};

// Sorts an array by forked halves, and merges them between two arrays, also by forked parts. Unlike
// the toucan report's merge_sort, it has a cut-off and a parallel merge. One operation is one
// number.
class Mergesort final : public registry::IWorkload {
 public:
  Mergesort(const MergesortParameters& parameters, std::uint64_t seed)
      : parameters_(parameters),
        input_(CheckedNumbers("mergesort", parameters), seed),
        spare_(parameters.numbers) {
  }

  void Prepare() override {
    numbers_ = input_.Unsorted();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, parameters_.fork, done_,
             [this](const auto& fork) { Sort(fork, numbers_, spare_, false); });
    return numbers_.size();
  }

  std::string Verify() override {
    return input_.MistakeIn(numbers_);
  }

 private:
  using Numbers = std::span<std::uint32_t>;

  // Sorts `numbers` into itself or `spare` of equal length; overwrites the other array.
  template <Fork kHow>
  void Sort(ForkBy<kHow> fork, Numbers numbers, Numbers spare, bool in_spare) const {
    if (numbers.size() <= parameters_.cutoff) {
      std::ranges::sort(numbers);
      if (in_spare) {
        std::ranges::copy(numbers, spare.begin());
      }
      return;
    }
    const std::size_t half = numbers.size() / 2;
    fork.Both([&] { Sort(fork, numbers.first(half), spare.first(half), !in_spare); },
              [&] { Sort(fork, numbers.subspan(half), spare.subspan(half), !in_spare); });
    const Numbers from = in_spare ? numbers : spare;
    const Numbers to = in_spare ? spare : numbers;
    if (parameters_.merge == Merge::kSerial) {
      std::ranges::merge(from.first(half), from.subspan(half), to.begin());
    } else {
      MergeParts(fork, from.first(half), from.subspan(half), to);
    }
  }

  // Merges sorted arrays. The larger one is halved, and the other divided at the same number.
  template <Fork kHow>
  void MergeParts(ForkBy<kHow> fork, Numbers one, Numbers other, Numbers to) const {
    if (to.size() <= parameters_.cutoff) {
      std::ranges::merge(one, other, to.begin());
      return;
    }
    if (one.size() < other.size()) {
      std::swap(one, other);
    }
    const std::size_t half = one.size() / 2;
    const auto below =
        static_cast<std::size_t>(std::ranges::lower_bound(other, one[half]) - other.begin());
    fork.Both(
        [&] { MergeParts(fork, one.first(half), other.first(below), to.first(half + below)); },
        [&] {
          MergeParts(fork, one.subspan(half), other.subspan(below), to.subspan(half + below));
        });
  }

  const MergesortParameters parameters_;
  const SortInput input_;
  std::vector<std::uint32_t> numbers_;  // each part is written by its call
  std::vector<std::uint32_t> spare_;    // each part is written by its call
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Mergesort, MergesortParameters> kMergesort{{
    .name = "mergesort",
    .doc = "a large array is sorted by halves down to a cut-off, with a parallel merge",
    .operation = "number",
    .presets = {{"smoke", "numbers=10000"}, {"small", ""}, {"full", "numbers=4194304"}},
}};

}  // namespace

}  // namespace schedbench::workloads
