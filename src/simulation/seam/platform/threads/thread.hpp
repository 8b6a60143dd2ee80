#pragma once

// Replaces src/platform/threads/thread.hpp in programs whose time is simulated: a core per thread.

#include "simulation/machine/machine.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace schedbench::platform {

enum class ThreadRole : std::uint8_t { kWorker, kService };

class Thread {
 public:
  Thread(const std::string& /*name*/, std::function<void()> body,
         ThreadRole /*role*/ = ThreadRole::kService)
      : number_(sim_scaling::Machine::Instance().StartThread(std::move(body))) {
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

  void Join() {
    sim_scaling::Machine::Instance().JoinThread(std::exchange(number_, kNone));
  }

 private:
  static constexpr unsigned kNone = sim_scaling::Machine::kMaxThreads;

  unsigned number_;
};

// There is no watcher.
struct ForeignWorker {};

inline std::uint64_t ThreadNumber() noexcept {
  return sim_scaling::Machine::Instance().CurrentThread() + 1;
}

inline void SetTimerSlack(std::uint64_t /*ns*/) noexcept {
}

inline std::uint32_t AvailableCpus() noexcept {
  return 2;
}

}  // namespace schedbench::platform
