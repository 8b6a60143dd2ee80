#include "platform/threads/worker_numbers.hpp"

#include "platform/threads/thread.hpp"

#include <optional>
#include <utility>

namespace schedbench::platform {

std::uint32_t WorkerNumbers::Take(std::string_view name, int thread) {
  const std::optional<std::uint32_t> named = WorkerNumber(name);
  std::map<int, std::uint32_t> own{{thread, 0}};
  std::multiset<std::uint32_t> one{0};
  auto of_thread = own.extract(own.begin());
  auto taken = one.extract(one.begin());
  const MutexLock lock(mutex_);
  std::uint32_t number = 0;
  if (named) {
    number = *named;
  } else {
    for (const std::uint32_t other : taken_) {
      if (other > number) {
        break;
      }
      number = other + 1;
    }
  }
  of_thread.mapped() = number;
  taken.value() = number;
  number_of_.insert(std::move(of_thread));
  taken_.insert(std::move(taken));
  return number;
}

void WorkerNumbers::Release(int thread) {
  const MutexLock lock(mutex_);
  const auto found = number_of_.find(thread);
  if (found != number_of_.end()) {
    taken_.erase(taken_.find(found->second));
    number_of_.erase(found);
  }
}

}  // namespace schedbench::platform
