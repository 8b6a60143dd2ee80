#include "profile/sampling/census.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/net/tcp.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "profile/folded.hpp"
#include "profile/symbolized_profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace schedbench::profile::census_test {

namespace {

// Nanoseconds between two looks.
constexpr std::uint64_t kStep = 5000;

std::uint64_t Weight(const StackProfile& profile) {
  std::uint64_t sum = 0;
  for (const Sample& sample : profile.samples) {
    sum += sample.weight_ns;
  }
  return sum;
}

// The only stack there is, with names.
std::string TheStack(const StackProfile& profile) {
  const FoldedStacks stacks = Fold(Symbolized(profile, Show::kOwn), {});
  EXPECT_EQ(stacks.size(), 1u);
  return stacks.empty() ? "" : stacks.begin()->first;
}

class CensusTest : public testing::Test {
 protected:
  void Look(int times = 1) {
    for (int i = 0; i < times; ++i) {
      now_ns_ += kStep;
      census_.Take(now_ns_);
    }
  }

  executors::ManualExecutor executor_;
  Census census_;
  std::uint64_t now_ns_ = 1;
};

TEST_F(CensusTest, CountsFibersThatHaveNeverRun) {
  for (int i = 0; i < 50; ++i) {
    fibers::Go(executor_, [] {});
  }
  Look(3);
  EXPECT_EQ(TheStack(census_.Ready()), "fiber:not begun;ready:queue");
  EXPECT_EQ(Weight(census_.Ready()), 100 * kStep);
  executor_.Drain();
  Look();
  EXPECT_EQ(Weight(census_.Ready()), 100 * kStep) << "they have run";
}

TEST_F(CensusTest, SeesWhereFibersWaitAndForWhat) {
  fibers::Event event;
  for (int i = 0; i < 3; ++i) {
    fibers::Go(executor_, [&event] { event.Wait(); }, {.name = "waiter"});
  }
  executor_.Drain();
  Look(3);
  EXPECT_EQ(census_.Looks(), 3u);
  EXPECT_EQ(Weight(census_.Waiting()), 6 * kStep) << "the first look only begins";
  EXPECT_EQ(Weight(census_.Ready()), 0u);
  const std::string stack = TheStack(census_.Waiting());
  EXPECT_TRUE(stack.starts_with("fiber:waiter;")) << stack;
  EXPECT_NE(stack.find(";schedbench::fibers::Event::Wait"), std::string::npos) << stack;
  EXPECT_TRUE(stack.ends_with(";wait:Event")) << stack;
  event.Fire();
  Look();
  EXPECT_EQ(Weight(census_.Waiting()), 6 * kStep) << "they have been made ready";
  EXPECT_EQ(TheStack(census_.Ready()), "fiber:waiter;ready:queue");
  EXPECT_EQ(Weight(census_.Ready()), 3 * kStep);
  executor_.Drain();
  Look();
  EXPECT_EQ(Weight(census_.Ready()), 3 * kStep) << "they have ended";
}

TEST_F(CensusTest, NamesTheDescriptorAndThePeerThatAFiberWaitsFor) {
  auto listener = fibers::TcpListener::Listen(fibers::SocketAddress::Loopback(0)).Take();
  auto client = fibers::TcpStream::Connect(listener.Address()).Take();
  auto server = listener.Accept().Take();
  bool read = false;
  fibers::Go(executor_, [&] {
    std::array<std::byte, 1> buffer{};
    server.ReadSome(buffer);
    read = true;
  });
  executor_.Drain();
  Look(2);
  const std::string stack = TheStack(census_.Waiting());
  EXPECT_NE(stack.find(";wait:data to read;data to read on fd "), std::string::npos) << stack;
  EXPECT_TRUE(stack.ends_with(", peer " + client.LocalAddress().Text())) << stack;
  client.Close();
  while (!read) {
    executor_.Drain();
  }
}

TEST_F(CensusTest, DoesNotTakeAFiberThatRunsForOneThatIsReady) {
  fibers::Go(executor_, [] { fibers::Yield(); }, {.name = "yielded"});
  fibers::Go(executor_,
             [this] {
               Look();
               Look();
               fibers::Yield();
               Look();
             },
             {.name = "looks"});
  executor_.RunNext();
  executor_.RunNext();
  EXPECT_EQ(TheStack(census_.Ready()), "fiber:yielded;ready:queue");
  EXPECT_EQ(Weight(census_.Ready()), kStep);
  executor_.RunNext();
  executor_.RunNext();
  EXPECT_EQ(Weight(census_.Ready()), kStep) << "one has ended, and the other runs again";
}

TEST_F(CensusTest, EstimatesTheTimeOfManyFromSomeOfThem) {
  constexpr std::uint64_t kFibers = 2000;
  constexpr int kLooks = 20;
  fibers::Mutex mutex;
  fibers::Event event;
  for (std::uint64_t i = 0; i < kFibers; ++i) {
    fibers::Go(executor_, [&] {
      mutex.Lock();
      event.Wait();
      mutex.Unlock();
    });
  }
  executor_.Drain();
  Look(kLooks);
  const auto estimate = static_cast<double>(Weight(census_.Waiting()));
  const auto truth = static_cast<double>(kFibers * (kLooks - 1) * kStep);
  EXPECT_NEAR(estimate, truth, 0.05 * truth);
  EXPECT_LT(census_.Waiting().samples.size(), kFibers * 2) << "no look is at all of them";
  event.Fire();
  executor_.Drain();
}

}  // namespace

}  // namespace schedbench::profile::census_test
