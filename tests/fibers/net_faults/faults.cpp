// Sockets while system calls fail: no byte is lost or comes twice, no socket leaks, no fiber is
// lost.
#include "fibers/net/tcp.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/net/net_support.hpp"
#include "tests/fibers/net_faults/injected.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace schedbench::tests::net_faults_test {

namespace {

using fibers::Go;
using fibers::TcpListener;
using fibers::TcpStream;
using fibers::Transfer;
using fibers::WaitGroup;

constexpr std::size_t kConnections = 16;

class NetFaults : public testing::TestWithParam<const char*> {
 protected:
  const HangGuard guard_{"sockets whose system calls fail"};
  const std::unique_ptr<registry::IScheduler> scheduler_ = MakeScheduler(GetParam(), 2);
};

INSTANTIATE_TEST_SUITE_P(Schedulers, NetFaults,
                         testing::Values("fast", "fast:netpoll=epoll",
                                         "fast:netpoll=epoll,blocking=hand_off,preempt=coop",
                                         "fast:netpoll=uring"),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST_P(NetFaults, LoseAndRepeatNoByte) {
  const std::size_t messages =
      QuickOrFull<std::size_t>(20'000, PlainOrSanitized(1'000'000, 100'000)) / kConnections;
  std::vector<std::pair<TcpStream, TcpStream>> connections;
  for (std::size_t i = 0; i < kConnections; ++i) {
    connections.push_back(ConnectedPair());
  }
  const std::size_t sockets = OpenSockets();
  const std::uint64_t before = Injected::Count();
  {
    const Injected injected(
        Fault::kInterrupted | Fault::kShort | Fault::kFalseReady | Fault::kRefused, 4);
    WaitGroup done;
    done.Add(2 * kConnections);
    for (std::size_t number = 0; number < kConnections; ++number) {
      Go(*scheduler_, [&, number] {
        Echo(connections[number].second);
        done.Done();
      });
      Go(*scheduler_, [&, number] {
        TcpStream& client = connections[number].first;
        for (std::size_t i = 0; i < messages && !testing::Test::HasFailure(); ++i) {
          const std::uint64_t seed = number * messages + i;
          ExpectEcho(client, DrawnBytes(1 + MixSeed(seed) % 200, seed));
        }
        client.Close();
        done.Done();
      });
    }
    done.Wait();
  }
  EXPECT_GT(Injected::Count() - before, messages) << "the faults were not injected";
  // The clients are closed.
  EXPECT_EQ(OpenSockets(), sockets - kConnections);
}

// Asks for an echo; opens a connection where there is none, and drops it when it fails. Returns
// whether the answer came.
bool Ask(std::optional<TcpStream>& stream, TcpListener& listener, std::uint64_t seed) {
  if (!stream) {
    auto connected = TcpStream::Connect(listener.Address());
    if (!connected.Ok()) {
      EXPECT_EQ(connected.Error().number, ENOMEM);
      return false;
    }
    stream = connected.Take();
  }
  const std::vector<std::byte> bytes = DrawnBytes(64, seed);
  std::vector<std::byte> back(bytes.size());
  const Transfer sent = stream->WriteAll(bytes);
  const Transfer got = sent.Ok() ? stream->ReadFull(back) : sent;
  if (got.Ok() && got.bytes == back.size()) {
    EXPECT_EQ(back, bytes);
    return true;
  }
  EXPECT_TRUE(got.Ok() || got.error.number == ECONNRESET || got.error.number == EPIPE)
      << got.error.Text();
  stream.reset();
  return false;
}

TEST_P(NetFaults, AreErrorsAfterWhichNewConnectionsWork) {
  const std::size_t messages = QuickOrFull<std::size_t>(4000, 100'000) / kConnections;
  TcpListener listener = ListenOnLoopback();
  const std::size_t sockets = OpenSockets();
  std::atomic<std::size_t> failed{0};
  {
    std::optional<Injected> injected(std::in_place, Fault::kReset | Fault::kRefused, 50);
    WaitGroup served;
    WaitGroup clients;
    served.Add(1);
    clients.Add(kConnections);
    Go(*scheduler_, [&] {
      for (;;) {
        auto accepted = listener.Accept();
        if (accepted.Ok()) {
          served.Add(1);
          Go(*scheduler_, [stream = accepted.Take(), &served]() mutable {
            Echo(stream);
            {
              const TcpStream ended = std::move(stream);
            }
            served.Done();
          });
        } else if (accepted.Error().number == ECANCELED) {
          break;
        } else {
          EXPECT_TRUE(accepted.Error().number == EMFILE || accepted.Error().number == ENOMEM)
              << accepted.Error().Text();
        }
      }
      served.Done();
    });
    for (std::size_t number = 0; number < kConnections; ++number) {
      Go(*scheduler_, [&, number] {
        {
          std::optional<TcpStream> stream;
          for (std::size_t i = 0; i < messages; ++i) {
            while (!Ask(stream, listener, number * messages + i)) {
              ++failed;
            }
          }
        }
        clients.Done();
      });
    }
    clients.Wait();
    injected.reset();
    listener.Close();
    served.Wait();
  }
  EXPECT_GT(failed, 0U);
  EXPECT_EQ(OpenSockets(), sockets - 1) << "all but the listener";
}

}  // namespace

}  // namespace schedbench::tests::net_faults_test
