#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/sort_input.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MergeSortParameters {
  // clang-format off
  config::Field<"numbers", 1024U, config::Range{1U, 100000000U}, "Numbers to sort"> numbers;
  config::Field<"cutoff", 1U, config::Range{1U, 100000000U}, "Parts of at most this many numbers "
      "are sorted by one fiber; 1: each number has a fiber of its own, as published"> cutoff;
  // clang-format on
};

// BM_MergeSort of the toucan report: a fiber starts two others, one for each half, waits for both
// on a condition variable, and merges. One operation is one fiber, started and joined. It is the
// report's only benchmark that never sleeps.
class MergeSort final : public registry::IWorkload {
 public:
  MergeSort(const MergeSortParameters& parameters, std::uint64_t seed)
      : cutoff_(parameters.cutoff),
        fibers_(FibersFor(parameters.numbers, parameters.cutoff)),
        input_(parameters.numbers, seed),
        merged_(parameters.numbers) {
    CheckedCount("merge_sort:numbers", "suspended fibers", fibers_, Fibers::kBytesPerFiber);
  }

  void Prepare() override {
    numbers_ = input_.Unsorted();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(1);
    Start(scheduler, numbers_, [this] { done_.Done(); });
    done_.Wait();
    return fibers_;
  }

  std::string Verify() override {
    return input_.MistakeIn(numbers_);
  }

 private:
  using Numbers = std::span<std::uint32_t>;

  // Counts how many of a parent's two children have ended. The second one resumes the parent.
  struct Children {
    fibers::Mutex mutex;
    fibers::CondVar all_ended;
    int ended = 0;  // guarded by mutex
  };

  static std::uint64_t FibersFor(std::uint64_t numbers, std::uint64_t cutoff) {
    if (numbers <= cutoff) {
      return 1;
    }
    const std::uint64_t left = numbers / 2;
    const std::uint64_t of_left = FibersFor(left, cutoff);
    return 1 + of_left + (numbers % 2 == 0 ? of_left : FibersFor(numbers - left, cutoff));
  }

  template <typename Ended>
  void Start(registry::IScheduler& scheduler, Numbers numbers, Ended ended) {
    fibers::Go(scheduler, [this, &scheduler, numbers, ended] {
      Sort(scheduler, numbers);
      ended();
    });
  }

  void Sort(registry::IScheduler& scheduler, Numbers numbers) {
    if (numbers.size() <= cutoff_) {
      std::ranges::sort(numbers);
      return;
    }
    const Numbers left = numbers.first(numbers.size() / 2);
    const Numbers right = numbers.subspan(left.size());
    Children children;
    for (const Numbers half : {left, right}) {
      Start(scheduler, half, [&children] {
        children.mutex.Lock();
        ++children.ended;
        children.all_ended.NotifyAll();
        children.mutex.Unlock();
      });
    }
    children.mutex.Lock();
    children.all_ended.Wait(children.mutex, [&children] { return children.ended == 2; });
    children.mutex.Unlock();
    const auto place = numbers.data() - numbers_.data();
    std::ranges::merge(left, right, merged_.begin() + place);
    std::copy_n(merged_.begin() + place, numbers.size(), numbers.begin());
  }

  const std::uint64_t cutoff_;
  const std::uint64_t fibers_;
  const SortInput input_;
  std::vector<std::uint32_t> numbers_;  // each part is written by its fiber
  std::vector<std::uint32_t> merged_;   // each part is written by its fiber
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<MergeSort, MergeSortParameters> kMergeSort{{
    .name = "merge_sort",
    .doc = "toucan report: fibers sort halves and wait for each other on condition variables",
    .operation = "fiber",
    .presets = {{"smoke", "numbers=64"},
                {"small", "numbers=16384"},
                {"full", ""},
                {"coarse", "numbers=1048576,cutoff=1024"}},
}};

}  // namespace

}  // namespace schedbench::workloads
