#pragma once

#include "harness/agent/client.hpp"

#include <cstdint>
#include <span>

namespace schedbench::harness {

// A question to another clock: the own time before and after, and its time in between, in ns.
struct ClockExchange {
  std::uint64_t sent;
  std::uint64_t there;
  std::uint64_t received;
};

// The time by which another clock is ahead, and its largest error for any delays of both ways.
struct ClockOffset {
  std::int64_t offset_ns = 0;
  std::uint64_t bound_ns = 0;
};

// Returns the offset by the exchange with the shortest round trip (Cristian, 1989): the other
// clock's time was its middle, within half of it. Requires: not empty.
ClockOffset OffsetOf(std::span<const ClockExchange> exchanges);

// Converts a time of the own clock to the other one; returns 0 for one before its start.
std::uint64_t TimeThere(const ClockOffset& offset, std::uint64_t here_ns);

// Asks the agent some times for its clock. Throws AgentLost, AgentRefused, AgentCancelled.
ClockOffset MeasureClock(AgentClient& agent);

}  // namespace schedbench::harness
