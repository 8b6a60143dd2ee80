#include "platform/threads/thread.hpp"

#include "platform/threads/allowed_cpus.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

namespace schedbench::platform::thread_test {

namespace {

std::string OwnName() {
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof(name));
  return name;
}

TEST(Thread, HasItsNameCutToWhatTheSystemTakes) {
  std::string short_name;
  std::string long_name;
  Thread("worker-1", [&] { short_name = OwnName(); }).Join();
  Thread("a name of more than fifteen bytes", [&] { long_name = OwnName(); }).Join();
  EXPECT_EQ(short_name, "worker-1");
  EXPECT_EQ(long_name, "a name of more ");
}

TEST(Thread, JoinsInItsDestructor) {
  std::atomic<bool> ended{false};
  {
    Thread thread("ends", [&] {
      std::this_thread::yield();
      ended = true;
    });
  }
  EXPECT_TRUE(ended);
}

class NoteWorkers final : public IWorkerThreadWatcher {
 public:
  void OnBegin(const std::string& name) noexcept override {
    begun = name;
  }
  void OnEnd() noexcept override {
    ++ended;
  }

  std::string begun;
  int ended = 0;
};

TEST(WorkerScope, MakesAThreadAWorkerThatIsWatched) {
  NoteWorkers watcher;
  WatchWorkerThreads(&watcher);
  std::string name;
  std::thread([&] {
    const WorkerScope worker("mine-3");
    name = OwnName();
    EXPECT_EQ(watcher.begun, "mine-3");
    EXPECT_EQ(watcher.ended, 0);
    ASSERT_EQ(LiveWorkers().size(), 1U);
    EXPECT_EQ(LiveWorkers()[0].number, 3U);
    EXPECT_EQ(LiveWorkers()[0].thread, ::gettid());
  }).join();
  EXPECT_TRUE(LiveWorkers().empty());
  WatchWorkerThreads(nullptr);
  EXPECT_EQ(name, "mine-3");
  EXPECT_EQ(watcher.ended, 1);
}

TEST(AvailableCpus, CountsThoseOfTheAffinityMaskOnly) {
  EXPECT_GE(AvailableCpus(), 1U);
  std::uint32_t count = 0;
  Thread("bound", [&] {
    const int first = AllowedCpuNumbers().front();
    EXPECT_TRUE(RunOnlyOn(std::span(&first, 1)));
    EXPECT_EQ(AllowedCpuNumbers(), std::vector{first});
    count = AvailableCpus();
  }).Join();
  EXPECT_EQ(count, 1U);
}

TEST(ThreadNumber, IsEachThreadsOwnAlsoOfThoseThatHaveEnded) {
  std::set<std::uint64_t> numbers{ThreadNumber()};
  EXPECT_EQ(ThreadNumber(), *numbers.begin());
  for (int i = 0; i < 20; ++i) {
    Thread("numbered", [&] {
      EXPECT_TRUE(numbers.insert(ThreadNumber()).second);
      EXPECT_FALSE(numbers.insert(ThreadNumber()).second);
    }).Join();
  }
  EXPECT_EQ(numbers.count(0), 0U);
}

TEST(ThreadLocalPtr, IsEachThreadsOwnAndNullAtFirst) {
  using Mine = ThreadLocalPtr<int, class OneTag>;
  using Other = ThreadLocalPtr<int, class OtherTag>;
  int number = 0;
  Mine::Set(&number);
  EXPECT_EQ(Mine::Get(), &number);
  EXPECT_EQ(Other::Get(), nullptr);
  std::thread([&] {
    EXPECT_EQ(Mine::Get(), nullptr);
    int own = 0;
    Mine::Set(&own);
    EXPECT_EQ(Mine::Get(), &own);
  }).join();
  EXPECT_EQ(Mine::Get(), &number);
  Mine::Set(nullptr);
}

}  // namespace

}  // namespace schedbench::platform::thread_test
