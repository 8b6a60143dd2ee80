#include "platform/threads/thread_event.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include <pthread.h>

namespace schedbench::platform::thread_event_test {

namespace {

using namespace std::chrono_literals;

TEST(ThreadEvent, BlocksUntilItIsSetAndShowsWhatWasWrittenBefore) {
  const tests::HangGuard guard("a thread event");
  for (int round = 0; round < 200; ++round) {
    ThreadEvent event;
    int value = 0;  // plain: the event must order it
    std::jthread waiter([&] {
      event.Wait();
      EXPECT_EQ(value, 42);
    });
    value = 42;
    event.Set();
  }
}

TEST(ThreadEvent, DoesNotBlockOnceItIsSet) {
  ThreadEvent event;
  EXPECT_FALSE(event.IsSet());
  event.Set();
  EXPECT_TRUE(event.IsSet());
  event.Wait();
  EXPECT_TRUE(event.WaitFor(1h));
}

TEST(ThreadEvent, WaitsNoLongerThanTheLimit) {
  ThreadEvent event;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(event.WaitFor(20ms));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
  EXPECT_FALSE(event.WaitFor(0ns));
}

TEST(ThreadEvent, IsSeenByAThreadThatWaitsWithALimit) {
  ThreadEvent event;
  std::jthread setter([&] { event.Set(); });
  EXPECT_TRUE(event.WaitFor(100s));
}

TEST(ThreadEvent, ContinuesToWaitAfterASignal) {
  // A profiler sends a thousand of them a second.
  struct sigaction ignore{};
  ignore.sa_handler = [](int) {};
  struct sigaction before{};
  sigaction(SIGUSR1, &ignore, &before);
  const tests::HangGuard guard("a wait with a signal");
  ThreadEvent event;
  const pthread_t waiter = pthread_self();
  bool may_be_seen = false;  // plain: the event must order it
  std::jthread disturber([&] {
    // For so long that most of them meet a waiter that sleeps.
    const auto end = std::chrono::steady_clock::now() + 100ms;
    while (std::chrono::steady_clock::now() < end) {
      pthread_kill(waiter, SIGUSR1);
      std::this_thread::yield();
    }
    may_be_seen = true;
    event.Set();
  });
  EXPECT_TRUE(event.WaitFor(100s)) << "neither set nor timed out: a signal ended the wait";
  if (event.IsSet()) {
    EXPECT_TRUE(may_be_seen);
  }
  disturber.join();
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(ThreadEvent, MayBeDestroyedByTheWaiter) {
  const tests::HangGuard guard("a thread event");
  for (int round = 0; round < 500; ++round) {
    auto event = std::make_unique<ThreadEvent>();
    std::jthread setter([event = event.get()] { event->Set(); });
    event->Wait();
    event.reset();
  }
}

}  // namespace

}  // namespace schedbench::platform::thread_event_test
