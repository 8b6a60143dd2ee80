#include "report/parts/progress_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace schedbench::report {

namespace {

std::string Bar(std::uint32_t done, std::uint32_t of) {
  constexpr std::uint32_t kWidth = 20;
  const std::uint64_t all = std::max(of, 1U);
  const std::uint64_t part = std::min<std::uint64_t>(done, all);
  const std::uint64_t filled = kWidth * part / all;
  return fmt::format("[{}{}] {} %", std::string(filled, '#'), std::string(kWidth - filled, '.'),
                     100 * part / all);
}

}  // namespace

std::string TimeText(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) {
    return fmt::format("{} s", whole);
  }
  return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string ProgressText(std::uint32_t done, std::uint32_t of, bool warming_up, double seconds) {
  std::string text = fmt::format("{}  round {} of {}{}", Bar(done, of), done, of,
                                 warming_up ? ", warming up" : "");
  if (done > 0) {
    const double left = of > done ? seconds * (of - done) / done : 0;
    text += fmt::format(", {} left", TimeText(left));
  }
  return text;
}

std::string BudgetText(double passed, double budget) {
  constexpr std::uint32_t kAll = 100;
  const double share = std::clamp(passed / budget, 0.0, 1.0);
  return fmt::format("{}  {}", Bar(static_cast<std::uint32_t>(share * kAll), kAll),
                     passed > budget ? "the last round ends"
                                     : fmt::format("at most {} left", TimeText(budget - passed)));
}

std::string CellsProgressText(const harness::ExperimentProgress& progress) {
  std::string text =
      Bar(static_cast<std::uint32_t>(progress.done), static_cast<std::uint32_t>(progress.of)) +
      (progress.blocks == 1 ? fmt::format("  cell {} of {}", progress.done + 1, progress.cells)
                            : fmt::format("  block {} of {}", progress.block + 1, progress.blocks));
  if (progress.settled > 0 && progress.blocks > 1) {
    text += fmt::format(", {} of {} cells settled", progress.settled, progress.cells);
  }
  return progress.seconds_left
             ? fmt::format("{}, at most {} left", text, TimeText(*progress.seconds_left))
             : text;
}

}  // namespace schedbench::report
