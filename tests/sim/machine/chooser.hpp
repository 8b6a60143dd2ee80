#pragma once

#include <cstdint>

namespace schedbench::sim {

// Decides what is left open in an execution. A strategy of the explorer.
class IChooser {
 public:
  // Which thread continues: an element of `ready` (a bit per thread, not 0). `current` has just
  // stopped at a point of decision, or, when its bit is not in `ready`, cannot continue.
  virtual unsigned ChooseThread(unsigned current, std::uint32_t ready) = 0;

  // One of 0 .. count - 1, count >= 2; 0 is what usually happens: the newest value, or, if `rare`,
  // no spurious failure.
  virtual unsigned ChooseValue(unsigned count, bool rare) = 0;

  // Asked at each point of decision. `state` names all that has happened so far up to the order of
  // independent steps. False: this state needs no more exploring.
  virtual bool IsWorthwhile(std::uint64_t state, unsigned preemptions) = 0;

 protected:
  ~IChooser() = default;
};

}  // namespace schedbench::sim
