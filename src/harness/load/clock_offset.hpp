#pragma once

#include "harness/agent/client.hpp"

#include <cstdint>
#include <span>

namespace schedbench::harness {

// A question for the time of another clock: nanoseconds of the own clock before and after, and of the other one between.
struct ClockExchange {
  std::uint64_t sent;
  std::uint64_t there;
  std::uint64_t received;
};

// By how much another clock is ahead of the own one, and the largest error of that, whatever the delays of the two ways were.
struct ClockOffset {
  std::int64_t offset_ns = 0;
  std::uint64_t bound_ns = 0;
};

// Returns the offset by the exchange with the shortest round trip (Cristian, 1989): the middle of its round trip was the time there, by
// at most half of it. Requires: at least one exchange.
ClockOffset OffsetOf(std::span<const ClockExchange> exchanges);

// Returns a moment of the own clock by the other one; 0 for one before its start.
std::uint64_t TimeThere(const ClockOffset& offset, std::uint64_t here_ns);

// Asks the agent some times for its clock. Throws AgentLost, AgentRefused, AgentCancelled.
ClockOffset MeasureClock(AgentClient& agent);

}  // namespace schedbench::harness
