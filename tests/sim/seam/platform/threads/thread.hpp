#pragma once

// Stands in for src/platform/threads/thread.hpp on the simulated machine.

#include "tests/sim/machine/machine.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace schedbench::platform {

enum class ThreadRole { kWorker, kService };

class Thread {
 public:
  Thread(const std::string& /*name*/, std::function<void()> body,
         ThreadRole /*role*/ = ThreadRole::kService)
      : number_(sim::Machine::Instance().StartThread(std::move(body))) {
  }

  ~Thread() {
    if (number_ != kNone) {
      Join();
    }
  }

  Thread(Thread&& other) noexcept
      : number_(std::exchange(other.number_, kNone)) {
  }

  Thread& operator=(Thread&&) = delete;

  void Join(sim::Place where = sim::Place::current()) {
    sim::Machine::Instance().JoinThread(std::exchange(number_, kNone), where);
  }

 private:
  static constexpr unsigned kNone = sim::kMaxThreads;

  unsigned number_;
};

// No watcher is there.
struct ForeignWorker {};

// All the same: threads are distinguished by it for a metric alone.
inline std::uint64_t ThreadNumber() noexcept {
  return 1;
}

inline void SetTimerSlack(std::uint64_t /*ns*/) noexcept {
}

inline std::uint32_t AvailableCpus() noexcept {
  return 2;
}

}  // namespace schedbench::platform
