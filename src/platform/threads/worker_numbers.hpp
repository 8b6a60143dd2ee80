#pragma once

#include "platform/threads/mutex.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace schedbench::platform {

// Numbers the existing worker threads, for profiles and timelines alike. Any thread.
class WorkerNumbers {
 public:
  // Returns the number at the end of the worker's name (WorkerNumber()), otherwise the lowest free
  // one. `thread`: the kernel's number of the thread, which is not numbered yet.
  std::uint32_t Take(std::string_view name, int thread);

  // Frees the number of a thread that ends, if it has one.
  void Release(int thread);

 private:
  Mutex mutex_;
  // mutex_ guards both. Nothing is allocated under it: a thread without memory stops forever and
  // must not hold the lock then.
  std::map<int, std::uint32_t> number_of_;
  std::multiset<std::uint32_t> taken_;
};

}  // namespace schedbench::platform
