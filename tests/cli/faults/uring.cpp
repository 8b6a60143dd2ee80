#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

// netpoll=uring where the kernel refuses io_uring, and where it does not.

namespace schedbench::tests {

namespace {

constexpr std::string_view kWarning = "warning: io_uring is not available";

// `injected`: what strace makes of a system call of io_uring, or "".
Finished ToolWith(const std::string& injected, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"timeout", "--signal=KILL", "60"};
  if (!injected.empty()) {
    const std::string call = injected.substr(0, injected.find(':'));
    command.insert(command.end(), {"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
                                   "-e", "inject=" + injected});
  }
  command.emplace_back(SCHEDBENCH_BINARY);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Execute(command);
}

Finished RingRun(const std::string& workload, const std::string& injected) {
  return ToolWith(injected,
                  {"run", "-s", "fast", "--set", "workers=2", "--set", "netpoll=uring", "--set",
                   "blocking=hand_off", "-w", workload, "-n", "3", "-q", "--format", "json"});
}

Finished EchoRun(const std::string& injected) {
  return RingRun("echo:connections=64,messages=20", injected);
}

std::size_t CountOf(std::string_view part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

class RefusedRing : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RefusedRing, IsSaidOnceAndEpollIsUsed) {
  SCHEDBENCH_REQUIRE_TRACE();
  const auto [error, text] = GetParam();
  const Finished run = EchoRun(std::string("io_uring_setup:error=") + error);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error,
            std::string(kWarning) + " (" + text +
                "): netpoll=epoll is used instead    sudo sysctl kernel.io_uring_disabled=0, or "
                "docker run --security-opt seccomp=unconfined\n");
  EXPECT_EQ(CountOf("\"net_batched\": 0", run.out), CountOf("\"net_batched\"", run.out));
  const auto result = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_TRUE(result.is_object());
  EXPECT_EQ(result["config"]["netpoll"], "uring");
  EXPECT_EQ(result["effective_config"]["netpoll"], "epoll");
}

TEST(RefusedRing, MakesTwoAlternativesTheSameAndAComparisonReportsIt) {
  SCHEDBENCH_REQUIRE_TRACE();
  const Finished run = ToolWith(
      "io_uring_setup:error=EPERM",
      {"compare", "ring=fast:netpoll=uring,workers=1", "epoll=fast:netpoll=epoll,workers=1", "-w",
       "yield:fibers=1,yields=1", "-b", "1", "-n", "1", "--metric", "throughput", "-q"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("epoll against ring: the same settings were in effect"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("ring: not all settings are in effect: netpoll=epoll instead of uring"),
            std::string::npos)
      << run.out;
}

TEST(RefusedRing, LeavesASweepOneCellSoThatNoneIsCalledTheBestOfTwo) {
  SCHEDBENCH_REQUIRE_TRACE();
  const Finished run = ToolWith("io_uring_setup:error=EPERM",
                                {"sweep", "fast:workers=1", "--over", "netpoll=epoll,uring", "-w",
                                 "yield:fibers=1,yields=1", "-b", "2", "-n", "1", "-q"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("netpoll=uring: the same in effect as netpoll=epoll\n"
                         "  the settings made no difference: there is nothing to choose\n"),
            std::string::npos)
      << run.out;
}

INSTANTIATE_TEST_SUITE_P(Errors, RefusedRing,
                         testing::Values(std::pair{"EPERM", "Operation not permitted"},
                                         std::pair{"ENOSYS", "Function not implemented"},
                                         std::pair{"ENOMEM", "Cannot allocate memory"}),
                         [](const auto& info) { return info.param.first; });

TEST(GrantedRing, IsUsedAndCounted) {
  const Finished run = EchoRun("");
  EXPECT_EQ(run.code, 0) << run.error;
  const bool is_refused = CountOf(kWarning, run.error) > 0;
  EXPECT_EQ(run.error.empty(), !is_refused);
  const std::size_t unused = CountOf("\"net_batched\": 0", run.out);
  EXPECT_EQ(unused, is_refused ? CountOf("\"net_batched\"", run.out) : 0);
}

TEST(GrantedRing, RunsOperationsOnFiles) {
  const Finished run = RingRun("file_vs_net:connections=2,messages=20,writers=4,blocks=5", "");
  EXPECT_EQ(run.code, 0) << run.error;
  const bool is_refused = CountOf(kWarning, run.error) > 0;
  const std::size_t unused = CountOf("\"files_in_ring\": 0", run.out);
  EXPECT_EQ(unused, is_refused ? CountOf("\"files_in_ring\"", run.out) : 0);
}

// Calls on sockets and operations on files fall back to a system call each.
TEST(GrantedRing, MayRefuseEachThirdCall) {
  SCHEDBENCH_REQUIRE_TRACE();
  for (const char* const error : {"EAGAIN", "EBUSY"}) {
    const Finished run = RingRun("file_vs_net:connections=20,messages=20,writers=4,blocks=10",
                                 fmt::format("io_uring_enter:error={}:when=2+3", error));
    EXPECT_EQ(run.code, 0) << error << ": " << run.error;
    EXPECT_TRUE(nlohmann::json::accept(run.out));
  }
}

}  // namespace

}  // namespace schedbench::tests
