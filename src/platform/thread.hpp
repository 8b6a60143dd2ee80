#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace schedbench::platform {

// An operating system thread with a name that debuggers and perf show, and a stack of its own for signal handlers
// (SignalStack). Joins in its destructor.
class Thread {
 public:
  // Starts `body`. `name` is cut to 15 bytes, Linux's limit.
  // Throws std::runtime_error that names the limits to look at when no thread can be had.
  Thread(std::string name, std::function<void()> body);
  ~Thread();

  Thread(Thread&&) = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void Join();

 private:
  std::thread thread_;
};

// The calling thread's name, as the kernel knows it; ends with 0. Async-signal-safe.
std::array<char, 16> ThreadName() noexcept;

// Returns a number that no other thread of this process has or had, from 1. A fiber asks anew after each switch.
std::uint64_t ThreadNumber() noexcept;

// Lets the kernel wake the calling thread from timed waits at most `ns` late, where it may: it gathers wake-ups within
// 50 us unless told otherwise. 0 means the default.
void SetTimerSlack(std::uint64_t ns) noexcept;

// Number of CPUs that this process may run on (its affinity mask), at least 1.
std::uint32_t AvailableCpus() noexcept;

}  // namespace schedbench::platform
