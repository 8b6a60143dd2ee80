#include "simulation/stand_ins/timers.hpp"

#include "base/assert.hpp"

namespace schedbench {

namespace {

fibers::TimerService* current = nullptr;  // written while one thread runs

}  // namespace

namespace sim {

Timers::Timers() noexcept {
  current = &service_;
}

Timers::~Timers() {
  current = nullptr;
}

}  // namespace sim

namespace fibers {

TimerService& TimerService::OfProcess() noexcept {
  SB_ASSERT(current != nullptr, "a model with deadlines makes Timers");
  return *current;
}

std::size_t TimerService::PendingOfProcess() noexcept {
  return 0;
}

// No effect, because models end with all fibers.
void TimerService::Abandon(const StackPool& /*pool*/) noexcept {
}

}  // namespace fibers

}  // namespace schedbench
