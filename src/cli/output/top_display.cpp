#include "cli/output/top_display.hpp"

#include "config/input_error.hpp"
#include "platform/time/clock.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace schedbench::cli {

namespace {

platform::ScreenLook LookOnScreen(report::CellLook look) {
  using platform::ScreenLook;
  constexpr std::array kLooks{ScreenLook::kPlain, ScreenLook::kBold, ScreenLook::kDim,
                              ScreenLook::kGreen, ScreenLook::kBlue, ScreenLook::kYellow};
  static_assert(kLooks.size() == static_cast<std::size_t>(report::CellLook::kSearching) + 1);
  return kLooks[static_cast<std::size_t>(look)];
}

std::unique_ptr<platform::Screen> TakeScreen() {
  try {
    return std::make_unique<platform::Screen>();
  } catch (const std::runtime_error& error) {
    throw config::InputError(error.what());
  }
}

}  // namespace

TopDisplay::TopDisplay(report::TopView view, bool once)
    : view_(std::move(view)),
      screen_(once ? nullptr : TakeScreen()) {
}

std::string TopDisplay::Add(const harness::TopReading& reading, std::uint64_t process) {
  std::string text;
  if (last_ && process_ == process) {
    harness::TopSnapshot snapshot = harness::SnapshotBetween(*last_, reading, start_ns_);
    history_.Add(snapshot);
    if (!screen_) {
      text = report::TopText(view_, snapshot);
    } else if (!view_.paused) {
      shown_ = std::move(snapshot);
      Draw();
    }
  } else {
    start_ns_ = reading.time_ns;
  }
  last_ = reading;
  process_ = process;
  return text;
}

void TopDisplay::SetMessage(std::string text) {
  view_.message = std::move(text);
  has_message_ = true;
}

bool TopDisplay::HandleInput() {
  if (!screen_) {
    return true;
  }
  while (const auto key = screen_->Key()) {
    if (!HandleKey(*key)) {
      return false;
    }
  }
  const platform::TerminalSize size = screen_->Size();
  // A program may write thousands of messages in a second.
  constexpr std::uint64_t kBetweenMessagesNs = 50'000'000;
  const bool shows_message = has_message_ && platform::NowNs() >= drawn_ns_ + kBetweenMessagesNs;
  if (shows_message || size.rows != drawn_.rows || size.columns != drawn_.columns) {
    Draw();
  }
  return true;
}

bool TopDisplay::HandleKey(char key) {
  switch (key) {
    case 'q':
      return false;
    case 'p':
      view_.paused = !view_.paused;
      break;
    case 's':
      view_.order = report::NextOrder(view_.order);
      break;
    case 'l':
      view_.logarithmic = !view_.logarithmic;
      break;
    default:
      return true;
  }
  Draw();
  return true;
}

void TopDisplay::Draw() {
  drawn_ = screen_->Size();
  drawn_ns_ = platform::NowNs();
  has_message_ = false;
  const report::TextGrid frame =
      report::TopFrame(view_, shown_, history_, drawn_.rows, drawn_.columns);
  for (std::size_t row = 0; row < frame.Rows(); ++row) {
    for (const report::TextGrid::Run& run : frame.RunsOf(row)) {
      screen_->Put(row, run.column, run.text, LookOnScreen(run.look));
    }
  }
  screen_->Show();
}

}  // namespace schedbench::cli
