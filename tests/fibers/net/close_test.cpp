// Ends of connections and of waits: Close() by another fiber, deadlines, peers that vanish, numbers
// that are used again.
#include "base/attributes.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/net/poller.hpp"
#include "fibers/net/udp_socket.hpp"
#include "fibers/net/unix_socket.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/fibers/net/net_support.hpp"
#include "tests/support/tier.hpp"

#include <atomic>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

namespace schedbench::fibers::net_close_test {

namespace {

using std::chrono::milliseconds;
using tests::ConnectedPair;
using tests::RunByHand;

constexpr milliseconds kShort(2);
constexpr std::chrono::hours kLong(1000);

// Writes until the buffers are full: the next write waits.
void Fill(TcpStream& stream) {
  const std::vector<std::byte> bytes(1 << 16);
  while (!stream.WriteAll(bytes, Deadline::At(0)).error.IsTimeout()) {
  }
}

TEST(NetDeadline, EndsEachKindOfWaitAndLeavesTheConnectionUsable) {
  RunByHand([] {
    TcpListener listener = tests::ListenOnLoopback();
    EXPECT_TRUE(listener.Accept(Deadline::In(kShort)).Error().IsTimeout());
    auto [client, server] = ConnectedPair();
    std::array<std::byte, 4> buffer;
    for (const Deadline deadline : {Deadline::At(0), Deadline::In(kShort)}) {
      const Transfer read = client.ReadSome(buffer, deadline);
      EXPECT_TRUE(read.error.IsTimeout());
      EXPECT_EQ(read.error.Text(), "Connection timed out (errno 110)");
      EXPECT_EQ(read.bytes, 0);
    }
    Fill(client);
    EXPECT_TRUE(client.WriteSome(BytesOf("x"), Deadline::In(kShort)).error.IsTimeout());
    EXPECT_TRUE(server.WriteAll(BytesOf("abc"), Deadline::In(kLong)).Ok());
    EXPECT_EQ(client.ReadFull(std::span(buffer).first(3), Deadline::In(kLong)).bytes, 3);
    UdpSocket socket = UdpSocket::Bind(SocketAddress::Loopback(0)).Take();
    EXPECT_TRUE(socket.ReceiveFrom(buffer, Deadline::In(kShort)).Error().IsTimeout());
    Pipe pipe = Pipe::Open().Take();
    EXPECT_TRUE(pipe.reader.ReadSome(buffer, Deadline::In(kShort)).error.IsTimeout());
  });
}

TEST(NetDeadline, ReportsWhatWasReadBeforeIt) {
  RunByHand([] {
    auto [client, server] = ConnectedPair();
    EXPECT_TRUE(server.WriteAll(BytesOf("abc")).Ok());
    std::array<std::byte, 10> buffer;
    const Transfer read = client.ReadFull(buffer, Deadline::In(kShort));
    EXPECT_TRUE(read.error.IsTimeout());
    EXPECT_EQ(read.bytes, 3);
  });
}

TEST(NetClose, ResumesReadersWritersAndAcceptorsThatWait) {
  for (const Deadline deadline : {Deadline::Never(), Deadline::In(kLong)}) {
    RunByHand([deadline] {
      TcpListener listener = tests::ListenOnLoopback();
      auto [client, server] = ConnectedPair();
      Fill(client);
      auto acceptor = Spawn([&] { return listener.Accept(deadline).Error(); });
      auto reader = Spawn([&, &stream = client] {
        std::array<std::byte, 4> buffer;
        return stream.ReadSome(buffer, deadline).error;
      });
      auto writer =
          Spawn([&, &stream = client] { return stream.WriteAll(BytesOf("x"), deadline).error; });
      Yield();
      client.Close();
      client.Close();
      listener.Close();
      EXPECT_EQ(reader.Join().number, ECANCELED);
      EXPECT_EQ(writer.Join().number, ECANCELED);
      EXPECT_EQ(acceptor.Join().number, ECANCELED);
      EXPECT_EQ(client.WriteAll(BytesOf("x")).error.Text(), "closed by this process (errno 125)");
    });
  }
}

TEST(NetClose, EndsTheStreamOfThePeer) {
  RunByHand([] {
    auto [client, server] = ConnectedPair();
    EXPECT_TRUE(client.WriteAll(BytesOf("abc")).Ok());
    client.Close();
    std::array<std::byte, 10> buffer;
    EXPECT_EQ(server.ReadFull(buffer).bytes, 3);
    EXPECT_TRUE(server.ReadSome(buffer).Ok()) << "the end is no error";
  });
}

TEST(NetPeer, ThatResetsTheConnectionEndsAWaitWithAnError) {
  RunByHand([] {
    auto [client, server] = ConnectedPair();
    auto reader = Spawn([&stream = server] {
      std::array<std::byte, 4> buffer;
      return stream.ReadSome(buffer).error;
    });
    Yield();
    EXPECT_FALSE(client.SetResetOnClose());
    client.Close();
    EXPECT_EQ(reader.Join().number, ECONNRESET);
    EXPECT_EQ(server.WriteAll(BytesOf("x")).error.number, EPIPE);
  });
}

TEST(NetPeer, ThatHasClosedAPipeIsAnErrorAndNoSignal) {
  RunByHand([] {
    Pipe pipe = Pipe::Open().Take();
    pipe.reader.Close();
    EXPECT_EQ(pipe.writer.WriteAll(BytesOf("x")).error.number, EPIPE);
  });
}

TEST(NetPeer, ThatRefusesIsAnErrorOfConnect) {
  RunByHand([] {
    TcpListener listener = tests::ListenOnLoopback();
    const SocketAddress address = listener.Address();
    listener.Close();
    EXPECT_EQ(TcpStream::Connect(address).Error().number, ECONNREFUSED);
    EXPECT_EQ(UnixStream::Connect(*SocketAddress::Parse("unix:/nowhere/at/all")).Error().number,
              ENOENT);
  });
}

TEST(NetListener, ReportsAnAddressInUse) {
  TcpListener listener = tests::ListenOnLoopback();
  EXPECT_EQ(TcpListener::Listen(listener.Address()).Error().number, EADDRINUSE);
}

TEST(NetListener, OfAPathRemovesItsFile) {
  const std::string path = testing::TempDir() + "schedbench_" + std::to_string(::getpid());
  const auto address = SocketAddress::Parse("unix:" + path);
  {
    UnixListener listener = UnixListener::Listen(*address).Take();
    const UnixListener moved = std::move(listener);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(NetSlot, RefusesASecondWaiterOfTheSameDirection) {
  RunByHand([] {
    auto [client, server] = ConnectedPair();
    const auto read = [&stream = client] {
      std::array<std::byte, 4> buffer;
      return stream.ReadSome(buffer).error;
    };
    auto first = Spawn(read);
    Yield();
    EXPECT_EQ(read().number, EBUSY);
    client.Close();
    EXPECT_TRUE(first.Join().IsClosed());
  });
}

TEST(NetReuse, OfANumberIsNotConfusedByEventsOfItsLastOwner) {
  RunByHand([] {
    constexpr int kTimes = 200;
    int reused = 0;
    for (int i = 0; i < kTimes; ++i) {
      int number = 0;
      {
        auto [client, server] = ConnectedPair();
        number = client.Fd();
        // Events of both directions are on their way when the number is freed.
        EXPECT_TRUE(server.WriteAll(BytesOf("late")).Ok());
        server.Close();
      }
      auto [client, server] = ConnectedPair();
      reused += client.Fd() == number ? 1 : 0;
      std::array<std::byte, 4> buffer;
      EXPECT_TRUE(client.ReadSome(buffer, Deadline::At(0)).error.IsTimeout());
      auto reader = Spawn([&stream = client, &buffer] { return stream.ReadSome(buffer); });
      Yield();
      EXPECT_FALSE(reader.IsDone()) << "nothing was sent to it";
      EXPECT_TRUE(server.WriteAll(BytesOf("x")).Ok());
      EXPECT_EQ(reader.Join().bytes, 1);
    }
    EXPECT_GT(reused, 0) << "the system gives a freed number to the next descriptor";
  });
}

TEST(NetLimit, OfDescriptorsIsAnErrorOfAcceptAndTheConnectionIsAcceptedLater) {
  RunByHand([] {
    TcpListener listener = tests::ListenOnLoopback();
    TcpStream client = TcpStream::Connect(listener.Address()).Take();
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    // The lowest free number is the next one.
    const int next = ::dup(0);
    ASSERT_GE(next, 0);
    ::close(next);
    rlimit low = before;
    low.rlim_cur = static_cast<rlim_t>(next);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
    const IoError accept_error = listener.Accept().Error();
    const IoError connect_error = TcpStream::Connect(listener.Address()).Error();
    const IoError pipe_error = Pipe::Open().Error();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(accept_error.number, EMFILE);
    EXPECT_EQ(accept_error.Text(), "Too many open files (errno 24)");
    EXPECT_EQ(connect_error.number, EMFILE);
    EXPECT_EQ(pipe_error.number, EMFILE);
    TcpStream server = listener.Accept().Take();
    EXPECT_TRUE(client.WriteAll(BytesOf("x")).Ok());
    std::array<std::byte, 4> buffer;
    EXPECT_EQ(server.ReadSome(buffer).bytes, 1);
  });
}

TEST(NetRead, OfNoBytesDoesNotWait) {
  RunByHand([] {
    auto [client, server] = ConnectedPair();
    EXPECT_TRUE(client.ReadSome({}).Ok());
    client.Close();
    EXPECT_EQ(client.ReadSome({}).error.number, ECANCELED);
  });
}

TEST(NetLeak, OfDescriptorsIsNoneAfterEachKindOfEnd) {
  const std::size_t before = [] {
    RunByHand([] {
      ConnectedPair();  // the poller has descriptors of its own from then on
    });
    return tests::OpenDescriptors();
  }();
  RunByHand([] {
    for (int i = 0; i < 50; ++i) {
      auto [client, server] = ConnectedPair();
      auto reader = Spawn([&stream = server] {
        std::array<std::byte, 4> buffer;
        return stream.ReadSome(buffer).error;
      });
      Yield();
      (i % 2 == 0 ? client : server).Close();
      reader.Join();
      Pipe pipe = Pipe::Open().Take();
      auto pair = UnixStream::Pair().Take();
      TcpListener listener = tests::ListenOnLoopback();
      EXPECT_TRUE(listener.Accept(Deadline::At(0)).Error().IsTimeout());
      EXPECT_EQ(TcpListener::Listen(listener.Address()).Error().number, EADDRINUSE);
    }
  });
  EXPECT_EQ(tests::OpenDescriptors(), before);
}

#if !defined(SB_ASAN)  // which reports the memory of fibers that never end

TEST(NetScheduler, ThatIsDestroyedTakesItsWaitingFibersAlong) {
  const tests::HangGuard guard("an abandoned fiber");
  auto [client, server] = ConnectedPair();
  {
    const auto scheduler = tests::MakeScheduler("fast", 1);
    Go(*scheduler, [&stream = server] {
      std::array<std::byte, 4> buffer;
      stream.ReadSome(buffer);
      ADD_FAILURE() << "its executor is gone";
    });
    scheduler->WaitIdle();
  }
  EXPECT_TRUE(client.WriteAll(BytesOf("x")).Ok());
  std::array<std::byte, 4> buffer;
  EXPECT_EQ(server.ReadSome(buffer).bytes, 1) << "the slot is free again";
}

TEST(NetScheduler, ThatEndsWhileAnEventComesEndsTheOperation) {
  const tests::HangGuard guard("a scheduler that ends during an event");
  // ThreadSanitizer keeps memory mapped for each context that has ended, and a process has 65,530
  // mappings.
  const int rounds = tests::QuickOrFull(300, tests::PlainOrSanitized(3000, 1000));
  for (int round = 0; round < rounds; ++round) {
    Pipe pipe = Pipe::Open().Take();
    std::atomic<bool> begun{false};
    const auto scheduler = tests::MakeScheduler("fast", 1);
    Go(*scheduler, [&] {
      begun = true;
      std::array<std::byte, 1> buffer;
      pipe.reader.ReadSome(buffer);
    });
    while (!begun) {
      std::this_thread::yield();
    }
    std::thread writer([&] { pipe.writer.WriteSome(BytesOf("x")); });
    scheduler->Stop();
    writer.join();
    // The destructor of the pipe requires that no operation uses it.
  }
}

#endif

}  // namespace

}  // namespace schedbench::fibers::net_close_test
