#pragma once

#include "base/attributes.hpp"
#include "executors/executor.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"

#include <cstdint>
#include <functional>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// Forks and joins calls of a recursion as `kHow` says. A fiber of the executor uses it.
template <Fork kHow>
class ForkBy {
 public:
  explicit ForkBy(executors::IExecutor& executor) noexcept
      : executor_(&executor) {
  }

  // Calls `f` and `g`, perhaps in parallel, and returns when both have returned: their results as a
  // pair, or nothing if both return nothing. kSpawn: `f` is a fiber, and the caller calls `g`.
  template <typename F, typename G>
  SB_ALWAYS_INLINE auto Both(
      const F& f, const G& g,
      std::source_location forked_at = std::source_location::current()) const {
    using First = std::invoke_result_t<const F&>;
    if constexpr (kHow == Fork::kStructured) {
      return Fibers::ForkJoin(*executor_, f, g, forked_at);
    } else if constexpr (std::is_void_v<First>) {
      Fibers::Child child(*executor_, std::cref(f), forked_at);
      g();
      child.Join();
    } else {
      First first{};
      const auto keep = [&first, &f] { first = f(); };
      Fibers::Child child(*executor_, keep, forked_at);
      auto second = g();
      child.Join();
      return std::pair{first, second};
    }
  }

  // Calls body(i) for each i in [0, count), perhaps in parallel, and returns the sum of the
  // results. The caller makes a single call itself. Of more, kStructured forks half, kSpawn all.
  template <typename Body>
  std::uint64_t Sum(std::uint32_t count, const Body& body,
                    std::source_location forked_at = std::source_location::current()) const {
    if constexpr (kHow == Fork::kStructured) {
      return count == 0 ? 0 : SumOfHalves(0, count, body, forked_at);
    } else {
      if (count < 2) {
        return count == 0 ? 0 : body(0);
      }
      std::vector<std::uint64_t> results(count);
      Fibers::Children calls(*executor_, count);
      for (std::uint32_t i = 0; i < count; ++i) {
        calls.Start([&body, &result = results[i], i] { result = body(i); }, forked_at);
      }
      calls.Join();
      std::uint64_t sum = 0;
      for (const std::uint64_t result : results) {
        sum += result;
      }
      return sum;
    }
  }

 private:
  template <typename Body>
  std::uint64_t SumOfHalves(std::uint32_t begin, std::uint32_t end, const Body& body,
                            std::source_location forked_at) const {
    if (end - begin == 1) {
      return body(begin);
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto [first, second] = Fibers::ForkJoin(
        *executor_, [&] { return SumOfHalves(begin, middle, body, forked_at); },
        [&] { return SumOfHalves(middle, end, body, forked_at); }, forked_at);
    return first + second;
  }

  executors::IExecutor* executor_;
};

// Runs body(ForkBy<fork>) in a fiber of `executor` to its end. The caller is not a worker.
template <typename Body>
void RunForks(executors::IExecutor& executor, Fork fork, Fibers::WaitGroup& done,
              const Body& body) {
  done.Add(1);
  Fibers::Go(executor, [&executor, &done, &body, fork] {
    if (fork == Fork::kStructured) {
      body(ForkBy<Fork::kStructured>(executor));
    } else {
      body(ForkBy<Fork::kSpawn>(executor));
    }
    done.Done();
  });
  done.Wait();
}

}  // namespace schedbench::workloads
