#include "harness/experiment/at_places.hpp"

#include "base/atomic.hpp"
#include "base/vector_of.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <exception>

namespace schedbench::harness {

std::vector<PlaceJob> PlaceBlocks(
    std::vector<std::size_t> blocks, const std::vector<std::string>& lost,
    const std::function<std::optional<std::size_t>(std::size_t block)>& place_that_knows) {
  std::vector<PlaceJob> jobs;
  auto is_free = VectorOf(lost, [](const std::string& one) { return one.empty(); });
  const auto give = [&](const std::function<std::optional<std::size_t>(std::size_t)>& place_of) {
    std::erase_if(blocks, [&](std::size_t block) {
      const std::optional<std::size_t> place = place_of(block);
      if (!place || !is_free[*place]) {
        return false;
      }
      is_free[*place] = false;
      jobs.push_back({.place = *place, .block = block});
      return true;
    });
  };
  give(place_that_knows);
  give([&lost](std::size_t block) { return block % lost.size(); });
  give([&is_free](std::size_t) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(is_free, true);
    return found == is_free.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - is_free.begin()));
  });
  return jobs;
}

void AtTheSameTime(
    const std::vector<PlaceJob>& jobs, platform::Mutex& mutex,
    const std::function<bool()>& cancelled,
    const std::function<void(const PlaceJob& job, const std::function<bool()>& cancelled)>& work) {
  Atomic<bool> is_cancelled(false);          // relaxed: only the flag itself is needed
  Atomic<std::size_t> at_work(jobs.size());  // relaxed: data is read after the joins
  std::exception_ptr thrown;                 // guarded by the mutex
  std::vector<platform::Thread> threads;
  for (const PlaceJob& job : jobs) {
    threads.emplace_back("place-" + std::to_string(job.place), [&work, &mutex, &is_cancelled,
                                                                &at_work, &thrown, job] {
      try {
        work(job, [&is_cancelled] { return is_cancelled.Load(memory_order_relaxed); });
      } catch (...) {
        const platform::MutexLock lock(mutex);
        thrown = std::current_exception();
        is_cancelled.Store(true, memory_order_relaxed);
      }
      at_work.FetchSub(1, memory_order_relaxed);
    });
  }
  constexpr std::uint64_t kLookNs = 5'000'000;  // arbitrary: short compared with a process
  while (at_work.Load(memory_order_relaxed) > 0) {
    platform::SleepUntilNs(platform::NowNs() + kLookNs);
    const platform::MutexLock lock(mutex);
    if (cancelled()) {
      is_cancelled.Store(true, memory_order_relaxed);
    }
  }
  threads.clear();
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

}  // namespace schedbench::harness
