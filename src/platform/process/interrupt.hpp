#pragma once

#include <chrono>
#include <optional>

namespace schedbench::platform {

// An event that one thread waits for; a signal to quit (SIGINT, SIGTERM, SIGHUP) ends the wait
// early. One at a time in the program. It takes these signals during its life, except those that
// were ignored before, as nohup or a script's & does. The first signal ends the wait. The second
// ends the process at once, with code 130.
class InterruptibleEvent {
 public:
  enum class Ending { kSet, kInterrupted };

  // Throws std::system_error if the system refuses.
  InterruptibleEvent();
  ~InterruptibleEvent();

  InterruptibleEvent(const InterruptibleEvent&) = delete;
  InterruptibleEvent& operator=(const InterruptibleEvent&) = delete;

  // Sets the event. Any thread, any number of times.
  void Set() noexcept;

  // Blocks until Set() or a signal, also an earlier one; a signal takes precedence. Only the main
  // thread calls it: the kernel gives signals to it, so no worker is disturbed.
  Ending Wait() noexcept;

  // Waits for at most `limit`. Returns nothing if neither came.
  std::optional<Ending> WaitFor(std::chrono::nanoseconds limit) noexcept;

  // Returns whether Set() or a signal has come. Only the main thread calls it.
  bool HasCome() noexcept {
    return WaitFor(std::chrono::nanoseconds::zero()).has_value();
  }

 private:
  // Returns what has come, the signal first.
  static std::optional<Ending> Now() noexcept;
};

// Keeps a signal between two events for the next event, which is then interrupted from its start:
// for a program that does several things in turn and reports the finished ones. A second signal
// between two events ends the process at once, with code 130. One at a time in the program, made
// and destroyed by the main thread while there is no event.
class KeptInterrupts {
 public:
  KeptInterrupts();
  ~KeptInterrupts();

  KeptInterrupts(const KeptInterrupts&) = delete;
  KeptInterrupts& operator=(const KeptInterrupts&) = delete;

  // Returns whether a signal has come that no event has reported.
  bool Any() const noexcept;
};

}  // namespace schedbench::platform
