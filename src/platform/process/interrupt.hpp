#pragma once

#include <chrono>
#include <optional>

namespace schedbench::platform {

// An event that one thread waits for and that a signal to quit (SIGINT, SIGTERM, SIGHUP) cuts short. One at a time in
// the program. It takes these signals for as long as it lives, except one that was ignored before: so runs
// what nohup or a script's & started, undisturbed.
//
// The first signal ends the wait. The second ends the process at once, with code 130.
class InterruptibleEvent {
 public:
  enum class Ending { kSet, kInterrupted };

  // Throws std::system_error when the system refuses.
  InterruptibleEvent();
  ~InterruptibleEvent();

  InterruptibleEvent(const InterruptibleEvent&) = delete;
  InterruptibleEvent& operator=(const InterruptibleEvent&) = delete;

  // Any thread, any number of times.
  void Set() noexcept;

  // Blocks until Set() or a signal, also one that came before the call; of both, the signal. Main thread: the
  // kernel hands signals of the process to it, so that no worker is disturbed.
  Ending Wait() noexcept;

  // The same, for at most `limit`; none when neither came.
  std::optional<Ending> WaitFor(std::chrono::nanoseconds limit) noexcept;

  // Returns whether one of both has come by now. Main thread.
  bool HasCome() noexcept {
    return WaitFor(std::chrono::nanoseconds::zero()).has_value();
  }

 private:
  // Which of both has come, the signal first.
  static std::optional<Ending> Now() noexcept;
};

// Keeps a signal that comes between two events for the next one, which is then interrupted from its beginning: for a program that
// does several things one after the other and reports what was finished. One at a time in the program, made and destroyed while
// there is no event. Main thread. A second signal between two events ends the process at once, with code 130.
class KeptInterrupts {
 public:
  KeptInterrupts();
  ~KeptInterrupts();

  KeptInterrupts(const KeptInterrupts&) = delete;
  KeptInterrupts& operator=(const KeptInterrupts&) = delete;

  // Whether a signal has come that no event has reported.
  bool Any() const noexcept;
};

}  // namespace schedbench::platform
