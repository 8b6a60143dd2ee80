#include "cli/output/live_comparison.hpp"

#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
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

}  // namespace

LiveComparison::LiveComparison(const Arguments& arguments, const report::ComparisonResult& result)
    : result_(result),
      shown_(result.plan.budget && !arguments.Has(kQuietFlag) &&
             platform::ErasesLines(platform::Stream::kError)),
      start_ns_(platform::NowNs()) {
}

void LiveComparison::Update(const harness::ComparisonData& data) {
  if (!shown_) {
    return;
  }
  report::ComparisonResult so_far = result_;
  so_far.data = data;
  so_far.comparison = harness::Analyse(
      so_far.plan, data, {.of_all = result_.min_effect, .of_throughput = result_.throughput_floor});
  report::TerminalStyle style{.unicode = platform::TakesUtf8(),
                              .colour = platform::TakesColour(platform::Stream::kError)};
  const auto size = platform::SizeOf(platform::Stream::kError);
  if (size) {
    style.width = std::min(style.width, size->columns);
  }
  table_ = report::RenderLiveComparison(so_far, style);
  const auto lines = static_cast<std::size_t>(std::ranges::count(table_, '\n'));
  if (size && lines + 2 > size->rows) {
    table_.clear();  // what has left the screen cannot be erased
  }
  Draw();
}

void LiveComparison::Tick() {
  if (shown_ && platform::NowNs() - drawn_ns_ >= kRedrawNs) {
    Draw();
  }
}

void LiveComparison::Draw() {
  drawn_ns_ = platform::NowNs();
  Erase();
  const auto passed = static_cast<double>(drawn_ns_ - start_ns_) / 1e9;
  const double budget = static_cast<double>(result_.plan.budget->count()) / 1e9;
  Say(table_ + report::BudgetText(passed, budget));
  lines_ = static_cast<std::size_t>(std::ranges::count(table_, '\n'));
}

void LiveComparison::Erase() {
  Say(fmt::format("\r{}{}", lines_ > 0 ? fmt::format("\033[{}A", lines_) : "", kEraseTable));
  lines_ = 0;
}

void LiveComparison::Stop() {
  if (shown_ && drawn_ns_ != 0) {
    Erase();
  }
  shown_ = false;
}

}  // namespace schedbench::cli
