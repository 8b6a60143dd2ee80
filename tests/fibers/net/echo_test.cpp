// Echoes over each kind of descriptor, on every kind of scheduler.
#include "fibers/net/pipe.hpp"
#include "fibers/net/udp_socket.hpp"
#include "fibers/net/unix_socket.hpp"
#include "fibers/sched/spawn.hpp"
#include "tests/fibers/net/net_support.hpp"

#include <thread>

namespace schedbench::fibers::net_test {

namespace {

using tests::DrawnBytes;
using tests::Echo;
using tests::ExpectEcho;

constexpr std::size_t kConnections = 8;
constexpr std::size_t kMessages = 20;

class NetOnEachScheduler : public testing::TestWithParam<const char*> {
 protected:
  const tests::HangGuard guard_{"sockets on one scheduler"};
  const std::unique_ptr<registry::IScheduler> scheduler_ = tests::MakeScheduler(GetParam(), 2);
};

INSTANTIATE_TEST_SUITE_P(Schedulers, NetOnEachScheduler,
                         testing::Values("fast", "fast:netpoll=epoll",
                                         "fast:netpoll=epoll,blocking=hand_off",
                                         "fast:netpoll=uring",
                                         "fast:netpoll=uring,blocking=hand_off", "work_stealing",
                                         "global_fifo", "single_thread", "thread_per_task",
                                         "cached_pool", "bounded_pool"),
                         [](const auto& info) { return tests::TestNameOf(info.param); });

// Serves until the listener is closed, each connection by a fiber of its own.
template <typename AnyListener>
void Serve(executors::IExecutor& executor, AnyListener& listener, WaitGroup& served) {
  for (;;) {
    auto accepted = listener.Accept();
    if (!accepted.Ok()) {
      EXPECT_EQ(accepted.Error().number, ECANCELED);
      return;
    }
    served.Add(1);
    Go(executor, [stream = accepted.Take(), &served]() mutable {
      Echo(stream);
      served.Done();
    });
  }
}

template <typename AnyStream, typename AnyListener>
void EchoOverConnections(executors::IExecutor& executor, AnyListener listener) {
  WaitGroup served;
  auto server = Spawn(executor, [&] { Serve(executor, listener, served); });
  WaitGroup clients;
  clients.Add(kConnections);
  for (std::size_t number = 0; number < kConnections; ++number) {
    Go(executor, [&, number] {
      AnyStream stream = AnyStream::Connect(listener.Address()).Take();
      for (std::size_t i = 0; i < kMessages; ++i) {
        ExpectEcho(stream, DrawnBytes(1 + i * 37, number * kMessages + i));
      }
      clients.Done();
    });
  }
  clients.Wait();
  listener.Close();
  server.Join();
  served.Wait();
}

TEST_P(NetOnEachScheduler, EchoesOverTcp) {
  EchoOverConnections<TcpStream>(*scheduler_, tests::ListenOnLoopback());
}

TEST_P(NetOnEachScheduler, EchoesOverUnixSockets) {
  const auto address = SocketAddress::Parse("unix:@schedbench-echo-" + std::string(GetParam()) +
                                            std::to_string(::getpid()));
  EchoOverConnections<UnixStream>(*scheduler_, UnixListener::Listen(*address).Take());
}

TEST_P(NetOnEachScheduler, EchoesOverPipes) {
  Pipe there = Pipe::Open().Take();
  Pipe back = Pipe::Open().Take();
  auto echo = Spawn(*scheduler_, [&] {
    std::array<std::byte, 1024> buffer;
    for (;;) {
      const Transfer got = there.reader.ReadSome(buffer);
      if (got.bytes == 0 || !back.writer.WriteAll(std::span(buffer).first(got.bytes)).Ok()) {
        return got.error;
      }
    }
  });
  auto client = Spawn(*scheduler_, [&] {
    for (std::size_t i = 0; i < kMessages; ++i) {
      const auto bytes = DrawnBytes(1 + i * 31, i);
      std::vector<std::byte> received(bytes.size());
      EXPECT_TRUE(there.writer.WriteAll(bytes).Ok());
      EXPECT_EQ(back.reader.ReadFull(received).bytes, bytes.size());
      EXPECT_EQ(received, bytes);
    }
    there.writer.Close();
  });
  client.Join();
  EXPECT_FALSE(echo.Join());
}

TEST_P(NetOnEachScheduler, EchoesOverUdp) {
  UdpSocket server = UdpSocket::Bind(SocketAddress::Loopback(0)).Take();
  auto echo = Spawn(*scheduler_, [&] {
    std::array<std::byte, 2000> buffer;
    for (;;) {
      auto datagram = server.ReceiveFrom(buffer);
      if (!datagram.Ok()) {
        return datagram.Error();
      }
      EXPECT_TRUE(server.SendTo(std::span(buffer).first(datagram->bytes), datagram->sender).Ok());
    }
  });
  auto client = Spawn(*scheduler_, [&] {
    UdpSocket socket = UdpSocket::Bind(SocketAddress::Loopback(0)).Take();
    for (std::size_t i = 0; i < kMessages; ++i) {
      const auto bytes = DrawnBytes(i * 50, i);
      std::vector<std::byte> received(bytes.size());
      EXPECT_EQ(socket.SendTo(bytes, server.Address()).bytes, bytes.size());
      auto datagram = socket.ReceiveFrom(received);
      EXPECT_EQ(datagram->bytes, bytes.size());
      EXPECT_EQ(datagram->sender, server.Address());
      EXPECT_EQ(received, bytes);
    }
  });
  client.Join();
  server.Close();
  EXPECT_EQ(echo.Join().number, ECANCELED);
}

TEST(Net, EchoesBetweenFibersThatAreRunByHand) {
  tests::RunByHand([] {
    auto [client, server] = tests::ConnectedPair();
    Go([&stream = server] {
      Echo(stream);
      stream.Close();
    });
    for (std::size_t i = 0; i < kMessages; ++i) {
      ExpectEcho(client, DrawnBytes(1 + i * 100, i));
    }
    EXPECT_FALSE(client.Shutdown(ShutdownSide::kWrite));
    std::array<std::byte, 1> end;
    EXPECT_EQ(client.ReadSome(end).bytes, 0) << "the echo has ended";
  });
}

TEST(Net, BlocksAThreadThatRunsNoFiber) {
  const tests::HangGuard guard("two threads");
  auto [client, server] = tests::ConnectedPair();
  std::thread thread([&stream = server] { Echo(stream); });
  for (std::size_t i = 0; i < kMessages; ++i) {
    ExpectEcho(client, DrawnBytes(1 + i * 100, i));
  }
  std::array<std::byte, 1> byte;
  EXPECT_TRUE(client.ReadSome(byte, Deadline::In(std::chrono::milliseconds(2))).error.IsTimeout());
  client.Close();
  thread.join();
}

// Both directions at once: writes find full buffers many times, and reads empty ones.
template <typename AnyStream>
void ExchangeLargePayloads(AnyStream& first, AnyStream& second) {
  constexpr std::size_t kBytes = 8 << 20;
  const tests::HangGuard guard("large payloads");
  const auto scheduler = tests::MakeScheduler("fast", 2);
  WaitGroup done;
  done.Add(4);
  const std::array sent{DrawnBytes(kBytes, 1), DrawnBytes(kBytes, 2)};
  const std::array streams{&first, &second};
  for (std::size_t side = 0; side < 2; ++side) {
    // The receiver's buffer stays: TCP sends only by timers into one that is smaller than a
    // segment.
    EXPECT_FALSE(streams[side]->SetBufferBytes(8192, 0));
    Go(*scheduler, [&, side] {
      EXPECT_EQ(streams[side]->WriteAll(sent[side]).bytes, kBytes);
      EXPECT_FALSE(streams[side]->Shutdown(ShutdownSide::kWrite));
      done.Done();
    });
    Go(*scheduler, [&, side] {
      std::vector<std::byte> received(kBytes + 1);
      EXPECT_EQ(streams[side]->ReadFull(received).bytes, kBytes) << "up to the end";
      received.resize(kBytes);
      EXPECT_TRUE(received == sent[1 - side]);
      done.Done();
    });
  }
  done.Wait();
}

TEST(Net, MovesLargePayloadsThroughSmallBuffersWithoutLossOrDuplicates) {
  auto tcp = tests::ConnectedPair();
  ExchangeLargePayloads(tcp.first, tcp.second);
  auto unix = UnixStream::Pair().Take();
  ExchangeLargePayloads(unix.first, unix.second);
}

TEST(Net, HoldsNoThreadForAThousandIdleConnections) {
  const tests::HangGuard guard("idle connections");
  constexpr std::size_t kIdle = 1000;
  const auto scheduler = tests::MakeScheduler("fast", 2);
  TcpListener listener = tests::ListenOnLoopback();
  std::vector<TcpStream> clients;
  std::vector<TcpStream> servers;
  for (std::size_t i = 0; i < kIdle; ++i) {
    clients.push_back(TcpStream::Connect(listener.Address()).Take());
    servers.push_back(listener.Accept().Take());
  }
  const std::size_t threads = tests::CountIn("/proc/self/task");
  WaitGroup waiting;
  WaitGroup done;
  waiting.Add(kIdle);
  done.Add(kIdle);
  for (TcpStream& server : servers) {
    Go(*scheduler, [&] {
      waiting.Done();
      std::array<std::byte, 8> buffer;
      EXPECT_EQ(server.ReadSome(buffer).bytes, 1);
      done.Done();
    });
  }
  waiting.Wait();
  scheduler->WaitIdle();  // all have suspended
  EXPECT_EQ(tests::CountIn("/proc/self/task"), threads);
  for (TcpStream& client : clients) {
    EXPECT_TRUE(client.WriteAll(BytesOf("x")).Ok());
  }
  done.Wait();
}

}  // namespace

}  // namespace schedbench::fibers::net_test
