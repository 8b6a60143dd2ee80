// The two halves of echo_open, in one process.
#include "base/atomic.hpp"
#include "fibers/net/tcp.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::tests::echo_halves_test {

namespace {

using registry::Half;

std::unique_ptr<registry::IWorkload> MakeHalf(Half half, const std::string& address,
                                              const std::string& parameters) {
  config::Problems problems;
  const auto spec = config::ParseSpec("echo_open:" + parameters, "workload", problems);
  const registry::WorkloadEntry& entry = *registry::FindWorkload(spec->name);
  config::Settings settings(entry.schema());
  config::ApplySpec(*spec, settings, problems);
  problems.ThrowIfAny();
  return entry.make_half(settings, Seed(), half, address);
}

std::string WhyNot(Half half, const std::string& address,
                   const std::string& parameters = "requests=1") {
  try {
    MakeHalf(half, address, parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// A round of a server on a thread of its own, whose end becomes due by EndIsDue().
class ServerRound {
 public:
  ServerRound()
      : server_(MakeHalf(Half::kServer, "127.0.0.1:0", "bytes=100")),
        scheduler_(MakeScheduler("fast", 1)) {
    server_->AsHalf()->EndWhen([this] {
      return is_due_.Load(memory_order_relaxed);  // relaxed: only the flag itself is needed
    });
    thread_.emplace("server", [this] {
      messages_ = server_->Run(*scheduler_);
      ended_.Store(true, memory_order_relaxed);  // relaxed: only the flag itself is needed
    });
  }

  std::string Address() const {
    return server_->AsHalf()->Address();
  }

  fibers::TcpStream Connected() const {
    return fibers::TcpStream::Connect(*fibers::SocketAddress::Parse(Address())).Take();
  }

  bool HasEnded() const {
    return ended_.Load(memory_order_relaxed);  // relaxed: only the flag itself is needed
  }

  void EndIsDue() {
    is_due_.Store(true, memory_order_relaxed);  // relaxed: only the flag itself is needed
  }

  // Waits for the end, and returns how many messages were sent back.
  std::uint64_t Messages() {
    thread_.reset();
    return messages_;
  }

  std::uint64_t CpuNs() const {
    return server_->AsHalf()->Times().cpu_ns;
  }

 private:
  const std::unique_ptr<registry::IWorkload> server_;
  const std::unique_ptr<registry::IScheduler> scheduler_;
  Atomic<bool> is_due_{false};
  Atomic<bool> ended_{false};
  std::uint64_t messages_ = 0;
  std::optional<platform::Thread> thread_;
};

void Exchange(fibers::TcpStream& stream) {
  std::vector<std::byte> message(100);
  EXPECT_TRUE(stream.WriteAll(message).Ok());
  EXPECT_TRUE(stream.ReadFull(message).Ok());
}

void Sleep(std::chrono::nanoseconds time) {
  platform::SleepUntilNs(platform::NowNs() + static_cast<std::uint64_t>(time.count()));
}

TEST(EchoHalves, TheServerWaitsForItsEndAlsoWithoutAnyConnection) {
  const HangGuard hang_guard("the halves of echo_open");
  ServerRound round;
  {
    fibers::TcpStream first = round.Connected();
    Exchange(first);
  }
  Sleep(std::chrono::milliseconds(1500));
  EXPECT_FALSE(round.HasEnded()) << "another client may still open its connections";
  fibers::TcpStream second = round.Connected();
  Exchange(second);
  second.Close();
  round.EndIsDue();
  EXPECT_EQ(round.Messages(), 2U);
}

TEST(EchoHalves, AStrayConnectionDoesNotChangeTheCpuTime) {
  const HangGuard hang_guard("the halves of echo_open");
  ServerRound round;
  fibers::TcpStream stray = round.Connected();
  fibers::TcpStream client = round.Connected();
  Exchange(client);
  const std::uint64_t begin = platform::ProcessCpuNs();
  for (int i = 0; i < 1000; ++i) {
    Exchange(client);
  }
  const std::uint64_t end = platform::ProcessCpuNs();
  fibers::TcpStream another = round.Connected();
  const std::vector<std::byte> part(99);
  EXPECT_TRUE(another.WriteAll(part).Ok());
  Sleep(std::chrono::milliseconds(50));  // so that it is accepted
  another.Close();
  client.Close();
  round.EndIsDue();
  EXPECT_EQ(round.Messages(), 1001U);
  EXPECT_GE(round.CpuNs(), end - begin);
}

TEST(EchoHalves, AClientThatStaysDoesNotHoldTheEnd) {
  const HangGuard hang_guard("the halves of echo_open");
  ServerRound round;
  fibers::TcpStream client = round.Connected();
  Exchange(client);
  round.EndIsDue();
  EXPECT_EQ(round.Messages(), 1U) << "its connection is closed after a grace time";
}

TEST(EchoHalves, ClientsMeasureAServerAndTheRequestsBeginAtTheTimeThatIsGiven) {
  const HangGuard hang_guard("the halves of echo_open");
  const std::string parameters = "connections=4,requests=300,rate=20000,bytes=100";
  ServerRound server;
  registry::HalfTimes times;
  std::uint64_t begun = 0;
  const std::uint64_t start = platform::NowNs() + 50'000'000;
  {
    const auto clients = MakeHalf(Half::kClients, server.Address(), parameters);
    const auto scheduler = MakeScheduler("fast", 1);
    clients->AsHalf()->SetTimes(start, 0);
    clients->Prepare();
    EXPECT_EQ(clients->Run(*scheduler), 300U);
    begun = platform::NowNs();
    scheduler->WaitIdle();
    EXPECT_EQ(clients->Verify(), "");
    times = clients->AsHalf()->Times();
  }
  server.EndIsDue();
  EXPECT_EQ(server.Messages(), 300U);
  EXPECT_GE(begun, start);
  EXPECT_EQ(times.latency_ns.size(), 300U);
  EXPECT_EQ(times.delay_ns.size(), 300U);
  EXPECT_TRUE(std::ranges::is_sorted(times.latency_ns));
  EXPECT_EQ(times.unanswered, 0U);
  EXPECT_GE(times.span_ns, times.latency_ns.back());
}

TEST(EchoHalves, TheDelayHasTheWaitForAConnection) {
  const HangGuard hang_guard("the halves of echo_open");
  const std::string parameters = "connections=1,requests=20,rate=20000,arrivals=constant";
  constexpr std::uint64_t kPauseNs = 200'000'000;  // the requests are due within 1 ms
  const auto server = MakeHalf(Half::kServer, "127.0.0.1:0", parameters);
  const auto scheduler_of_server = MakeScheduler("fast", 1);
  registry::HalfTimes times;
  {
    const auto clients = MakeHalf(Half::kClients, server->AsHalf()->Address(), parameters);
    const std::uint64_t start = platform::NowNs();
    Atomic<bool> is_due{false};
    server->AsHalf()->EndWhen([&is_due] {
      return is_due.Load(memory_order_relaxed);  // relaxed: only the flag itself is needed
    });
    const platform::Thread serving("server", [&] {
      platform::SleepUntilNs(start + kPauseNs);
      server->Run(*scheduler_of_server);
    });
    const auto scheduler = MakeScheduler("fast", 1);
    clients->AsHalf()->SetTimes(start, 0);
    clients->Prepare();
    clients->Run(*scheduler);
    scheduler->WaitIdle();
    EXPECT_EQ(clients->Verify(), "");
    times = clients->AsHalf()->Times();
    is_due.Store(true, memory_order_relaxed);  // relaxed: only the flag itself is needed
  }
  ASSERT_EQ(times.delay_ns.size(), 20U);
  EXPECT_GE(times.delay_ns[1], kPauseNs - 1'000'000) << "all but the first wait for its answer";
  EXPECT_LE(times.delay_ns.back(), times.latency_ns.back());
}

TEST(EchoHalves, AServerThatEndsLeavesRequestsWithoutAnAnswerAndTheOthersAreMeasured) {
  const HangGuard hang_guard("the halves of echo_open");
  const std::string parameters = "connections=2,requests=400,rate=1000,arrivals=constant";
  const auto server = MakeHalf(Half::kServer, "127.0.0.1:0", parameters);
  const auto scheduler_of_server = MakeScheduler("fast", 1);
  registry::HalfTimes times;
  {
    const auto clients = MakeHalf(Half::kClients, server->AsHalf()->Address(), parameters);
    server->AsHalf()->SetTimes(0, platform::NowNs() + 200'000'000);
    const platform::Thread serving("server", [&] { server->Run(*scheduler_of_server); });
    const auto scheduler = MakeScheduler("fast", 1);
    clients->Prepare();
    clients->Run(*scheduler);
    scheduler->WaitIdle();
    EXPECT_EQ(clients->Verify(), "");
    EXPECT_EQ(clients->Metrics().size(), registry::FindWorkload("echo_open")->metrics.size());
    times = clients->AsHalf()->Times();
  }
  EXPECT_GT(times.unanswered, 0U);
  EXPECT_GT(times.latency_ns.size(), 0U);
  EXPECT_EQ(times.latency_ns.size() + times.unanswered, 400U);
  EXPECT_EQ(times.delay_ns.size(), 400U);
  EXPECT_NE(times.trouble, "");
}

TEST(EchoHalves, ClientsWhoseRoundEndsEarlyHaveTheRequestsUntilThen) {
  const HangGuard hang_guard("the halves of echo_open");
  ServerRound server;
  const auto clients = MakeHalf(Half::kClients, server.Address(),
                                "connections=2,requests=1000000,rate=1000,bytes=100");
  const auto scheduler = MakeScheduler("fast", 1);
  int looks = 0;
  clients->AsHalf()->EndWhen([&looks] { return ++looks == 4; });
  clients->Prepare();
  const std::uint64_t requests = clients->Run(*scheduler);
  scheduler->WaitIdle();
  server.EndIsDue();
  EXPECT_GT(requests, 0U);
  EXPECT_LT(requests, 1'000'000U);
  EXPECT_EQ(clients->Verify(), "");
  const registry::HalfTimes times = clients->AsHalf()->Times();
  EXPECT_EQ(times.latency_ns.size(), requests);
  EXPECT_EQ(times.delay_ns.size(), requests);
  EXPECT_EQ(times.unanswered, 0U);
}

TEST(EchoHalves, ClientsWithoutAnyAnswerAreMeasured) {
  const HangGuard hang_guard("the halves of echo_open");
  auto listener = fibers::TcpListener::Listen(fibers::SocketAddress::Loopback(0)).Take();
  const platform::Thread closing("server", [&listener] {
    for (int i = 0; i < 2; ++i) {
      listener.Accept().Take().Close();
    }
  });
  const auto clients =
      MakeHalf(Half::kClients, listener.Address().Text(), "connections=2,requests=50");
  const auto scheduler = MakeScheduler("fast", 1);
  clients->Prepare();
  clients->Run(*scheduler);
  scheduler->WaitIdle();
  EXPECT_EQ(clients->Verify(), "");
  const registry::HalfTimes times = clients->AsHalf()->Times();
  EXPECT_EQ(times.unanswered, 50U);
  EXPECT_EQ(times.delay_ns.size(), 50U);
  EXPECT_EQ(times.latency_ns.size(), 0U);
  EXPECT_NE(times.trouble, "");
  for (const double metric : clients->Metrics()) {
    EXPECT_TRUE(std::isnan(metric));
  }
}

TEST(EchoHalves, ClientsWithoutMemoryForAllThatMayWaitNameTheFlagOfLoad) {
  const std::string why = WhyNot(Half::kClients, "127.0.0.1:1", "requests=100000000,rate=1e8");
  EXPECT_NE(why.find("100000000 requests need about"), std::string::npos) << why;
  EXPECT_NE(why.find("the most that fit: --duration "), std::string::npos) << why;
}

TEST(EchoHalves, AnAddressThatCannotBeUsedIsNamed) {
  const auto taken = MakeHalf(Half::kServer, "127.0.0.1:0", "requests=1");
  const std::string address = taken->AsHalf()->Address();
  EXPECT_NE(WhyNot(Half::kServer, address).find("cannot listen at " + address), std::string::npos);
  EXPECT_EQ(WhyNot(Half::kServer, "127.0.0.1"), "'127.0.0.1' is not an address; write HOST:PORT");
  EXPECT_NE(WhyNot(Half::kServer, "203.0.113.1:0").find("Cannot assign"), std::string::npos);
  const std::string unknown = WhyNot(Half::kClients, "no.such.host.invalid:7");
  EXPECT_NE(unknown.find("no.such.host.invalid"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("    --address HOST"), std::string::npos) << unknown;
  EXPECT_NE(WhyNot(Half::kClients, "127.0.0.1:1").find("Connection refused"), std::string::npos);
}

}  // namespace

}  // namespace schedbench::tests::echo_halves_test
