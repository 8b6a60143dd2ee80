#include "cli/output/live_comparison.hpp"

#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "config/quote.hpp"
#include "harness/compare/analysis.hpp"
#include "platform/files/terminal.hpp"
#include "platform/time/clock.hpp"
#include "report/parts/progress_text.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::cli {

namespace {

constexpr std::uint64_t kRedrawNs = 100'000'000;
constexpr std::string_view kEraseTable = "\033[J";
constexpr std::string_view kEraseLine = "\033[K";

// What has left the screen cannot be erased: as many of the first lines as fit, each cut at the right edge. The progress line comes
// below.
std::string Fitted(std::string_view table, const platform::TerminalSize& size,
                   const report::TerminalStyle& style) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(table, '\n'));
  const std::size_t room = size.rows - std::min<std::size_t>(size.rows, 2);
  const std::size_t shown = lines <= room ? lines : room - std::min<std::size_t>(room, 1);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t end = table.find('\n');
    text += fmt::format("{}\n", config::FirstCharacters(table.substr(0, end), size.columns));
    table.remove_prefix(end + 1);
  }
  if (shown < lines && room > 0) {
    text += fmt::format("  {} {} more\n", style.Sign("…", "..."), lines - shown);
  }
  return text;
}

}  // namespace

LiveComparison::LiveComparison(const Arguments& arguments, const report::ComparisonResult& result)
    : result_(result),
      shown_(result.plan.budget && !arguments[kQuietFlag] &&
             platform::ErasesLines(platform::Stream::kError)),
      start_ns_(platform::NowNs()) {
}

void LiveComparison::Update(const harness::ComparisonData& data) {
  if (!shown_ || (updated_ns_ != 0 && platform::NowNs() - updated_ns_ < kRedrawNs)) {
    return;
  }
  report::ComparisonResult so_far = result_;
  so_far.data = data;
  so_far.comparison = harness::Analyse(
      so_far.plan, data, {.of_all = result_.min_effect, .of_throughput = result_.throughput_floor});
  report::TerminalStyle style{.unicode = platform::TakesUtf8()};  // without colour: lines are cut
  const auto size = platform::SizeOf(platform::Stream::kError);
  if (size) {
    style.width = std::min(style.width, size->columns);
  }
  const std::string table = report::RenderMatrix(so_far, style);
  const std::string fitted = size ? Fitted(table, *size, style) : table;
  Say(Erased() + fitted + Progress());
  lines_ = static_cast<std::size_t>(std::ranges::count(fitted, '\n'));
  updated_ns_ = drawn_ns_;
}

void LiveComparison::Tick() {
  if (shown_ && platform::NowNs() - drawn_ns_ >= kRedrawNs) {
    Say(fmt::format("\r{}{}", Progress(), kEraseLine));
  }
}

std::string LiveComparison::Progress() {
  drawn_ns_ = platform::NowNs();
  const auto passed = static_cast<double>(drawn_ns_ - start_ns_) / 1e9;
  const double budget = static_cast<double>(result_.plan.budget->count()) / 1e9;
  return report::BudgetText(passed, budget);
}

std::string LiveComparison::Erased() const {
  return fmt::format("\r{}{}", lines_ > 0 ? fmt::format("\033[{}A", lines_) : "", kEraseTable);
}

void LiveComparison::Stop() {
  if (shown_ && drawn_ns_ != 0) {
    Say(Erased());
  }
  shown_ = false;
}

}  // namespace schedbench::cli
