#pragma once

#include "platform/threads/mutex.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace schedbench::platform {

// Numbers the worker threads that are there, for profiles and timelines alike. Any thread.
class WorkerNumbers {
 public:
  // Returns the number that the worker's name ends with (WorkerNumber()); else the lowest that no thread has.
  // `thread`: the kernel's number of it, which has none yet.
  std::uint32_t Take(std::string_view name, int thread);

  // The thread ends. One that has no number is ignored.
  void Release(int thread);

 private:
  Mutex mutex_;
  // Both guarded by mutex_. Nothing is allocated under it: a thread that gets no memory stops forever, and must not hold the lock
  // then.
  std::map<int, std::uint32_t> number_of_;
  std::multiset<std::uint32_t> taken_;
};

}  // namespace schedbench::platform
