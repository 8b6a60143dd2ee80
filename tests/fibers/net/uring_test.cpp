#include "fibers/net/pipe.hpp"
#include "fibers/sched/spawn.hpp"
#include "tests/fibers/net/net_support.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <thread>

// Readiness by io_uring: what differs from epoll. Tests with SCHEDBENCH_NET_TEST run with both.

namespace schedbench::fibers::uring_test {

namespace {

using tests::ConnectedPair;
using tests::WithRing;

class Ring : public testing::Test {
 protected:
  void SetUp() override {
    SCHEDBENCH_REQUIRE_RING(ring_->Error());
  }

  static std::uint64_t Opened() {
    return Poller::OfProcess()->AddedToRing();
  }

  const tests::HangGuard guard_{"io_uring"};
  std::optional<WithRing> ring_{std::in_place};
};

// Both directions, so that each waits at least once.
void ExpectRoundTrip(TcpStream& client, TcpStream& server) {
  std::thread echo([&server] {
    std::array<std::byte, 4> buffer;
    EXPECT_EQ(server.ReadFull(buffer).bytes, buffer.size());
    EXPECT_TRUE(server.WriteAll(buffer).Ok());
  });
  tests::ExpectEcho(client, tests::DrawnBytes(4, 1));
  echo.join();
}

TEST_F(Ring, ReportsWhatIsOpenedWhileItIsUsed) {
  const std::uint64_t before = Opened();
  auto [client, server] = ConnectedPair();
  EXPECT_EQ(Opened(), before + 3) << "a listener and two streams";
  ExpectRoundTrip(client, server);
  ring_.reset();
  auto [second_client, second_server] = ConnectedPair();
  EXPECT_EQ(Opened(), before + 3) << "epoll reports the second pair";
  ExpectRoundTrip(second_client, second_server);
  ExpectRoundTrip(client, server);
}

TEST_F(Ring, TakesOverWhatEpollReportsWithoutLosingAnEvent) {
  ring_.reset();
  auto [client, server] = ConnectedPair();
  ring_.emplace();
  const std::uint64_t before = Opened();
  std::thread reader([&stream = server] {
    std::array<std::byte, 4> buffer;
    EXPECT_EQ(stream.ReadFull(buffer).bytes, buffer.size());
  });
  Poller::OfProcess()->MoveToRing();
  EXPECT_GE(Opened(), before + 2);
  const std::uint64_t after = Opened();
  Poller::OfProcess()->MoveToRing();
  EXPECT_EQ(Opened(), after) << "nothing is left to move";
  EXPECT_TRUE(client.WriteAll(tests::DrawnBytes(4, 3)).Ok());
  reader.join();
  ExpectRoundTrip(client, server);
}

TEST_F(Ring, ReportsADescriptorWhoseOpeningThreadHasEnded) {
  std::optional<std::pair<TcpStream, TcpStream>> pair;
  std::thread([&pair] {
    pair.emplace(ConnectedPair());
  }).join();
  for (int i = 0; i < 3; ++i) {
    ExpectRoundTrip(pair->first, pair->second);
  }
}

TEST_F(Ring, ReleasesAFileThatIsClosed) {
  auto [client, server] = ConnectedPair();
  std::optional<TcpStream> closing(std::move(server));
  closing.reset();
  std::array<std::byte, 1> buffer;
  const Transfer got = client.ReadSome(buffer);
  EXPECT_TRUE(got.Ok()) << got.error.Text();
  EXPECT_EQ(got.bytes, 0U) << "the end of the peer";
}

TEST_F(Ring, FindsMoreReadyDescriptorsThanOneBatch) {
  constexpr std::size_t kPairs = 400;
  std::vector<std::pair<TcpStream, TcpStream>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs.push_back(ConnectedPair());
  }
  executors::ManualExecutor executor;
  std::size_t right = 0;
  for (auto& pair : pairs) {
    Go(executor, [&right, &stream = pair.second] {
      std::array<std::byte, 1> buffer;
      right += stream.ReadFull(buffer).bytes;
    });
  }
  executor.Drain();
  for (auto& pair : pairs) {
    EXPECT_TRUE(pair.first.WriteAll(tests::DrawnBytes(1, 2)).Ok());
  }
  while (right < kPairs) {
    executor.Drain();
  }
}

TEST_F(Ring, ReusesNumbersOfDescriptorsWithoutMixingThemUp) {
  for (int i = 0; i < 300; ++i) {
    auto [client, server] = ConnectedPair();
    ExpectRoundTrip(client, server);
  }
}

}  // namespace

}  // namespace schedbench::fibers::uring_test
