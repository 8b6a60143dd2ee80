#include "harness/top/snapshot.hpp"

#include "base/vector_of.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::harness {

namespace {

using TopTotal = std::optional<std::uint64_t>;

// A total that decreased belongs to a worker that was replaced: the interval is unknown.
double Rate(std::uint64_t earlier, std::uint64_t later, double seconds) {
  return later < earlier || seconds <= 0 ? 0 : static_cast<double>(later - earlier) / seconds;
}

std::optional<double> Rate(const TopTotal& earlier, const TopTotal& later, double seconds) {
  return later ? std::optional(Rate(earlier.value_or(0), *later, seconds)) : std::nullopt;
}

TopWorkerRates RatesOf(const TopWorkerReading& earlier, const TopWorkerReading& later,
                       double seconds) {
  TopWorkerRates rates{.switches = Rate(earlier.switches, later.switches, seconds),
                       .steals = Rate(earlier.steals, later.steals, seconds),
                       .parks = Rate(earlier.parks, later.parks, seconds),
                       .system_calls = Rate(earlier.system_calls, later.system_calls, seconds),
                       .busy = Rate(earlier.not_busy_ns, later.not_busy_ns, seconds * 1e9)};
  if (rates.busy) {
    rates.busy = 1 - std::min(1.0, *rates.busy);
  }
  return rates;
}

}  // namespace

std::uint64_t TopSnapshot::LocalTasks() const {
  return SumOf(now.workers, &TopWorkerReading::queue);
}

double TopSnapshot::Switches() const {
  return SumOf(rates, &TopWorkerRates::switches);
}

std::optional<double> TopSnapshot::Busy() const {
  const auto busy = PresentOf(rates, &TopWorkerRates::busy);
  return busy.empty() ? std::nullopt
                      : std::optional(SumOf(busy) / static_cast<double>(busy.size()));
}

TopSnapshot SnapshotBetween(const TopReading& earlier, TopReading later, std::uint64_t start_ns) {
  const auto seconds_since = [&later](std::uint64_t ns) {
    return later.time_ns < ns ? 0 : static_cast<double>(later.time_ns - ns) / 1e9;
  };
  const double seconds = seconds_since(earlier.time_ns);
  TopSnapshot snapshot{.now = {}, .seconds = seconds_since(start_ns), .rates = {}};
  for (std::size_t i = 0; i < later.workers.size(); ++i) {
    const TopWorkerReading before =
        i < earlier.workers.size() ? earlier.workers[i] : TopWorkerReading{};
    snapshot.rates.push_back(RatesOf(before, later.workers[i], seconds));
  }
  snapshot.now = std::move(later);
  return snapshot;
}

}  // namespace schedbench::harness
