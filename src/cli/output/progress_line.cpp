#include "cli/output/progress_line.hpp"

#include "cli/output/output.hpp"
#include "platform/time/clock.hpp"
#include "report/parts/progress_text.hpp"

#include <string>
#include <string_view>

namespace schedbench::cli {

namespace {

constexpr std::uint64_t kPeriodNs = 100'000'000;
constexpr std::string_view kErase = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(bool shown)
    : shown_(shown),
      start_ns_(platform::NowNs()) {
}

void ProgressLine::Update(std::uint32_t done, std::uint32_t of, bool warming_up) {
  const platform::MutexLock lock(mutex_);
  const std::uint64_t now = platform::NowNs();
  if (!shown_ || now - drawn_ns_ < kPeriodNs) {
    return;
  }
  drawn_ns_ = now;
  const double passed = static_cast<double>(now - start_ns_) / 1e9;
  Say(std::string(kErase) + report::ProgressText(done, of, warming_up, passed));
}

void ProgressLine::Stop() {
  const platform::MutexLock lock(mutex_);
  if (shown_ && drawn_ns_ != 0) {
    Say(kErase);
  }
  shown_ = false;
}

}  // namespace schedbench::cli
