#include "cli/output/progress_line.hpp"

#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "config/quote.hpp"
#include "platform/files/terminal.hpp"
#include "platform/time/clock.hpp"
#include "report/parts/progress_text.hpp"

#include <string_view>

namespace schedbench::cli {

namespace {

constexpr std::uint64_t kPeriodNs = 100'000'000;
constexpr std::string_view kErase = "\r\033[K";

// Cuts the text, because a line that a terminal breaks is erased only in part.
std::string Fitted(const std::string& text) {
  const auto size = platform::SizeOf(platform::Stream::kError);
  return size && size->columns > 1 ? std::string(config::FirstCharacters(text, size->columns - 1))
                                   : text;
}

}  // namespace

ProgressLine::ProgressLine(const Arguments& arguments)
    : shown_(!arguments[kQuietFlag] && platform::ErasesLines(platform::Stream::kError)),
      start_ns_(platform::NowNs()) {
}

void ProgressLine::Update(std::size_t done, std::size_t of, bool warming_up) {
  Draw([=](double passed) {
    return report::ProgressText(static_cast<std::uint32_t>(done), static_cast<std::uint32_t>(of),
                                warming_up, passed);
  });
}

void ProgressLine::Show(const std::function<std::string()>& text) {
  Draw([&text](double /*passed*/) { return text(); });
}

void ProgressLine::ShowStep(const std::string& text) {
  const platform::MutexLock lock(mutex_);
  if (shown_) {
    drawn_ns_ = platform::NowNs();
    Say(std::string(kErase) + Fitted(text));
  }
}

template <typename Text>
void ProgressLine::Draw(Text text) {
  const platform::MutexLock lock(mutex_);
  const std::uint64_t now = platform::NowNs();
  if (!shown_ || now - drawn_ns_ < kPeriodNs) {
    return;
  }
  drawn_ns_ = now;
  Say(std::string(kErase) + Fitted(text(static_cast<double>(now - start_ns_) / 1e9)));
}

harness::Progress ProgressLine::Updates() {
  return std::bind_front(&ProgressLine::Update, this);
}

void ProgressLine::Stop() {
  const platform::MutexLock lock(mutex_);
  if (shown_ && drawn_ns_ != 0) {
    Say(kErase);
  }
  shown_ = false;
}

}  // namespace schedbench::cli
