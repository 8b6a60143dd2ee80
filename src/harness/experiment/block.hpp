#pragma once

#include "harness/experiment/data.hpp"
#include "harness/experiment/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace schedbench::harness {

// One block of a group.
struct BlockPlan {
  const Group& group;
  const Extent& extent;                   // its rounds, warm-up, seed and limit
  std::vector<std::size_t> members = {};  // the alternatives that take part
  std::size_t number = 0;                 // determines the seed of its random choices
  std::size_t order = 0;                  // determines the order of its processes
  PlacePtr place = nullptr;               // the machine of its agents
  bool audits = false;                    // whether a last round counts what was done
  // Count of each alternative of the group in its audit; none without an audit.
  std::vector<std::optional<std::uint64_t>> operations = {};
};

struct BlockEvents {
  std::function<bool()> cancelled;  // asked many times a second
  std::function<bool()> has_time;   // asked before each round
  std::function<void()> round_begins;
  // Watches this machine. Null: nothing is watched, as for another machine.
  DisturbanceWatch* watch = nullptr;
};

struct BlockData {
  enum class Ending : std::uint8_t {
    kDone,
    kOutOfTime,  // before a round; only failures are kept
    kCancelled,  // nothing is kept
  };

  // Holds for each member a series with only this block, or with the failure.
  std::vector<Series> series;
  Ending ending = Ending::kDone;
  Disturbance disturbance = {};
};

// Measures a block: starts an agent for each member, does the rounds of all in turn, and ends the
// agents. An alternative that fails does not end the others. Agents are children of the calling
// thread; several threads may measure at the same time.
BlockData MeasureBlock(const BlockPlan& plan, const BlockEvents& events);

}  // namespace schedbench::harness
