#pragma once

#include "fibers/time/timer_service.hpp"

namespace schedbench::sim {

// The timer service of one execution. Make it before the pool whose fibers sleep.
class Timers {
 public:
  Timers() noexcept;
  ~Timers();

  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

 private:
  fibers::TimerService service_;
};

}  // namespace schedbench::sim
