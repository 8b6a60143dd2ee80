#include "tests/support/stress.hpp"

#include "base/attributes.hpp"
#include "tests/support/tier.hpp"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace schedbench::tests {

namespace {

// Beyond what a loaded machine under ThreadSanitizer needs, below the limit of the test presets
// (300 s).
constexpr std::chrono::seconds kHang{PlainOrSanitized(60, 180)};

// Arbitrary: long enough for thousands of repetitions of what is tested. Under ThreadSanitizer each
// takes several times as long.
#if defined(SB_TSAN)
constexpr double kQuickSeconds = 0.2;
#else
constexpr double kQuickSeconds = 0.1;
#endif
constexpr double kFullSeconds = 1.0;

std::chrono::steady_clock::duration Length() {
  double seconds = QuickOrFull(kQuickSeconds, kFullSeconds);
  if (const char* text = std::getenv("SCHEDBENCH_STRESS_SECONDS")) {
    seconds = std::strtod(text, nullptr);
  }
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

std::uint64_t ChooseSeed() {
  const char* text = std::getenv("SCHEDBENCH_SEED");
  const std::uint64_t seed =
      text != nullptr ? std::strtoull(text, nullptr, 10) : std::random_device{}();
  std::printf("seed: SCHEDBENCH_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  return seed;
}

}  // namespace

std::uint64_t Seed() {
  static const std::uint64_t seed = ChooseSeed();
  return seed;
}

StressTime::StressTime()
    : end_(std::chrono::steady_clock::now() + Length()) {
}

struct HangGuard::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool watched = false;
  bool over = false;
  std::thread watcher;
};

HangGuard::HangGuard(const char* what)
    : state_(new State) {
  state_->watcher = std::thread([state = state_, what = std::string(what)] {
    std::unique_lock lock(state->mutex);
    state->watched = true;
    state->changed.notify_one();
    if (!state->changed.wait_for(lock, kHang, [state] { return state->over; })) {
      std::fprintf(stderr, "hangs: %s\n", what.c_str());
      std::abort();
    }
  });
  // The start of a thread allocates: not in the midst of a test that counts that.
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->watched; });
}

HangGuard::~HangGuard() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  state_->changed.notify_one();
  state_->watcher.join();
  delete state_;
}

}  // namespace schedbench::tests
