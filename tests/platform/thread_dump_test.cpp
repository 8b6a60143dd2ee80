#include "platform/signals/thread_dump.hpp"

#include "base/attributes.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::platform::thread_dump_test {

namespace {

// ThreadSanitizer delivers signals at points of its own, of which a thread that sleeps in a futex
// has none.
#if !defined(SB_TSAN)

constexpr int kSilent = 20;

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Threads that wait for their end; those that are silent block all signals.
class Sleepers {
 public:
  explicit Sleepers(int silent) {
    for (int i = 0; i < silent; ++i) {
      threads_.push_back(std::make_unique<Thread>("silent", [this] {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        Sleep();
      }));
    }
    threads_.push_back(std::make_unique<Thread>("talker", [this] { Sleep(); }));
    while (asleep_ < silent + 1) {
      std::this_thread::yield();
    }
  }

  ~Sleepers() {
    end_.Set();
    threads_.clear();
  }

 private:
  void Sleep() {
    ++asleep_;
    end_.Wait();
  }

  ThreadEvent end_;
  std::atomic<int> asleep_{0};
  std::vector<std::unique_ptr<Thread>> threads_;
};

void SayHello(RawWriter& out, const MachineState& /*state*/) noexcept {
  out << "    hello\n";
}

// Each call has a function inlined into it.
std::vector<std::string> TwoNames(std::uintptr_t /*address*/) {
  return {"inner", "outer"};
}

TEST(ThreadDump, ReportsTheCallsOfEachThreadThatAnswers) {
  const Sleepers sleepers(0);
  const std::string text = DumpOtherThreads(&SayHello, &TwoNames);
  EXPECT_NE(text.find("  thread 'talker' ("), std::string::npos) << text;
  EXPECT_NE(text.find(")\n    hello\n    #0 inner\n    #1 outer\n    #2 inner\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(Count(text, "does not answer"), 0U) << text;
}

TEST(ThreadDump, WaitsForAllSilentThreadsNoLongerThanForOne) {
  const Sleepers sleepers(kSilent);
  for (int i = 0; i < 2; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::string text = DumpOtherThreads(&SayHello, &TwoNames);
    // A fifth of what it takes to wait a quarter of a second for each.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(kSilent) / 10);
    EXPECT_EQ(Count(text, "  thread 'silent' (asleep)\n    does not answer\n"), kSilent) << text;
    EXPECT_EQ(Count(text, "    hello\n"), 1U) << text;
  }
}

void Block(RawWriter& /*out*/, const MachineState& /*state*/) noexcept {
  static ThreadEvent never;
  never.Wait();
}

TEST(ThreadDump, EndsWhenAThreadIsStuckInItsAnswer) {
  const auto dump = [] {
    // Their threads are never let go: the process ends with them.
    new Sleepers(0);
    const std::string text = DumpOtherThreads(&Block, &TwoNames);
    const std::string again = DumpOtherThreads(&SayHello, &TwoNames);
    std::_Exit(Count(text, "does not answer") >= 1 && Count(again, "hello") == 0 ? 7 : 8);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(dump(), testing::ExitedWithCode(7), "");
}

#endif

}  // namespace

}  // namespace schedbench::platform::thread_dump_test
