#pragma once

#include <array>
#include <cstddef>

// The sources of the simulation are compiled with another name for the namespace schedbench
// (CMakeLists.txt). The parts that they share with the measuring program are in this one.
namespace sim_scaling {

// The costs of operations on one machine, in nanoseconds. calibrate.cpp measures them.
struct Costs {
  // Memory. An access that misses also pays `transfer`.
  double hit = 0;       // a load or store of a line that this core holds
  double locked = 0;    // a read-modify-write of such a line
  double fence = 0;     // a full fence
  double transfer = 0;  // a line moves from another core, or is taken away from the others

  // The system.
  double pause = 0;         // one pause of a spin
  double clock = 0;         // a read of the clock
  double call = 0;          // a futex or yield call that neither blocks nor wakes
  double wake = 0;          // the call that wakes a thread, for its caller
  double wake_latency = 0;  // from that call until the woken thread runs
  double heavy_fence = 0;   // membarrier(2), for its caller, if one other core runs a thread
  double interrupt = 0;     // membarrier(2), for each of the other cores

  // Plain work: the time of a program with one worker, without the costs of those operations.
  double task = 0;    // submit, pick and run a plain task
  double create = 0;  // allocate a fiber
  double start = 0;   // submit, pick, run and free a fiber
  // Submit and pick a suspended fiber, and switch to it. Caches matter: [i] is for a stack that its
  // core used kResumeTurns[i] turns ago.
  static constexpr std::array<std::size_t, 4> kResumeTurns{8, 128, 2048, 32768};
  std::array<double, kResumeTurns.size()> resume{};
  double sync = 0;  // an operation of a channel
  double fork = 0;  // fork a call, and make it at the join

  // The rest of a replay's step; may be negative. It is fitted so that the time of one graph on one
  // worker is right.
  double step = 0;

  // ---- Not measured, because this takes more cores than two: assumptions ----

  double fiber_lines = 4;       // the number of lines that move with a fiber to another core
  double cluster = 0;           // the number of cores that share a cache; 0: all of them
  double far = 4;               // how many times as long a transfer between two clusters takes
  double readers_queue = 5;     // a line serves a reader, and continues with the next one
  double interrupt_core = 100;  // what each further core adds to heavy_fence

  // Returns the cost for a stack used `turns` turns ago: `resume`, interpolated in the logarithm.
  double ResumeNs(std::size_t turns) const noexcept;
};

// The costs that are one number and not below 0: all but `resume`, `step` and `cluster`.
inline constexpr std::array<double Costs::*, 20> kCosts{
    &Costs::hit,          &Costs::locked,      &Costs::fence,         &Costs::transfer,
    &Costs::pause,        &Costs::clock,       &Costs::call,          &Costs::wake,
    &Costs::wake_latency, &Costs::heavy_fence, &Costs::interrupt,     &Costs::task,
    &Costs::create,       &Costs::start,       &Costs::sync,          &Costs::fork,
    &Costs::fiber_lines,  &Costs::far,         &Costs::readers_queue, &Costs::interrupt_core};

}  // namespace sim_scaling
