#include "report/top/top_frame.hpp"

#include "base/enum_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/top/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <string_view>

namespace schedbench::report {

namespace {

using harness::TopHistory;
using harness::TopSnapshot;

constexpr std::size_t kHeadRows = 5;  // rows above the workers, with the blank one
constexpr std::size_t kPlotRows = 4;
constexpr std::size_t kTextColumns = 80;

std::string_view TextOf(TopOrder order) {
  return EnumText(order, {"number", "queue", "switches", "busy"});
}

void PutHead(const TopView& view, const TopSnapshot& snapshot, TextGrid& grid) {
  const harness::TopReading& now = snapshot.now;
  const std::size_t after = grid.Put(0, 0, view.title, CellLook::kBold);
  grid.Put(0, after + 3,
           fmt::format("{:.1f} s{}", snapshot.seconds, view.paused ? "   paused" : ""));
  grid.Put(1, 0,
           fmt::format("{} {}   idle {}   searching {}   threads {}   global queue {}   local {}",
                       view.is_go ? "gomaxprocs" : "workers", now.workers.size(), now.idle,
                       now.searching, now.threads, now.global_queue, snapshot.LocalTasks()));
  const harness::FiberStates& fibers = now.fibers;
  grid.Put(2, 0,
           fmt::format("{}: waiting {}   runnable {}   executing {}{}",
                       view.is_go ? "goroutines" : "fibers", fibers.waiting, fibers.runnable,
                       fibers.executing,
                       fibers.in_system_call
                           ? fmt::format("   in a system call {}", *fibers.in_system_call)
                           : ""));
  std::string rates = fmt::format("switches/s {}", Scaled(snapshot.Switches()));
  if (const auto busy = snapshot.Busy()) {
    rates += fmt::format("   busy {}", Percent(*busy));
  }
  if (now.rounds) {
    rates += fmt::format("   rounds {}", *now.rounds);
  }
  if (now.throughput) {
    rates += fmt::format("   throughput {} {}/s", Scaled(*now.throughput), view.operation);
  }
  grid.Put(3, 0, rates);
}

// A plotted quantity and its position.
struct PlotPlace {
  std::string_view name;
  const std::deque<double>& values;
  std::size_t row;
  std::size_t column;
  std::size_t columns;
};

void PutPlot(const TopView& view, const PlotPlace& place, TextGrid& grid) {
  const std::size_t shown = std::min(place.values.size(), place.columns * 2);
  const double most =
      shown == 0 ? 0
                 : *std::max_element(place.values.end() - static_cast<std::ptrdiff_t>(shown),
                                     place.values.end());
  grid.Put(
      place.row, place.column,
      fmt::format("{}, highest {}{}", place.name, Scaled(most), view.logarithmic ? " (log)" : ""),
      CellLook::kDim);
  const std::vector<std::string> rows = Plot(place.values, {.rows = kPlotRows,
                                                            .columns = place.columns,
                                                            .logarithmic = view.logarithmic,
                                                            .unicode = view.unicode});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    grid.Put(place.row + 1 + i, place.column, rows[i], CellLook::kBusy);
  }
}

void PutKeys(const TopView& view, TextGrid& grid) {
  const std::size_t row = grid.Rows() - 1;
  grid.Put(
      row, 0,
      fmt::format("q quit   p {}   s sort: {}   l {} plots", view.paused ? "continue" : "pause",
                  TextOf(view.order), view.logarithmic ? "linear" : "logarithmic"),
      CellLook::kDim);
}

}  // namespace

TextGrid TopFrame(const TopView& view, const TopSnapshot& snapshot, const TopHistory& history,
                  std::size_t rows, std::size_t columns) {
  TextGrid grid(rows, columns);
  if (rows < kLeastRows || columns < kLeastColumns) {
    grid.Put(0, 0, "terminal too small");
    grid.Put(1, 0, fmt::format("needs {} x {}", kLeastColumns, kLeastRows));
    return grid;
  }
  PutHead(view, snapshot, grid);
  // The message and the keys are below. Plots come after the workers have some rows.
  const std::size_t with_plots = kHeadRows + 2 + 1 + kPlotRows + 2;
  const std::size_t plots = rows >= with_plots ? kPlotRows + 1 : 0;
  PutWorkers(view, snapshot, kHeadRows, rows - kHeadRows - plots - 2, grid);
  if (plots > 0) {
    const std::size_t width = (columns - 2) / 2;
    const std::size_t row = rows - 2 - plots;
    PutPlot(view, {"tasks in queues", history.Queued(), row, 0, width}, grid);
    PutPlot(view, {"switches/s", history.Switches(), row, width + 2, width}, grid);
  }
  grid.Put(rows - 2, 0, view.message);
  PutKeys(view, grid);
  return grid;
}

std::string TopText(const TopView& view, const TopSnapshot& snapshot) {
  const std::size_t workers = snapshot.now.workers.size() + 1;
  TextGrid grid(kHeadRows + workers, kTextColumns);
  PutHead(view, snapshot, grid);
  PutWorkers(view, snapshot, kHeadRows, workers, grid);
  return grid.Text();
}

TopOrder NextOrder(TopOrder order) {
  return order == TopOrder::kBusy ? TopOrder::kNumber
                                  : static_cast<TopOrder>(static_cast<int>(order) + 1);
}

}  // namespace schedbench::report
