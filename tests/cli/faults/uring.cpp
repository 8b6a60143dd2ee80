#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

// netpoll=uring where the kernel refuses io_uring, and where it does not.

namespace schedbench::tests {

namespace {

constexpr std::string_view kWarning = "warning: io_uring is not available";

std::vector<std::string> EchoRun(std::string prefix_error) {
  std::vector<std::string> command{"timeout", "--signal=KILL", "60"};
  if (!prefix_error.empty()) {
    for (const std::string& word :
         {std::string("strace"), std::string("-f"), std::string("-qq"), std::string("-o"),
          std::string("/dev/null"), std::string("-e"), std::string("trace=io_uring_setup"),
          std::string("-e"), "inject=io_uring_setup:error=" + prefix_error}) {
      command.push_back(word);
    }
  }
  for (const char* const word :
       {SCHEDBENCH_BINARY, "run", "-s", "fast", "--set", "workers=2", "--set", "netpoll=uring",
        "-w", "echo:connections=4", "-n", "3", "-q", "--format", "json"}) {
    command.emplace_back(word);
  }
  return command;
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
  const Finished run = Execute(EchoRun(error));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, std::string(kWarning) + " (" + text + "): netpoll=epoll is used instead\n");
  EXPECT_EQ(CountOf("\"net_in_ring\": 0", run.out), CountOf("\"net_in_ring\"", run.out));
  EXPECT_TRUE(nlohmann::json::accept(run.out));
}

INSTANTIATE_TEST_SUITE_P(Errors, RefusedRing,
                         testing::Values(std::pair{"EPERM", "Operation not permitted"},
                                         std::pair{"ENOSYS", "Function not implemented"},
                                         std::pair{"ENOMEM", "Cannot allocate memory"}),
                         [](const auto& info) {
                           return info.param.first;
                         });

TEST(GrantedRing, IsUsedAndCounted) {
  const Finished run = Execute(EchoRun(""));
  EXPECT_EQ(run.code, 0) << run.error;
  const bool is_refused = CountOf(kWarning, run.error) > 0;
  EXPECT_EQ(run.error.empty(), !is_refused);
  const std::size_t unused = CountOf("\"net_in_ring\": 0", run.out);
  EXPECT_EQ(unused, is_refused ? CountOf("\"net_in_ring\"", run.out) : 0);
}

}  // namespace

}  // namespace schedbench::tests
