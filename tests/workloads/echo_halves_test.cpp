// The two halves of echo_open, in one process.
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

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

std::string WhyNot(Half half, const std::string& address) {
  try {
    MakeHalf(half, address, "requests=1");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(EchoHalves, ClientsMeasureAServerAndTheRequestsBeginAtTheTimeThatIsGiven) {
  const HangGuard hang_guard("the halves of echo_open");
  const std::string parameters = "connections=4,requests=300,rate=20000,bytes=100";
  const auto server = MakeHalf(Half::kServer, "127.0.0.1:0", parameters);
  const auto scheduler_of_server = MakeScheduler("fast", 1);
  std::uint64_t served = 0;
  registry::HalfTimes times;
  std::uint64_t begun = 0;
  const std::uint64_t start = platform::NowNs() + 50'000'000;
  {
    const platform::Thread serving("server", [&] {
      served = server->Run(*scheduler_of_server);
    });
    const auto clients = MakeHalf(Half::kClients, server->AsHalf()->Address(), parameters);
    const auto scheduler = MakeScheduler("fast", 1);
    clients->AsHalf()->SetTimes(start, 0);
    clients->Prepare();
    EXPECT_EQ(clients->Run(*scheduler), 300U);
    begun = platform::NowNs();
    scheduler->WaitIdle();
    EXPECT_EQ(clients->Verify(), "");
    times = clients->AsHalf()->Times();
  }
  EXPECT_EQ(served, 300U);
  EXPECT_EQ(server->Verify(), "");
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
    const platform::Thread serving("server", [&] {
      server->Run(*scheduler_of_server);
    });
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

TEST(EchoHalves, AnAddressThatCannotBeUsedIsNamed) {
  const auto taken = MakeHalf(Half::kServer, "127.0.0.1:0", "requests=1");
  const std::string address = taken->AsHalf()->Address();
  EXPECT_NE(WhyNot(Half::kServer, address).find("cannot listen at " + address), std::string::npos);
  EXPECT_EQ(WhyNot(Half::kServer, "127.0.0.1"), "'127.0.0.1' is no address; write HOST:PORT");
  EXPECT_NE(WhyNot(Half::kServer, "203.0.113.1:0").find("Cannot assign"), std::string::npos);
  EXPECT_NE(WhyNot(Half::kClients, "no.such.host.invalid:7").find("no.such.host.invalid"),
            std::string::npos);
  EXPECT_NE(WhyNot(Half::kClients, "127.0.0.1:1").find("Connection refused"), std::string::npos);
}

}  // namespace

}  // namespace schedbench::tests::echo_halves_test
