#include "coroutines/in_fiber.hpp"

#include "coroutines/spawn.hpp"
#include "coroutines/task.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/net/stream.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/mutex.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::coroutines::in_fiber_test {

namespace {

using tests::HangGuard;

Task<std::string> ReadAll(fibers::Pipe& pipe) {
  std::string text;
  for (;;) {
    std::array<std::byte, 16> buffer{};
    const fibers::Transfer got = co_await InFiber([&] { return pipe.reader.ReadSome(buffer); });
    if (got.bytes == 0) {
      co_return text;
    }
    text.append(reinterpret_cast<const char*>(buffer.data()), got.bytes);
  }
}

TEST(InFiber, LetsACoroutineReadFromAPipe) {
  const HangGuard guard("a coroutine that reads");
  const auto pool = tests::MakeScheduler("fast", 2);
  auto pipe = fibers::Pipe::Open().Take();
  auto text = Spawn(*pool, ReadAll(pipe));
  EXPECT_TRUE(pipe.writer.WriteAll(fibers::BytesOf("one")).Ok());
  EXPECT_TRUE(pipe.writer.WriteAll(fibers::BytesOf("two")).Ok());
  pipe.writer.Close();
  EXPECT_EQ(std::move(text).Get(), "onetwo");
}

Task<void> Send(fibers::Channel<int>& channel, int count) {
  for (int i = 0; i < count; ++i) {
    co_await InFiber([&] { channel.Send(i); });
  }
}

Task<int> Receive(fibers::Channel<int>& channel, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += co_await InFiber([&] { return channel.Receive(); });
  }
  co_return sum;
}

TEST(InFiber, LetsCoroutinesUseAChannel) {
  const HangGuard guard("coroutines with a channel");
  const auto pool = tests::MakeScheduler("fast", 2);
  fibers::Channel<int> channel(1);
  auto sum = Spawn(*pool, Receive(channel, 100));
  auto sent = Spawn(*pool, Send(channel, 100));
  std::move(sent).Get();
  EXPECT_EQ(std::move(sum).Get(), 4950);
}

Task<void> Increment(fibers::Mutex& mutex, int& value, int count) {
  for (int i = 0; i < count; ++i) {
    co_await InFiber([&] {
      mutex.Lock();
      ++value;
      mutex.Unlock();
    });
  }
}

TEST(InFiber, LetsCoroutinesUseAMutex) {
  const HangGuard guard("coroutines with a mutex");
  const auto pool = tests::MakeScheduler("fast", 2);
  fibers::Mutex mutex;
  int value = 0;
  std::vector<futures::Future<void>> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(Spawn(*pool, Increment(mutex, value, 250)));
  }
  for (auto& one : all) {
    std::move(one).Get();
  }
  EXPECT_EQ(value, 1000);
}

Task<void> Sleep(std::chrono::milliseconds time) {
  co_await InFiber([time] { fibers::SleepFor(time); });
}

TEST(InFiber, LetsACoroutineSleep) {
  const HangGuard guard("a coroutine that sleeps");
  const auto pool = tests::MakeScheduler("fast", 1);
  const auto begin = std::chrono::steady_clock::now();
  Spawn(*pool, Sleep(std::chrono::milliseconds(3))).Get();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3));
}

Task<std::string> Catch() {
  try {
    co_await InFiber([] { throw std::runtime_error("from the fiber"); });
  } catch (const std::runtime_error& error) {
    co_return error.what();
  }
  co_return "nothing";
}

TEST(InFiber, PassesAnExceptionOn) {
  const auto pool = tests::MakeScheduler("fast", 1);
  EXPECT_EQ(Spawn(*pool, Catch()).Get(), "from the fiber");
}

}  // namespace

}  // namespace schedbench::coroutines::in_fiber_test
