#include "harness/load/clock_offset.hpp"

#include "platform/time/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace schedbench::harness {

ClockOffset OffsetOf(std::span<const ClockExchange> exchanges) {
  const ClockExchange& best = *std::ranges::min_element(
      exchanges, {},
      [](const ClockExchange& exchange) { return exchange.received - exchange.sent; });
  const std::uint64_t round_trip = best.received - best.sent;
  const std::uint64_t middle = best.sent + round_trip / 2;
  // Round up for the half that the division has dropped.
  return {.offset_ns = static_cast<std::int64_t>(best.there - middle),
          .bound_ns = (round_trip + 1) / 2};
}

std::uint64_t TimeThere(const ClockOffset& offset, std::uint64_t here_ns) {
  const std::int64_t there = static_cast<std::int64_t>(here_ns) + offset.offset_ns;
  return there < 0 ? 0 : static_cast<std::uint64_t>(there);
}

ClockOffset MeasureClock(AgentClient& agent) {
  // Arbitrary: 1 s for round trips of 16 ms; some meet no queue.
  constexpr std::size_t kExchanges = 64;
  constexpr std::chrono::seconds kLimit{30};
  std::vector<ClockExchange> exchanges;
  for (std::size_t i = 0; i < kExchanges; ++i) {
    const std::uint64_t sent = platform::NowNs();
    const auto clock = agent.Ask<ClockReply>(ClockRequest{}, kLimit);
    exchanges.push_back({.sent = sent, .there = clock.now_ns, .received = platform::NowNs()});
  }
  return OffsetOf(exchanges);
}

}  // namespace schedbench::harness
