#pragma once

#include "base/atomic.hpp"
#include "executors/submit.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/sim/explorer/model.hpp"

#include <array>
#include <cstddef>

namespace schedbench::sim {

// Counts how often each of N tasks has run. Plain numbers: that the checker may read them is part
// of what is promised, and a Cell detects when it may not.
template <std::size_t N>
class Runs {
 public:
  void Note(std::size_t task) {
    Cell<int>& runs = runs_[task];
    runs.Write(runs.Read() + 1);
  }

  void CheckOnce(std::size_t task, const char* what) const {
    Check(runs_[task].Read() == 1, what);
  }

  void CheckAllOnce(const char* what) const {
    for (std::size_t task = 0; task < N; ++task) {
      CheckOnce(task, what);
    }
  }

 private:
  std::array<Cell<int>, N> runs_;
};

// Submits `body` with something that the submitter has made and the task reads and frees: the
// thread that runs the task must be able to see all that came before the submit.
template <typename Body>
void SubmitWithPayload(executors::IExecutor& executor, Body body,
                       executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) {
  const auto* const payload = new Cell<int>(1);
  executors::Submit(
      executor,
      [payload, body]() mutable {
        Check(payload->Read() == 1, "a task does not see what it was given");
        delete payload;
        body();
      },
      hint);
}

// Each of N tasks waits for all others, so that N workers must run at the same time.
template <std::size_t N>
class Meeting {
 public:
  void Meet(std::size_t task) {
    begun_[task].Set();
    for (platform::ThreadEvent& event : begun_) {
      event.Wait();
    }
  }

  // Any thread. Returns whether `task` waits for the others, or has met them.
  bool HasBegun(std::size_t task) const {
    return begun_[task].IsSet();
  }

 private:
  std::array<platform::ThreadEvent, N> begun_;
};

}  // namespace schedbench::sim
