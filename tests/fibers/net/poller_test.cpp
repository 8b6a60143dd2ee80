#include "fibers/net/poller.hpp"

#include "fibers/diagnostics/wait_report.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/net/net_support.hpp"
#include "tests/support/tier.hpp"

#include <thread>

namespace schedbench::fibers::poller_test {

namespace {

using executors::ManualExecutor;
using tests::ConnectedPair;

// Drives the poller in place of the thread of the process.
class Driver {
 public:
  Driver() {
    poller_.AddDriver();
    // The thread of the process leaves.
    while (!poller_.Turn().TryWait(this)) {
      std::this_thread::yield();
    }
  }
  ~Driver() {
    poller_.Leave();
    poller_.RemoveDriver();
  }

  Poller& operator*() const {
    return poller_;
  }
  Poller* operator->() const {
    return &poller_;
  }

 private:
  Poller& poller_ = *Poller::OfProcess();
};

TEST(Poller, LetsADriverDistributeWhatItFinds) {
  const tests::HangGuard guard("a driver");
  auto [client, server] = ConnectedPair();
  ManualExecutor first;
  ManualExecutor second;
  std::array<std::byte, 4> buffer;
  Transfer got;
  Go(first, [&, &stream = server] { got = stream.ReadSome(buffer); });
  first.Drain();
  {
    Driver poller;
    ReadyFibers ready;
    EXPECT_FALSE(poller->Turn().TryLook(&ready)) << "one thread polls at a time";
    EXPECT_TRUE(client.WriteAll(BytesOf("abc")).Ok());
    while (ready.IsEmpty()) {
      poller->Poll(-1, ready);
    }
    EXPECT_EQ(ready.Size(), 1);
    EXPECT_TRUE(ready.TakeOf(second).IsEmpty());
    EXPECT_EQ(got.bytes, 0) << "a poll resumes no fiber";
    first.SubmitAll(ready.TakeOf(first), executors::SchedulerHint::UpToYou);
    EXPECT_TRUE(ready.IsEmpty());
    first.Drain();
    EXPECT_EQ(got.bytes, 3);
  }
}

TEST(Poller, ReturnsAfterABreakAndAtItsTimeout) {
  const tests::HangGuard guard("a break");
  ConnectedPair();
  Driver poller;
  ReadyFibers ready;
  poller->Poll(0, ready);
  ready.SubmitAll();
  const std::uint64_t before = poller->ReadCounts().breaks;
  poller->Break();
  poller->Break();
  while (poller->ReadCounts().breaks == before) {
    poller->Poll(-1, ready);
    ready.SubmitAll();
  }
  const std::uint64_t begin = platform::NowNs();
  poller->Poll(1'500'000, ready);
  EXPECT_GE(platform::NowNs() - begin, 1'500'000);
  EXPECT_EQ(poller->ReadCounts().breaks, before + 1) << "two breaks at once are one";
  std::thread breaker([&] { poller->Break(); });
  while (poller->ReadCounts().breaks == before + 1) {
    poller->Poll(-1, ready);
  }
  breaker.join();
}

TEST(Poller, GivesItsThreadTheWorkBackWhenTheLastDriverHasLeft) {
  {
    auto pair = ConnectedPair();
    const Driver poller;
  }
  tests::RunByHand([] {
    auto [client, server] = ConnectedPair();
    Go([&stream = server] {
      tests::Echo(stream);
      stream.Close();
    });
    tests::ExpectEcho(client, tests::DrawnBytes(100, 1));
    EXPECT_FALSE(client.Shutdown(ShutdownSide::kWrite));
    std::array<std::byte, 1> end;
    client.ReadSome(end);
  });
}

TEST(Poller, LeavesADescriptorThatIsNotPollableToAnError) {
  const std::string path = testing::TempDir() + "schedbench_poller";
  FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  const int copy = ::dup(::fileno(file));
  EXPECT_EQ(DescriptorOwner::Open(copy).Error().number, EPERM);
  EXPECT_EQ(::close(copy), -1) << "it was closed";
  std::fclose(file);
  std::filesystem::remove(path);
}

TEST(NetReport, NamesTheDescriptorThePeerAndTheTimeOfAWait) {
  tests::RunByHand([] {
    TcpListener listener = tests::ListenOnLoopback();
    auto [client, server] = ConnectedPair();
    auto reader = Spawn([&stream = server] {
      std::array<std::byte, 4> buffer;
      return stream.ReadSome(buffer).error;
    });
    auto acceptor = Spawn([&] { return listener.Accept().Error(); });
    Yield();
    const std::string lines = WaitReport::Now(nullptr).lines;
    const std::string read = "waits for data to read on fd " + std::to_string(server.Fd()) +
                             ", peer " + client.LocalAddress().Text() + ", for ";
    EXPECT_NE(lines.find(read), std::string::npos) << lines;
    const std::string accept = "waits for a connection to accept on fd ";
    EXPECT_NE(lines.find(accept), std::string::npos) << lines;
    EXPECT_NE(lines.find(", at " + listener.Address().Text() + ", for "), std::string::npos)
        << lines;
    server.Close();
    listener.Close();
    reader.Join();
    acceptor.Join();
  });
}

// A fiber of `pool` reads what the calling thread writes.
void ReadOneByte(executors::IExecutor& pool) {
  Pipe pipe = Pipe::Open().Take();
  WaitGroup done;
  done.Add(1);
  Go(pool, [&] {
    std::array<std::byte, 1> buffer;
    EXPECT_EQ(pipe.reader.ReadSome(buffer).bytes, 1);
    done.Done();
  });
  EXPECT_TRUE(pipe.writer.WriteSome(BytesOf("x")).Ok());
  done.Wait();
}

TEST(Poller, FindsEventsWhileAPoolBecomesADriver) {
  const tests::HangGuard guard("a pool that begins to poll");
  Pipe::Open().Take();  // the thread of the process waits
  for (int round = 0; round < tests::QuickOrFull(100, 1000); ++round) {
    const auto pool = tests::MakeScheduler("fast:netpoll=epoll", 1);
    ReadOneByte(*pool);
  }
}

TEST(Poller, FindsEventsOfAPoolWhenAnotherOneEnds) {
  const tests::HangGuard guard("two pools that poll");
  for (int round = 0; round < tests::QuickOrFull(50, 500); ++round) {
    auto first = tests::MakeScheduler("fast:netpoll=epoll", 1);
    const auto second = tests::MakeScheduler("fast:netpoll=epoll", 1);
    ReadOneByte(*first);
    ReadOneByte(*second);
    first.reset();
    ReadOneByte(*second);
  }
}

TEST(PollTurn, CallsTheStandInWhenAThreadLeavesItAndNoDriverIsThere) {
  PollTurn turn;
  const int looks = 0;
  ASSERT_TRUE(turn.TryLook(&looks));
  const std::uint32_t seen = turn.Seen();
  ASSERT_TRUE(turn.IsNeeded());
  ASSERT_FALSE(turn.TryWait(&turn))
      << "the stand-in finds it taken, and will sleep while Seen() is the same";
  turn.Leave();
  EXPECT_NE(turn.Seen(), seen);
}

}  // namespace

}  // namespace schedbench::fibers::poller_test
