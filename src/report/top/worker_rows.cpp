#include "base/enum_text.hpp"
#include "base/vector_of.hpp"
#include "report/parts/quantity.hpp"
#include "report/top/plot.hpp"
#include "report/top/top_frame.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::TopSnapshot;
using harness::WorkerState;

constexpr std::size_t kBarCells = 12;

std::string_view TextOf(WorkerState state) {
  return EnumText(state, {"run", "search", "steal", "park", "syscall", "stopped", "-"});
}

CellLook LookOf(WorkerState state) {
  switch (state) {
    case WorkerState::kRun:
    case WorkerState::kSystemCall:
      return CellLook::kBusy;
    case WorkerState::kSearch:
    case WorkerState::kSteal:
      return CellLook::kSearching;
    default:
      return CellLook::kIdle;
  }
}

std::string RateText(const std::optional<double>& rate) {
  return rate ? Scaled(*rate) : "-";
}

// Returns the sort key of a worker; the largest comes first.
double KeyOf(const TopSnapshot& snapshot, std::size_t worker, TopOrder order) {
  switch (order) {
    case TopOrder::kQueue:
      return static_cast<double>(snapshot.now.workers[worker].queue);
    case TopOrder::kSwitches:
      return snapshot.rates[worker].switches;
    case TopOrder::kBusy:
      return snapshot.rates[worker].busy.value_or(0);
    case TopOrder::kNumber:
      return 0;
  }
  return 0;
}

std::vector<std::size_t> Sorted(const TopSnapshot& snapshot, TopOrder order) {
  std::vector<std::size_t> workers = Indices(snapshot.now.workers.size());
  // Among equal keys the lower number comes first.
  std::ranges::sort(workers, [&](std::size_t one, std::size_t other) {
    return std::pair(KeyOf(snapshot, other, order), one) <
           std::pair(KeyOf(snapshot, one, order), other);
  });
  return workers;
}

void PutWorker(const TopView& view, const TopSnapshot& snapshot, std::size_t number,
               std::size_t row, TextGrid& grid) {
  const harness::TopWorkerReading& worker = snapshot.now.workers[number];
  const harness::TopWorkerRates& rates = snapshot.rates[number];
  grid.Put(row, 0, fmt::format("{}{}", view.is_go ? "P" : "", number));
  grid.Put(row, 8, TextOf(worker.state), LookOf(worker.state));
  grid.Put(row, 16, worker.slot_is_full ? (*worker.slot_is_full ? "full" : "empty") : "-");
  grid.Put(row, 22, fmt::format("{:>6}", worker.queue));
  grid.Put(row, 29, DoublingBar(worker.queue, kBarCells, view.unicode), CellLook::kBusy);
  const auto third = view.is_go ? rates.system_calls : rates.steals;
  grid.Put(row, 42,
           fmt::format("{:>10} {:>9} {:>8}", Scaled(rates.switches), RateText(third),
                       RateText(rates.parks)));
  grid.Put(row, 72, fmt::format("{:>6}", rates.busy ? Percent(*rates.busy) : "-"));
}

}  // namespace

void PutWorkers(const TopView& view, const TopSnapshot& snapshot, std::size_t first,
                std::size_t room, TextGrid& grid) {
  constexpr CellLook kHead = CellLook::kBold;
  grid.Put(first, 0, view.is_go ? "P" : "worker", kHead);
  grid.Put(first, 8, "state", kHead);
  grid.Put(first, 16, "slot", kHead);
  grid.Put(first, 22, " local queue", kHead);
  grid.Put(first, 42,
           fmt::format("{:>10} {:>9} {:>8}", "switches/s", view.is_go ? "syscall/s" : "steals/s",
                       "parks/s"),
           kHead);
  grid.Put(first, 72, "  busy", kHead);
  const std::vector<std::size_t> workers = Sorted(snapshot, view.order);
  const std::size_t rows = room - std::min<std::size_t>(room, 1);
  const std::size_t shown =
      workers.size() <= rows ? workers.size() : rows - std::min<std::size_t>(rows, 1);
  for (std::size_t i = 0; i < shown; ++i) {
    PutWorker(view, snapshot, workers[i], first + 1 + i, grid);
  }
  if (shown < workers.size() && rows > 0) {
    grid.Put(first + 1 + shown, 0, fmt::format("{} more", workers.size() - shown), CellLook::kDim);
  }
}

}  // namespace schedbench::report
